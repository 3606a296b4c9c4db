/**
 * Commands over HTTP on the embedded server: by one person and by 64 together, each against a durable append alone in
 * the same run, and how often a read right after a command misses it. The people are in a process of their own.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { openEmbeddedEventStore } from '../domain/event-store/embedded.ts'
import { brand, owner, testServer } from '../api/testing/server.ts'
import type { Measured, Person, Work } from './commands-people.ts'
import { onePost } from './events.ts'
import { grouped, ms, percentile, perSecond, print } from './report.ts'

const appends = 1_500
const rounds = 10_000
const together = 64
const seconds = 6

export async function commands(): Promise<void> {
  const alone = await durableAppends()
  const server = await testServer({ PUBLISH_POLL_MS: '250' })
  const people: Person[] = []
  for (let index = 0; index < together; index++) {
    const caller = await owner(server)
    people.push({ cookie: caller.cookie, ...(await brand(caller)) })
  }
  const one = await measured({ url: server.url, people: people.slice(0, 1), rounds })
  // The disk is measured again, because its speed varies during a run.
  alone.push(...(await durableAppends()))
  const rateOfOne = await measured({ url: server.url, people: people.slice(0, 1), seconds })
  const rateOfAll = await measured({ url: server.url, people, seconds })
  await server.remove()

  const of = (samples: readonly number[], share: number) => {
    const [figure, reference] = [percentile(samples, share), percentile(alone, share)]
    return `${ms(figure)}, ${(figure / reference).toFixed(1)} of the reference`
  }
  const [single, all] = [rateOfOne, rateOfAll].map(({ tookMs }) => perSecond(tookMs.length, seconds * 1000))
  print('Commands over HTTP, embedded: write a post', [
    {
      what: 'reference: a durable append alone',
      figure: `p50 ${ms(percentile(alone, 0.5))}, p99 ${ms(percentile(alone, 0.99))}`,
    },
    { what: 'one person, p50', figure: of(one.tookMs, 0.5) },
    { what: 'one person, p99', figure: of(one.tookMs, 0.99) },
    { what: `stale reads after ${grouped(rounds)} commands`, figure: String(one.stale) },
    { what: 'one person without reading', figure: `${grouped(single ?? 0)}/s` },
    {
      what: `${together} people together`,
      figure: `${grouped(all ?? 0)}/s, ${((all ?? 0) / (single ?? 1)).toFixed(1)} of one person`,
    },
  ])
}

async function durableAppends(): Promise<number[]> {
  const folder = await temporaryFolder('socialai-bench')
  const store = await openEmbeddedEventStore(join(folder, 'log.db'))
  const took: number[] = []
  for (let index = 0; index < appends; index++) {
    const { stream, events } = onePost()
    const start = performance.now()
    await store.append(stream, 'no-stream', events)
    took.push(performance.now() - start)
  }
  await store.close()
  await removeFolder(folder)
  return took
}

async function measured(work: Work): Promise<Measured> {
  const child = fork(new URL('./commands-people.js', import.meta.url), [JSON.stringify(work)])
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The people ended without a result')))
  const [result] = await Promise.race([once(child, 'message'), ended])
  child.disconnect()
  await ended.catch(() => undefined)
  return result as Measured
}
