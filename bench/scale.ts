/**
 * One agency with 100,000 posts, on the built server in a process of its own (`npm run build` first): what its screens
 * cost at eight connections, and how long the event loop was ever blocked.
 */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { ApiClient, connect } from '../api/http/client.ts'
import { freePort } from '../domain/test/free-port.ts'
import { startProcess } from '../e2e/process.ts'
import { fillAgency } from './large-agency.ts'
import { grouped, ms, percentile, print } from './report.ts'

const posts = Number(process.env['BENCH_POSTS'] ?? 100_000)
const connections = 8
const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const startsWithinMs = 900_000
/** The folder of an earlier run is used again, if it is named. */
const kept = process.env['BENCH_FOLDER']

interface Prepared {
  readonly cookie: string
  readonly clientId: string
}

export async function scale(): Promise<void> {
  const folder = kept ?? (await temporaryFolder('socialai-bench'))
  const noted = join(folder, 'bench.json')
  const { cookie, clientId } = existsSync(noted)
    ? (JSON.parse(await readFile(noted, 'utf8')) as Prepared)
    : await prepared(folder, noted)
  const began = performance.now()
  const server = startProcess(await freePort(), folder, {}, startsWithinMs)
  await server.ready
  const started = performance.now() - began
  const caller = new ApiClient(server.url)
  caller.cookie = cookie

  const month = new Date().toISOString().slice(0, 7)
  const lines = [{ what: 'start', figure: `${(started / 1000).toFixed(1)} s` }]
  for (const [what, path] of Object.entries(pathsFor(clientId, month))) {
    const { status, text } = await caller.get(path)
    if (status >= 400) {
      lines.push({ what, figure: `${status} ${text.slice(0, 80)}` })
      continue
    }
    const blocked = await blockedDuring(server.url, async () => {
      const result = await autocannon({
        url: `${server.url}${path}`,
        connections,
        duration: seconds,
        headers: { cookie },
      })
      const { p50, p99 } = result.latency
      return `p50 ${ms(p50)}, p99 ${ms(p99)}, ${grouped(result.requests.average)}/s${result.non2xx > 0 ? `, ${result.non2xx} failed` : ''}, ${grouped(Buffer.byteLength(text))} bytes`
    })
    lines.push({ what, figure: blocked })
  }
  const asOf = new Date(Date.now() - 40 * 86_400_000).toISOString()
  const past: number[] = []
  for (let run = 0; run < 3; run++) {
    const asked = performance.now()
    // Without the client's time limit.
    const path = `/api/calendar?month=${asOf.slice(0, 7)}&asOf=${asOf}`
    await (await fetch(`${server.url}${path}`, { headers: { cookie } })).text()
    past.push(performance.now() - asked)
  }
  lines.push({ what: 'calendar as of 40 days ago, one after the other', figure: `p50 ${ms(percentile(past, 0.5))}` })
  print(`One agency with ${grouped(posts)} posts, ${connections} connections`, lines)
  await server.stop()
  if (kept === undefined) await removeFolder(folder)
}

const pathsFor = (clientId: string, month: string): Readonly<Record<string, string>> => ({
  dashboard: '/api/dashboard',
  'what needs attention': '/api/attention',
  'list, 50 cards': `/api/clients/${clientId}/posts?view=card&limit=50`,
  'list of a status, 50 cards': `/api/clients/${clientId}/posts?view=card&limit=50&status=approved`,
  'search, 50 cards': `/api/clients/${clientId}/posts?view=card&limit=50&q=stra%C3%9Fe%20lem`,
  'calendar month, a page of the list': `/api/calendar?month=${month}`,
  'calendar month, as its screen asks': `/api/calendar?view=month&month=${month}`,
  'calendar as a list': `/api/calendar?view=list&month=${month}`,
  'calendar month of a client': `/api/calendar?view=month&month=${month}&client=${clientId}`,
})

async function prepared(folder: string, noted: string): Promise<Prepared> {
  const server = startProcess(await freePort(), folder)
  await server.ready
  const caller = new ApiClient(server.url)
  await caller.callOrThrow('register', { body: { email: 'reader@example.com', password: 'correct horse' } })
  const { id: agencyId, ownerId } = await caller.callOrThrow('openAgency', {
    body: { name: 'North Star', email: 'hello@northstar.example' },
  })
  const clients = []
  for (let count = 0; count < 10; count++) {
    const { id: clientId } = await caller.callOrThrow('addClient', { body: { name: `Brand ${count}` } })
    const { id: accountId } = await caller.callOrThrow('addSocialAccount', {
      params: { id: clientId },
      body: { platform: 'facebook', accountName: `Brand ${count}` },
    })
    await connect(caller, accountId)
    clients.push({ clientId, accountId })
  }
  await server.stop()
  await fillAgency(join(folder, 'events.db'), { agencyId, ownerId, clients }, posts)
  await viewsCaughtUp(folder)
  const about: Prepared = { cookie: caller.cookie, clientId: clients[0]?.clientId ?? '' }
  await writeFile(noted, JSON.stringify(about))
  return about
}

/** Reads the appended events into the views, so that what is measured are whole lists. */
async function viewsCaughtUp(folder: string): Promise<void> {
  const server = startProcess(await freePort(), folder, {}, startsWithinMs)
  await server.ready
  const began = performance.now()
  const areLive = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    const live = [...text.matchAll(/^socialai_projection_live\S* (\d)/gm)]
    return live.length > 0 && live.every(([, isLive]) => isLive === '1')
  }
  while (!(await areLive())) await setTimeout(1000)
  console.log(`All views were read from the log within ${((performance.now() - began) / 1000).toFixed(0)} s`)
  await server.stop()
}

/** The longest time that the event loop was blocked meanwhile, as the server's own metrics have it. */
async function blockedDuring(url: string, work: () => Promise<string>): Promise<string> {
  await longestBlock(url)
  const figure = await work()
  return `${figure}; event loop blocked ${ms(await longestBlock(url))} at most`
}

/** Since the last time it was asked. */
async function longestBlock(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1] ?? Number.NaN) * 1000
}
