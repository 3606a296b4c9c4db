/** People who send commands, in a process of their own: their own work must not take the server's time. */
import { Agent, request } from 'node:http'

export interface Person {
  readonly cookie: string
  readonly clientId: string
  readonly accountId: string
}

export interface Measured {
  /** The time of each command in milliseconds, from the request to the end of its answer. */
  readonly tookMs: readonly number[]
  /** Reads right after a command that did not show it. */
  readonly stale: number
}

export interface Work {
  readonly url: string
  readonly people: readonly Person[]
  /** Commands of each person, each followed by a read. */
  readonly rounds?: number
  /** Or: commands without reads for this long. */
  readonly seconds?: number
}

/** After so many posts a person deletes them, so that lists keep their size. */
const postsAtOnce = 20

const { url, people, rounds, seconds } = JSON.parse(process.argv[2] ?? '') as Work
const { hostname, port } = new URL(url)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

function ask(method: string, path: string, cookie: string, body?: unknown): Promise<{ status: number; text: string }> {
  const text = body === undefined ? null : JSON.stringify(body)
  const headers = {
    Cookie: cookie,
    ...(text === null ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
  }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, path, method, headers }, (response) => {
      const parts: Buffer[] = []
      response
        .on('data', (part: Buffer) => parts.push(part))
        .once('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
        .once('error', reject)
    })
    sent.once('error', reject)
    sent.end(text ?? undefined)
  })
}

async function measure(): Promise<Measured> {
  const tookMs: number[] = []
  let stale = 0

  const write = async ({ cookie, clientId, accountId }: Person, round: number): Promise<string> => {
    const start = performance.now()
    const body = { socialAccountId: accountId, content: `Round ${round}` }
    const { status, text } = await ask('POST', `/api/clients/${clientId}/posts`, cookie, body)
    tookMs.push(performance.now() - start)
    if (status !== 201) throw new Error(`A post was not written: ${status}: ${text}`)
    return (JSON.parse(text) as { id: string }).id
  }

  const withReads = async (person: Person): Promise<void> => {
    const posts: string[] = []
    for (let round = 0; round < (rounds ?? 0); round++) {
      const id = await write(person, round)
      if ((await ask('GET', `/api/posts/${id}`, person.cookie)).status !== 200) stale += 1
      if (posts.push(id) < postsAtOnce) continue
      const { text } = await ask('GET', `/api/clients/${person.clientId}/posts`, person.cookie)
      if ((JSON.parse(text) as { id: string }[])[0]?.id !== id) stale += 1
      for (const each of posts.splice(0)) await ask('DELETE', `/api/posts/${each}`, person.cookie)
    }
  }

  const withoutReads = async (person: Person, until: number): Promise<void> => {
    for (let round = 0; performance.now() < until; round++) await write(person, round)
  }

  const until = performance.now() + (seconds ?? 0) * 1000
  await Promise.all(people.map((person) => (seconds === undefined ? withReads(person) : withoutReads(person, until))))
  agent.destroy()
  return { tookMs, stale }
}

process.send?.(await measure())
