/**
 * A rebuild of a long log while the API serves: what readers feel of it, how long it takes beside the bare loop, and
 * the memory.
 * On the built server in a process of its own, asked through its door as an operator would (`npm run build` first).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { throughServer } from '../api/operations/admin/client.ts'
import { ApiClient } from '../api/http/client.ts'
import { freePort } from '../domain/test/free-port.ts'
import { startProcess } from '../e2e/process.ts'
import { projections } from '../projections/registry.ts'
import { busyAgency } from './agency.ts'
import { bareLoop, collectGarbage, fill } from './rebuild.ts'
import { grouped, ms, percentile, print } from './report.ts'

const events = Number(process.env['BENCH_LIVE_EVENTS'] ?? 1_000_000)
const quietMs = 10_000
/** Between two requests, as people have it. */
const thinkMs = 5
const postsOfClient = 20
/** Every view is built in it. */
const firstStartWithinMs = 300_000

export async function rebuildLive(): Promise<void> {
  const folder = await temporaryFolder('socialai-bench')
  const posts = projections.find(({ name }) => name === 'posts')
  if (!posts) throw new Error('There is no projection posts')
  const empty = await started(folder)
  const { caller, agencyId, clientId, accountId } = await busyAgency(empty.url)
  for (let post = 1; post <= postsOfClient; post++)
    await caller.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: `Post ${post}` },
    })
  const { id: busyClientId } = await caller.callOrThrow('addClient', { body: { name: 'Everywhere' } })
  await empty.stop()
  await fill(join(folder, 'events.db'), events, { agencyId, clientId: busyClientId })
  const bare = (events / bareLoop(join(folder, 'events.db'), posts, events)) * 1_000

  const first = await started(folder)
  await signed(at(first.url, caller))
  await first.stop()

  const server = await started(folder)
  const reader = at(server.url, caller)
  let failed = 0
  const samplesUntil = async (isOver: () => boolean): Promise<number[]> => {
    const samples: number[] = []
    while (!isOver()) {
      const asked = performance.now()
      const { status, text } = await reader.ask('listPosts', { params: { id: clientId } })
      samples.push(performance.now() - asked)
      if (status !== 200 || (JSON.parse(text) as unknown[]).length !== postsOfClient) failed += 1
      await new Promise((resolve) => setTimeout(resolve, thinkMs))
    }
    return samples
  }
  // The garbage of the preparation must not be collected during the measurement.
  collectGarbage()
  const quietEnd = performance.now() + quietMs
  const quiet = await samplesUntil(() => performance.now() > quietEnd)
  const before = memoryOf(server.pid)
  let isOver = false
  const began = performance.now()
  const rebuilding = throughServer(folder, 'projections', ['rebuild', 'posts'], {
    screen: { write: () => undefined },
  }).finally(() => (isOver = true))
  const busy = await samplesUntil(() => isOver)
  const took = performance.now() - began
  if ((await rebuilding) !== 0) throw new Error('The rebuild failed')
  const [still, meanwhile] = [percentile(quiet, 0.99), percentile(busy, 0.99)]
  print(`Rebuild of posts from ${grouped(events)} events while the API serves`, [
    { what: 'reference: bare loop over the file', figure: `${(bare / 1000).toFixed(1)} s` },
    {
      what: 'rebuild, while it is read from',
      figure: `${(took / 1000).toFixed(1)} s, ${(took / bare).toFixed(2)} of the reference`,
    },
    {
      what: 'GET p50 and p99, quiet',
      figure: `${ms(percentile(quiet, 0.5))}, ${ms(still)} (${grouped(quiet.length)} requests)`,
    },
    {
      what: 'GET p50 and p99, during the rebuild',
      figure: `${ms(percentile(busy, 0.5))}, ${ms(meanwhile)} (${grouped(busy.length)} requests), ${(meanwhile / still).toFixed(1)} of the quiet one`,
    },
    {
      what: 'GET longest, quiet and during the rebuild',
      figure: `${ms(Math.max(...quiet))}, ${ms(Math.max(...busy))}`,
    },
    { what: 'failed or mixed reads', figure: String(failed) },
    {
      what: 'memory of the server: before, peak',
      figure: `${grouped(before.now)} MB, ${grouped(memoryOf(server.pid).most)} MB`,
    },
  ])
  await server.stop()
  await removeFolder(folder)
}

async function started(dataDir: string) {
  const port = await freePort()
  const server = startProcess(port, dataDir, {}, firstStartWithinMs)
  await server.ready
  return server
}

/** The same person at another address. */
function at(url: string, { cookie }: ApiClient): ApiClient {
  const caller = new ApiClient(url)
  caller.cookie = cookie
  return caller
}

/**
 * The log's first signature goes through all of it, once in its life: it is neither the rebuild's work nor a quiet
 * server.
 */
async function signed(caller: ApiClient): Promise<void> {
  while ((await caller.callOrThrow('listAuditCheckpoints')).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 500))
}

/** In megabytes, as the system counts them. */
function memoryOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024
  return { now: of('VmRSS'), most: of('VmHWM') }
}
