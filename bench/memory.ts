/**
 * The memory of the built server under a mixed load of 200 requests a second for half an hour (`npm run build` first).
 * Reference: its memory after the first five minutes.
 */
import { readFile } from 'node:fs/promises'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { ApiClient } from '../api/http/client.ts'
import { freePort } from '../domain/test/free-port.ts'
import { startProcess } from '../e2e/process.ts'
import { grouped, print } from './report.ts'

const minutes = Number(process.env['BENCH_MINUTES'] ?? 30)
const warmMinutes = Math.min(5, minutes / 2)
const people = 20
const requestsPerSecond = 200
/** After so many posts a person deletes the oldest, so that lists keep their size. */
const maxPosts = 20
const sampleMs = 5_000
/** A server this far behind is not sent more: it accepts 200 connections of one address. */
const maxUnderWay = 100

interface Person {
  readonly caller: ApiClient
  readonly clientId: string
  readonly accountId: string
  readonly posts: string[]
  turn: number
}

export async function memory(): Promise<void> {
  const folder = await temporaryFolder('socialai-bench')
  const server = startProcess(await freePort(), folder)
  await server.ready
  const all: Person[] = []
  for (let number = 0; number < people; number++) all.push(await newPerson(server.url, number))

  const begun = performance.now()
  const elapsedMinutes = () => (performance.now() - begun) / 60_000
  const samples: { readonly minute: number; readonly megabytes: number }[] = []
  const sampling = setInterval(() => {
    void residentMegabytes(server.pid).then((megabytes) => samples.push({ minute: elapsedMinutes(), megabytes }))
  }, sampleMs)
  let [sent, failed, underWay] = [0, 0, 0]
  while (elapsedMinutes() < minutes) {
    const due = Math.floor(elapsedMinutes() * 60 * requestsPerSecond)
    for (; sent < due && underWay < maxUnderWay; sent++) {
      const person = all[sent % people]
      if (!person) break
      underWay += 1
      step(person)
        .catch(() => (failed += 1))
        .finally(() => (underWay -= 1))
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  clearInterval(sampling)
  await server.stop()
  await removeFolder(folder)

  const mean = (from: number, to: number) => {
    const some = samples.filter(({ minute }) => minute >= from && minute < to)
    return some.reduce((sum, { megabytes }) => sum + megabytes, 0) / some.length
  }
  const reference = mean(warmMinutes, warmMinutes + minutes / 12)
  const later = Array.from({ length: 5 }, (_, part) => {
    const length = (minutes - warmMinutes) / 5
    return mean(warmMinutes + part * length, warmMinutes + (part + 1) * length)
  })
  const [last = 0] = later.slice(-1)
  print(`Memory, ${grouped(sent)} requests in ${minutes} min, ${failed} failed`, [
    { what: 'reference: after the first minutes', figure: `${grouped(reference)} MB` },
    { what: 'in fifths of the time after that', figure: later.map((part) => `${grouped(part)} MB`).join(', ') },
    { what: 'the last fifth', figure: `${(last / reference).toFixed(2)} of the reference` },
  ])
}

async function newPerson(url: string, number: number): Promise<Person> {
  const caller = new ApiClient(url)
  await caller.callOrThrow('register', { body: { email: `person-${number}@example.com`, password: 'correct horse' } })
  await caller.callOrThrow('openAgency', { body: { name: 'North Star', email: 'hello@northstar.example' } })
  const { id: clientId } = await caller.callOrThrow('addClient', { body: { name: 'Blue Cup' } })
  const { id: accountId } = await caller.callOrThrow('addSocialAccount', {
    params: { id: clientId },
    body: { platform: 'facebook', accountName: 'Blue Cup' },
  })
  return { caller, clientId, accountId, posts: [], turn: number }
}

/** One request: three of ten write. @throws Error for an unexpected answer */
async function step(person: Person): Promise<void> {
  const { caller, clientId, accountId, posts } = person
  const turn = person.turn++ % 10
  const month = new Date().toISOString().slice(0, 7)
  const newest = posts.at(-1)
  if (turn === 0 || newest === undefined) {
    const body = { socialAccountId: accountId, content: `Fresh bread from seven, on day ${person.turn}` }
    posts.push((await caller.callOrThrow('writePost', { params: { id: clientId }, body })).id)
  } else if (turn === 1) {
    const body = { content: `Fresh bread from eight, on day ${person.turn}` }
    await caller.ask('changePost', { params: { id: newest }, body })
  } else if (turn === 2 && posts.length > maxPosts) {
    await caller.callOrThrow('deletePost', { params: { id: posts.shift() ?? '' } })
  } else {
    const paths = [
      '/api/clients',
      `/api/clients/${clientId}/posts?view=card&limit=50`,
      `/api/calendar?view=month&month=${month}`,
      '/api/dashboard',
      `/api/posts/${newest}`,
      `/api/posts/${newest}/history`,
      `/api/clients/${clientId}/posts?view=card&limit=50&q=fresh`,
    ]
    const { status } = await caller.get(paths[turn % paths.length] ?? '')
    if (status >= 500) throw new Error(`Answered ${status}`)
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}
