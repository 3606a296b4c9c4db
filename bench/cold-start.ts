/** From `node` to serving, with an empty log and with 100,000 events. Reference: Node that runs nothing. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { openEmbeddedEventStore } from '../domain/event-store/embedded.ts'
import { freePort } from '../domain/test/free-port.ts'
import { startProcess } from '../e2e/process.ts'
import { lifeLength, postLife } from './events.ts'
import { grouped, ms, percentile, print } from './report.ts'

const runs = 7
const manyEvents = 100_000

export async function coldStart(): Promise<void> {
  const folder = await temporaryFolder('socialai-bench')
  try {
    const bare = middle(() => Promise.resolve(void execFileSync(process.execPath, ['-e', '0'])))
    const empty = join(folder, 'empty')
    await start(empty)
    const full = join(folder, 'full')
    await fill(join(full, 'events.db'))
    const first = await start(full)
    const node = await bare
    const without = await middle(() => start(empty))
    const withMany = await middle(() => start(full))
    print(`Cold start, median of ${runs}`, [
      { what: 'reference: node -e 0', figure: ms(node) },
      { what: '0 events', figure: `${ms(without)}, ${(without / node).toFixed(1)} times the reference` },
      {
        what: `${grouped(manyEvents)} events`,
        figure: `${ms(withMany)}, ${(withMany / node).toFixed(1)} times the reference`,
      },
      { what: `${grouped(manyEvents)} events, all read models built first`, figure: ms(first) },
    ])
  } finally {
    await removeFolder(folder)
  }
}

async function middle(run: () => Promise<unknown>): Promise<number> {
  const samples: number[] = []
  for (let count = 0; count < runs; count++) {
    const began = performance.now()
    const took = await run()
    samples.push(typeof took === 'number' ? took : performance.now() - began)
  }
  return percentile(samples, 0.5)
}

/** Milliseconds until it serves. */
async function start(dataDir: string): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  const server = startProcess(port, dataDir)
  await server.ready
  const took = performance.now() - began
  await server.stop()
  return took
}

async function fill(file: string): Promise<void> {
  const store = await openEmbeddedEventStore(file)
  const posts = manyEvents / lifeLength
  const atOnce = 200
  for (let from = 0; from < posts; from += atOnce) {
    await Promise.all(
      Array.from({ length: Math.min(atOnce, posts - from) }, () => {
        const { stream, events } = postLife()
        return store.append(stream, 'no-stream', events)
      }),
    )
  }
  await store.close()
}
