/**
 * The main job under `kill -9`: people write, submit, approve, schedule and delete while posts are published, and the
 * process is killed at random moments, its start included. What was acknowledged is remembered here and looked for after.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Caller, connect } from '../api/caller.ts'
import { later } from '../api/clock.ts'
import type { Post } from '../api/contract/index.ts'
import { SandboxStore } from '../api/networks/sandbox/store/store.ts'
import { openEmbeddedEventStore } from '../domain/event-store/embedded.ts'
import { flawIn } from '../domain/event-store/chain.ts'
import type { StoredEvent } from '../domain/core/event.ts'
import { openEmbeddedReadStore } from '../projections/read-store/embedded.ts'
import { NothingToVerify, verifyProjection } from '../projections/verify.ts'
import { projections } from '../projections/registry.ts'
import { freePort, startProcess } from './process.ts'

export interface KillReport {
  readonly rounds: number
  readonly seed: number
  readonly acknowledged: number
  readonly published: number
  readonly unknown: number
  readonly killedWhileStarting: number
  /** Each is a sentence about what went wrong; none is the aim. */
  readonly problems: readonly string[]
}

/** What the server said yes to, a post. */
interface Remembered {
  readonly events: Set<string>
  readonly content: string
}

const writers = 6
const longestRoundMs = 2_000
/** Rounds in which it is killed before, or just when, it serves. */
const shareOfStarts = 0.2
const longestStartMs = 700
const longestSettleMs = 90_000

/** Same seed, same kill times (the machine decides the rest). */
function randoms(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export async function killLoop({ rounds, seed }: { readonly rounds: number; readonly seed: number }): Promise<KillReport> {
  const random = randoms(seed)
  const dataDir = await mkdtemp(join(tmpdir(), 'kill-loop-'))
  const port = await freePort()
  const env = { PUBLISH_POLL_MS: '20', COLLECT_AFTER_SECONDS: '1,2' }
  const start = () => startProcess(port, dataDir, env)
  const problems: string[] = []
  const remembered = new Map<string, Remembered>()
  let killedWhileStarting = 0
  try {
    const caller = new Caller(`http://localhost:${port}`)
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
    const posts = await caller.tell('listPosts', { params: { id: account.clientId } })
    await last.stop()
    problems.push(...(await inspect(dataDir)), ...twice(dataDir), ...unaccounted(dataDir, posts, remembered))
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
    await rm(dataDir, { recursive: true, force: true })
  }
}

interface Account {
  readonly clientId: string
  readonly accountId: string
}

async function prepare(caller: Caller): Promise<Account> {
  await caller.tell('register', { body: { email: 'kill@example.com', password: 'correct horse' } })
  await caller.tell('openAgency', { body: { name: 'North Star', email: 'kill@example.com' } })
  const { id: clientId } = await caller.tell('addClient', { body: { name: 'Blue Cup' } })
  const body = { platform: 'facebook', accountName: 'Blue Cup' }
  const { id: accountId } = await caller.tell('addSocialAccount', { params: { id: clientId }, body })
  await connect(caller, accountId)
  return { clientId, accountId }
}

interface Living {
  readonly caller: Caller
  readonly account: Account
  readonly remembered: Map<string, Remembered>
  readonly name: string
  readonly random: () => number
  readonly signal: AbortSignal
}

/** Writes posts and takes them through their states until the server is gone. Only answered requests are remembered. */
async function live({ caller, account, remembered, name, random, signal }: Living): Promise<void> {
  for (let number = 0; !signal.aborted; number++) {
    try {
      const content = `${name} post ${number}`
      const body = { socialAccountId: account.accountId, content }
      const { id } = await caller.tell('writePost', { params: { id: account.clientId }, body })
      const post: Remembered = { content, events: new Set(['PostWritten']) }
      remembered.set(id, post)
      const change = async (changed: object, event: string) => {
        await caller.tell('changePost', { params: { id }, body: changed })
        post.events.add(event)
      }
      if (random() < 0.2) {
        await change({ status: 'pending' }, 'PostSubmitted')
        await change({ status: 'approved' }, 'PostApproved')
      } else {
        await change({ status: 'scheduled', scheduledFor: later(new Date().toISOString(), 30 + random() * 600) }, 'PostScheduled')
      }
      if (random() < 0.1) {
        await caller.tell('deletePost', { params: { id } })
        post.events.add('PostDeleted')
      }
    } catch (error) {
      // The server is gone, and whether it took this request is not known: nothing is remembered of it.
      if (signal.aborted || isGone(error)) return
      // A time that was ahead when it was sent may have passed when it was read.
      if (error instanceof Error && error.message.includes('That time has passed')) continue
      throw error
    }
  }
}

const isGone = (error: unknown) => error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')

/** With the server gone: every hash chain holds, and each read model equals a fresh rebuild. */
async function inspect(dataDir: string): Promise<string[]> {
  const problems: string[] = []
  const events = await openEmbeddedEventStore(join(dataDir, 'events.db'))
  const store = await openEmbeddedReadStore(join(dataDir, 'views.db'))
  try {
    const streams = new Map<string, StoredEvent[]>()
    for await (const batch of events.readAll(null)) {
      for (const event of batch) {
        const stream = streams.get(event.stream)
        if (stream) stream.push(event)
        else streams.set(event.stream, [event])
      }
    }
    for (const [stream, recorded] of streams) {
      const flaw = flawIn(stream, recorded)
      if (flaw) problems.push(`${stream} is ${flaw.problem} at revision ${flaw.revision}`)
    }
    for (const projection of projections) {
      for (const { id, problem } of await differencesOf(projection, events, store)) {
        problems.push(`${projection.name}: the document ${id} is ${problem}, compared with a rebuild`)
      }
    }
  } finally {
    await store.close()
    await events.close()
  }
  return problems
}

/** A process that was killed in its first moments has no read models yet. */
const differencesOf: typeof verifyProjection = (projection, events, store) =>
  verifyProjection(projection, events, store).catch((error: unknown) => {
    if (error instanceof NothingToVerify) return []
    throw error
  })

/** Waits until nothing is claimed and nothing that is due waits. */
async function settled(caller: Caller, { clientId }: Account, problems: string[]): Promise<void> {
  const deadline = Date.now() + longestSettleMs
  for (;;) {
    const now = new Date().toISOString()
    const posts = await caller.tell('listPosts', { params: { id: clientId } })
    const open = posts.filter(
      ({ status, delivery, scheduledFor }) =>
        delivery === 'claimed' ||
        ((status === 'scheduled' || status === 'approved') && delivery === 'none' && (scheduledFor ?? now) <= now),
    )
    if (open.length === 0) return
    if (Date.now() > deadline) {
      problems.push(...open.map(({ id, status, delivery }) => `${id} is still ${status}, delivery ${delivery}`))
      return
    }
    await delay(200)
  }
}

/** Every acknowledged command left its event. */
async function look(caller: Caller, remembered: ReadonlyMap<string, Remembered>, problems: string[]): Promise<void> {
  for (const [id, { events, content }] of remembered) {
    const history = await caller.tell('getPostHistory', { params: { id } })
    const types = new Set(history.map(({ type }) => type))
    for (const type of events) if (!types.has(type)) problems.push(`${content}: the acknowledged ${type} is lost`)
    if (history[0]?.content !== content) problems.push(`${content}: its words are lost`)
  }
}

function feedOf(dataDir: string): readonly string[] {
  const sandbox = new SandboxStore(join(dataDir, 'sandbox.db'))
  try {
    return sandbox.feed.everything().map(({ content }) => content)
  } finally {
    sandbox.close()
  }
}

function twice(dataDir: string): string[] {
  const seen = new Set<string>()
  return feedOf(dataDir).flatMap((content) => {
    if (seen.has(content)) return [`${content} is on the feed twice`]
    seen.add(content)
    return []
  })
}

/** What is on the feed is known as published, as unknown, or was deleted; what is published is on the feed. */
function unaccounted(dataDir: string, posts: readonly Post[], remembered: ReadonlyMap<string, Remembered>): string[] {
  const feed = new Set(feedOf(dataDir))
  const byContent = new Map(posts.map((post) => [post.content, post]))
  const deleted = new Set([...remembered.values()].filter(({ events }) => events.has('PostDeleted')).map(({ content }) => content))
  const problems: string[] = []
  for (const content of feed) {
    const post = byContent.get(content)
    const known = post?.status === 'published' || post?.delivery === 'unknown'
    if (!known && (post !== undefined || !deleted.has(content))) problems.push(`${content} is on the feed, but shown as ${post?.status ?? 'gone'}`)
  }
  for (const { content, status } of posts) {
    if (status === 'published' && !feed.has(content)) problems.push(`${content} is shown as published, but is not on the feed`)
  }
  return problems
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

