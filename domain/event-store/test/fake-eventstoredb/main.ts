/**
 * The test server as a separate process: `tsx domain/event-store/test/fake-eventstoredb/main.ts <port> [<events>]`.
 * With a number, its log has so many events of others before the first test.
 */
import { seed } from './seeded.ts'
import { startEventStore } from './server.ts'

const [, , port = '2113', events = '0'] = process.argv
const server = await startEventStore({ port: Number(port) })
seed(server.log, Number(events))
console.log(`Speaking the Streams protocol on ${server.url}, with ${server.log.all.length} events in the log`)
process.on('SIGTERM', () => void server.close().then(() => process.exit(0)))
