/**
 * A child process for the tests: appends until it is killed, and prints each acknowledged event's stream and revision.
 */
import { openEmbeddedEventStore } from '../embedded.ts'
import { event, newStream } from './samples.ts'

const [file = ''] = process.argv.slice(2)

async function write(): Promise<void> {
  const store = await openEmbeddedEventStore(file)
  process.stdout.write('open\n')
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const stream = newStream()
      for (let revision = 0; ; revision += 1) {
        await store.append(stream, revision === 0 ? 'no-stream' : revision - 1, [event()])
        process.stdout.write(`${stream} ${revision}\n`)
      }
    }),
  )
}

write().catch((error: unknown) => {
  process.stdout.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`)
})
