/**
 * An installation of very many agencies against one of a single agency, on the built server (`npm run build` first):
 * what its processes cost while nothing is due, the start, and the memory. Planner, publisher, collector, token
 * refresher and trial clock all run. Reference: the same server with one agency.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { v5 as uuidv5 } from 'uuid'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import type { Fact } from '../domain/core/event.ts'
import { activated, opened, profile, trialStarted } from '../domain/agency/test/examples.ts'
import { events as catalogue } from '../domain/event-store/catalogue.ts'
import { chainHashes } from '../domain/event-store/chain.ts'
import { openEmbeddedEventStore } from '../domain/event-store/embedded.ts'
import { pasts } from '../domain/post/test/examples.ts'
import { freePort } from '../domain/test/free-port.ts'
import { startProcess } from '../e2e/process.ts'
import { grouped, print } from './report.ts'

const agencies = Number(process.env['BENCH_AGENCIES'] ?? 10_000)
const postsEach = Number(process.env['BENCH_POSTS_EACH'] ?? 20)
const idleSeconds = Number(process.env['BENCH_SECONDS'] ?? 60)
const startsWithinMs = 3_600_000
const namespace = '0195a000-0000-7000-8000-0000000000fe'
/** Linux counts processor time in these, in /proc/PID/stat; `getconf CLK_TCK` prints it. */
const ticksASecond = 100
/** Posts of this age are no longer measured by the collector. */
const age = 400 * 86_400_000
/** One of each: nothing of it is due. */
const lives = [pasts.published, pasts.draft, pasts.pending, pasts.rejected] as const

export async function installation(): Promise<void> {
  const one = await measured(1)
  const many = await measured(agencies)
  print(`${grouped(agencies)} agencies with ${grouped(agencies * postsEach)} posts (${grouped(many.events)} events)`, [
    { what: 'reference: one agency, idle', figure: `${one.idle.toFixed(2)} s of processor time a minute` },
    { what: 'idle', figure: `${many.idle.toFixed(2)} s of processor time a minute` },
    { what: 'reference: one agency, memory', figure: `${grouped(one.megabytes)} MB` },
    { what: 'memory', figure: `${grouped(many.megabytes)} MB` },
    { what: 'all views built at first', figure: `${many.built.toFixed(1)} s` },
    { what: 'reference: one agency, start', figure: `${one.started.toFixed(2)} s` },
    { what: 'start', figure: `${many.started.toFixed(2)} s` },
  ])
}

async function measured(count: number) {
  const folder = await temporaryFolder('socialai-bench')
  try {
    // The first start creates the keys and the records; a log without them is taken for a damaged folder.
    const { server: empty } = await started(folder)
    await empty.stop()
    await rm(join(folder, 'views.db'), { force: true })
    const events = await fill(join(folder, 'events.db'), count)
    const first = await started(folder)
    while (!(await fetch(`${first.server.url}/readyz`)).ok) await pause(500)
    const built = first.seconds()
    await first.server.stop()
    const again = await started(folder)
    const startSeconds = again.seconds()
    // What a start does once has passed by then.
    await pause(10_000)
    const before = await processorSeconds(again.server.pid)
    await pause(idleSeconds * 1000)
    const idle = ((await processorSeconds(again.server.pid)) - before) * (60 / idleSeconds)
    const megabytes = await residentMegabytes(again.server.pid)
    await again.server.stop()
    return { events, built, started: startSeconds, idle, megabytes }
  } finally {
    await removeFolder(folder)
  }
}

async function started(folder: string) {
  const began = performance.now()
  const server = startProcess(await freePort(), folder, {}, startsWithinMs)
  await server.ready
  return { server, seconds: () => (performance.now() - began) / 1000 }
}

/** User and system time, the 14th and 15th field; the second one, the name, may have spaces. */
async function processorSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksASecond
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

async function fill(file: string, count: number): Promise<number> {
  const store = await openEmbeddedEventStore(file)
  let events = 0
  let writes: Promise<unknown>[] = []
  const idOf = (name: string) => uuidv5(name, namespace)
  for (let index = 0; index < count; index++) {
    const [agencyId, clientId, accountId] = [idOf(`agency ${index}`), idOf(`client ${index}`), idOf(`account ${index}`)]
    const append = (stream: string, facts: readonly Fact[]) => {
      events += facts.length
      const whose = { agencyId, clientId }
      writes.push(store.append(stream, 'no-stream', chained(stream, facts, whose)))
    }
    append(`agency-${agencyId}`, [
      opened,
      trialStarted,
      activated,
      { type: 'ClientAdded', data: { clientId, profile } },
    ])
    append(`client-${clientId}`, [
      {
        type: 'SocialAccountAdded',
        data: { accountId, platform: 'facebook', accountName: 'Blue Cup', accountUrl: null },
      },
    ])
    for (let post = 0; post < postsEach; post++) {
      const [written, ...others] = lives[post % lives.length] ?? pasts.draft
      const first = { ...written, data: { ...written.data, clientId, accountId } }
      append(`post-${idOf(`post ${index} ${post}`)}`, [first, ...others])
    }
    if (writes.length < 500) continue
    await Promise.all(writes)
    writes = []
  }
  await Promise.all(writes)
  await store.close()
  return events
}

function chained(
  stream: string,
  facts: readonly Fact[],
  whose: { readonly agencyId: string; readonly clientId: string },
) {
  const at = new Date(Date.now() - age).toISOString()
  return chainHashes(
    stream,
    { revision: -1, hash: null },
    facts.map((fact, index) => ({
      ...catalogue.encode(fact),
      metadata: {
        eventId: uuidv5(`${stream} ${index}`, namespace),
        at,
        actor: { type: 'user', id: whose.agencyId },
        correlationId: whose.agencyId,
        causationId: whose.agencyId,
        schemaVersion: 1,
        ...whose,
      },
    })),
  )
}
