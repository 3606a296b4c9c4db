/**
 * A child process for the tests: appends to EventStoreDB, and prints the outcomes. Once its input ends, it appends one
 * event more, and closes the store. With `connected`, it has appended to `<stream>first` before, and waits for a byte.
 */
import { once } from 'node:events'
import { defaultTimeouts, openEventStoreDB } from '../eventstoredb.ts'
import { event, newName } from './samples.ts'

const [url = '', stream = '', count = '1', bytes = '10', end = 'append'] = process.argv.slice(2)
const store = openEventStoreDB(url, { ...defaultTimeouts, ...(end === 'close' ? { appendMs: 5_000 } : {}) })
const data = { content: 'x'.repeat(Number(bytes)) }
const append = async (to: string): Promise<string> => {
  try {
    await store.append(to, 'no-stream', [event(newName(), data)])
    return 'stored'
  } catch (error) {
    return error instanceof Error ? error.constructor.name : String(error)
  }
}
if (end === 'connected') {
  await append(`${stream}first`)
  process.stdout.write('connected\n')
  await once(process.stdin, 'data')
}
const names = Array.from({ length: Number(count) }, (_, index) => `${stream}${index}`)
const outcomes = Promise.all(names.map(append))
process.stdout.write('begun\n')
process.stdout.write(`${[...new Set(await outcomes)].join(' ')}\n`)
if (end !== 'close') {
  process.stdin.resume()
  await once(process.stdin, 'end')
  process.stdout.write(`${await append(`${stream}last`)}\n`)
}
await store.close()
// An error of the client would come only now.
if (end === 'close') await new Promise((resolve) => setTimeout(resolve, 5_000))
