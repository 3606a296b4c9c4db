/** Users at work while processes die. The acknowledged writes are remembered and checked afterwards. */
import { ApiClient, connect } from '../../api/http/client.ts'
import { later } from '../../api/core/clock.ts'

/** A post's acknowledged writes. */
export interface Remembered {
  readonly events: Set<string>
  readonly content: string
}

const longestSettleMs = 90_000

/** Same seed, same kill times (the machine decides the rest). */
export function randoms(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Account {
  readonly clientId: string
  readonly accountId: string
}

export async function prepare(caller: ApiClient): Promise<Account> {
  await caller.callOrThrow('register', { body: { email: 'kill@example.com', password: 'correct horse' } })
  await caller.callOrThrow('openAgency', { body: { name: 'North Star', email: 'kill@example.com' } })
  const { id: clientId } = await caller.callOrThrow('addClient', { body: { name: 'Blue Cup' } })
  const body = { platform: 'facebook', accountName: 'Blue Cup' }
  const { id: accountId } = await caller.callOrThrow('addSocialAccount', { params: { id: clientId }, body })
  await connect(caller, accountId)
  return { clientId, accountId }
}

export interface Living {
  readonly caller: ApiClient
  readonly account: Account
  readonly remembered: Map<string, Remembered>
  readonly name: string
  readonly random: () => number
  readonly signal: AbortSignal
}

/** Writes posts and takes them through their states until the server is gone. Only answered requests are remembered. */
export async function live({ caller, account, remembered, name, random, signal }: Living): Promise<void> {
  for (let number = 0; !signal.aborted; number++) {
    try {
      const content = `${name} post ${number}`
      const body = { socialAccountId: account.accountId, content }
      const { id } = await caller.callOrThrow('writePost', { params: { id: account.clientId }, body })
      const post: Remembered = { content, events: new Set(['PostWritten']) }
      remembered.set(id, post)
      const change = async (changed: object, event: string) => {
        await caller.callOrThrow('changePost', { params: { id }, body: changed })
        post.events.add(event)
      }
      if (random() < 0.2) {
        await change({ status: 'pending' }, 'PostSubmitted')
        await change({ status: 'approved' }, 'PostApproved')
      } else {
        await change(
          { status: 'scheduled', scheduledFor: later(new Date().toISOString(), 30 + random() * 600) },
          'PostScheduled',
        )
      }
      if (random() < 0.1) {
        await caller.callOrThrow('deletePost', { params: { id } })
        post.events.add('PostDeleted')
      }
    } catch (error) {
      // The server died, so the outcome of this request is unknown: it is not remembered.
      if (signal.aborted) return
      if (isGone(error)) {
        await delay(20)
        continue
      }
      // A future time may have passed when the server reads it.
      if (error instanceof Error && error.message.includes('That time has passed')) continue
      throw error
    }
  }
}

/** A proxy answers for a dead server; a server without its stores answers itself. */
const isGone = (error: unknown) =>
  error instanceof TypeError ||
  (error instanceof Error && (error.name === 'TimeoutError' || /: 50[23]: /.test(error.message)))

/** Waits until no post is claimed, and no due post is waiting. */
export async function settled(
  caller: ApiClient,
  { clientId }: Account,
  problems: string[],
  withinMs = longestSettleMs,
): Promise<void> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const now = new Date().toISOString()
    const posts = await caller.tellAll('listPosts', { params: { id: clientId } })
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

/** Every acknowledged command has appended its event. */
export async function look(
  caller: ApiClient,
  remembered: ReadonlyMap<string, Remembered>,
  problems: string[],
): Promise<void> {
  for (const [id, { events, content }] of remembered) {
    const history = await caller.callOrThrow('getPostHistory', { params: { id } })
    const types = new Set(history.map(({ type }) => type))
    for (const type of events) if (!types.has(type)) problems.push(`${content}: the acknowledged ${type} is lost`)
    if (history[0]?.content !== content) problems.push(`${content}: its words are lost`)
  }
}

export const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
