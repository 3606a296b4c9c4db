/** A rebuild of a long log while the API serves: what readers feel of it, how long it takes beside the bare loop, and the memory. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brand, owner, testServer } from '../api/testing.ts'
import { projections } from '../projections/registry.ts'
import { bareLoop, fill } from './rebuild.ts'
import { grouped, ms, percentile, print } from './report.ts'

const events = Number(process.env['BENCH_LIVE_EVENTS'] ?? 1_000_000)
const quietMs = 4_000
/** Between two requests, as people have it. */
const thinkMs = 5

export async function rebuildLive(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'socialai-bench-'))
  const log = join(folder, 'events.db')
  await fill(log, events)
  const posts = projections.find(({ name }) => name === 'posts')
  if (!posts) throw new Error('There is no projection posts')
  const bare = (events / bareLoop(log, posts, events)) * 1_000

  const began = performance.now()
  const server = await testServer({ DATA_DIR: folder, PUBLISH_POLL_MS: '60000' })
  const started = performance.now() - began
  const caller = await owner(server)
  const { clientId, accountId } = await brand(caller)
  for (let at = 0; at < 20; at++) await caller.tell('writePost', { params: { id: clientId }, body: { socialAccountId: accountId, content: `Post ${at}` } })

  let failed = 0
  const samplesUntil = async (isOver: () => boolean): Promise<number[]> => {
    const samples: number[] = []
    while (!isOver()) {
      const asked = performance.now()
      const { status, text } = await caller.ask('listPosts', { params: { id: clientId } })
      samples.push(performance.now() - asked)
      if (status !== 200 || (JSON.parse(text) as unknown[]).length !== 20) failed += 1
      await new Promise((resolve) => setTimeout(resolve, thinkMs))
    }
    return samples
  }
  const quietEnd = performance.now() + quietMs
  const quiet = await samplesUntil(() => performance.now() > quietEnd)
  let isOver = false
  let mostMemory = 0
  const rebuildBegan = performance.now()
  const rebuilding = server.projector
    .runner('posts')
    .rebuild({ onBatch: () => void (mostMemory = Math.max(mostMemory, process.memoryUsage().rss)) })
    .finally(() => (isOver = true))
  const busy = await samplesUntil(() => isOver)
  await rebuilding
  const took = performance.now() - rebuildBegan
  const [before, during] = [percentile(quiet, 0.99), percentile(busy, 0.99)]
  print(`Rebuild of posts from ${grouped(events)} events while the API serves (its start took ${(started / 1000).toFixed(1)} s)`, [
    { what: 'reference: bare loop over the file', figure: `${(bare / 1000).toFixed(1)} s` },
    { what: 'rebuild, while it is read from', figure: `${(took / 1000).toFixed(1)} s, ${(took / bare).toFixed(2)} of the reference` },
    { what: 'GET p99, quiet', figure: `${ms(before)} (${grouped(quiet.length)} requests)` },
    { what: 'GET p99, during the rebuild', figure: `${ms(during)} (${grouped(busy.length)} requests), ${(during / before).toFixed(1)} of the quiet one` },
    { what: 'GET longest, during the rebuild', figure: ms(Math.max(...busy)) },
    { what: 'failed or mixed reads', figure: String(failed) },
    { what: 'memory of the process, at most', figure: `${grouped(mostMemory / 1024 / 1024)} MB` },
  ])
  await server.remove()
  await rm(folder, { recursive: true, force: true })
}
