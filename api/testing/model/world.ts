/**
 * What two agencies have and may do, in the product's words and nothing of its code. Things are named by keys; the
 * real ids don't appear here.
 */
export type Side = 'a' | 'b'
export const sides: readonly Side[] = ['a', 'b']
export type Status = 'draft' | 'pending' | 'approved' | 'scheduled' | 'rejected'

export interface Agency {
  readonly trialEndsAt: number
  readonly paid: 'never' | 'active' | 'canceled'
}

export interface Client {
  readonly side: Side
  readonly name: string
  readonly removed: boolean
  /** The key that its creation was sent with. */
  readonly sentAs: string | null
  /** The number of steps of its approval policy, each of which the owner approves. */
  readonly steps: number
}

export interface Account {
  readonly client: string
  readonly platform: 'facebook' | 'twitter'
  readonly name: string
}

export interface Post {
  readonly client: string
  readonly account: string
  readonly content: string
  readonly status: Status
  readonly held: boolean
  readonly at: number | null
  readonly reason: string | null
  /** Of a post that was submitted under a policy: its steps, how many are settled, and which have other people. */
  readonly round: {
    readonly steps: number
    readonly settled: number
    readonly reassigned: readonly number[]
  } | null
  readonly deleted: boolean
  /** How many things have happened to it, less one. */
  readonly revision: number
}

export interface Link {
  readonly side: Side
  readonly client: string | null
  readonly expiresAt: number
  readonly revoked: boolean
}

type Of<T> = Readonly<Record<string, T>>

export interface World {
  readonly agencies: Readonly<Record<Side, Agency>>
  readonly clients: Of<Client>
  readonly accounts: Of<Account>
  readonly posts: Of<Post>
  readonly links: Of<Link>
}

export const day = 86_400_000
export const hour = 3_600_000
export const longestTweet = 280

export const newWorld = (trialsEndAt: Readonly<Record<Side, number>>): World => ({
  agencies: { a: { trialEndsAt: trialsEndAt.a, paid: 'never' }, b: { trialEndsAt: trialsEndAt.b, paid: 'never' } },
  clients: {},
  accounts: {},
  posts: {},
  links: {},
})

export const standing = ({ trialEndsAt, paid }: Agency, now: number): 'good' | 'trial-ended' | 'canceled' =>
  paid === 'active' ? 'good' : paid === 'canceled' ? 'canceled' : now < trialEndsAt ? 'good' : 'trial-ended'

/** A client of this side that is there; null for another's, one that was removed, and none. */
export function clientOf({ clients }: World, side: Side, key: string): Client | null {
  const client = clients[key]
  return client && client.side === side && !client.removed ? client : null
}

export function postOf(world: World, side: Side, key: string): Post | null {
  const post = world.posts[key]
  return post && clientOf(world, side, post.client) ? post : null
}

/** All that a side sees: what its screens list. */
export function seenBy(world: World, side: Side, now: number) {
  const clients = Object.entries(world.clients).filter(([key]) => clientOf(world, side, key))
  return {
    standing: standing(world.agencies[side], now),
    clients: Object.fromEntries(clients.map(([key, { name }]) => [key, name])),
    accounts: Object.fromEntries(
      Object.entries(world.accounts)
        .filter(([, { client }]) => clientOf(world, side, client))
        .map(([key, { name, platform }]) => [key, `${platform} ${name}`]),
    ),
    posts: Object.fromEntries(
      Object.entries(world.posts)
        .filter(([key, { deleted }]) => !deleted && postOf(world, side, key))
        .map(([key, { deleted: _, ...post }]) => [key, post]),
    ),
    links: Object.fromEntries(
      Object.entries(world.links)
        .filter(([, link]) => link.side === side)
        .map(([key, { revoked, expiresAt }]) => [key, revoked ? 'revoked' : expiresAt <= now ? 'expired' : 'open']),
    ),
  }
}
export type Seen = ReturnType<typeof seenBy>
