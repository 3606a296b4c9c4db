/**
 * The main job under `kill -9`: users write, submit, approve, schedule and delete while posts are published, and the
 * process is killed at random moments, also during its start. The acknowledged writes are remembered and checked
 * afterwards.
 */
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { ApiClient } from '../../api/http/client.ts'
import type { Post } from '../../api/contract/index.ts'
import { SandboxStore } from '../../api/sandbox/store/store.ts'
import { openEmbeddedEventStore } from '../../domain/event-store/embedded.ts'
import { openEmbeddedReadStore } from '../../projections/read-store/embedded.ts'
import { freePort } from '../../domain/test/free-port.ts'
import { startProcess } from '../process.ts'
import { delay, live, look, prepare, randoms, settled, type Remembered } from './people.ts'
import { flaws, twice, unaccounted } from './truth.ts'

export interface KillReport {
  readonly rounds: number
  readonly seed: number
  readonly acknowledged: number
  readonly published: number
  readonly unknown: number
  readonly killedWhileStarting: number
  /** One sentence for each problem; empty when the test passes. */
  readonly problems: readonly string[]
}

const writers = 6
const longestRoundMs = 2_000
/** Rounds in which the process is killed before or just when it starts serving. */
const shareOfStarts = 0.2
const longestStartMs = 700

/** Runs after the server was stopped. */
async function inspect(dataDir: string): Promise<string[]> {
  const events = await openEmbeddedEventStore(join(dataDir, 'events.db'))
  const store = await openEmbeddedReadStore(join(dataDir, 'views.db'))
  try {
    return await flaws(events, store)
  } finally {
    await store.close()
    await events.close()
  }
}

export async function killLoop({
  rounds,
  seed,
}: {
  readonly rounds: number
  readonly seed: number
}): Promise<KillReport> {
  const random = randoms(seed)
  const dataDir = await temporaryFolder('kill-loop')
  const port = await freePort()
  const env = { PUBLISH_POLL_MS: '20', COLLECT_AFTER_SECONDS: '1,2' }
  const start = () => startProcess(port, dataDir, env)
  const problems: string[] = []
  const remembered = new Map<string, Remembered>()
  let killedWhileStarting = 0
  try {
    const caller = new ApiClient(`http://localhost:${port}`)
    const first = start()
    await first.ready
    const account = await prepare(caller)
    await first.kill()

    for (let round = 0; round < rounds; round++) {
      const server = start()
      if (random() < shareOfStarts) {
        await delay(random() * longestStartMs)
        killedWhileStarting += 1
        await server.kill()
      } else {
        await server.ready
        const work = new AbortController()
        const working = Array.from({ length: writers }, (_, writer) =>
          live({ caller, account, remembered, name: `r${round} w${writer}`, random, signal: work.signal }),
        )
        await delay(random() * longestRoundMs)
        await server.kill()
        work.abort()
        await Promise.all(working)
      }
      problems.push(...(await inspect(dataDir)).map((problem) => `round ${round}: ${problem}`))
    }

    const last = start()
    await last.ready
    await settled(caller, account, problems)
    await look(caller, remembered, problems)
    const posts = await caller.tellAll('listPosts', { params: { id: account.clientId } })
    await last.stop()
    problems.push(
      ...(await inspect(dataDir)),
      ...twice(feedOf(dataDir)),
      ...unaccounted(feedOf(dataDir), posts, remembered),
    )
    const acknowledged = [...remembered.values()].reduce((sum, { events }) => sum + events.size, 0)
    const count = (test: (post: Post) => boolean) => posts.filter(test).length
    return {
      rounds,
      seed,
      acknowledged,
      published: count(({ status }) => status === 'published'),
      unknown: count(({ delivery }) => delivery === 'unknown'),
      killedWhileStarting,
      problems,
    }
  } finally {
    await removeFolder(dataDir)
  }
}

export function feedOf(dataDir: string): readonly string[] {
  const sandbox = new SandboxStore(join(dataDir, 'sandbox.db'))
  try {
    return sandbox.feed.everything().map(({ content }) => content)
  } finally {
    sandbox.close()
  }
}
