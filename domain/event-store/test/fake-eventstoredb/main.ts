/** The test server as a separate process: `tsx domain/event-store/test/fake-eventstoredb/main.ts <port>`. */
import { startEventStore } from './server.ts'

const server = await startEventStore({ port: Number(process.argv[2] ?? 2113) })
console.log(`Speaking the Streams protocol on ${server.url}`)
process.on('SIGTERM', () => void server.close().then(() => process.exit(0)))
