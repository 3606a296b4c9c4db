/**
 * Up to where each list was read, by the token that it came with, which only the server can compare; what changed
 * since, as the stream told; and whether this tab is acting itself.
 */
import type { ChangeKind, ChangesMessage } from '../../api/contract/index.ts'

interface Read {
  /** The list's `X-Position`. */
  readonly position: string
  /** The number of notifications when the list was requested. */
  readonly rings: number
}

/** More kinds and clients than this ring as if anything had changed. */
const maxRung = 500
/** The positions of the lists that were read longest ago are forgotten. */
const maxReached = 200
const reached = new Map<string, Read>()
/** At which ring each kind of thing of each client rang last. */
const rung = new Map<string, number>()
/** At which ring each post rang last. */
const rungPosts = new Map<string, number>()
const listeners = new Set<() => void>()
let first: string | null = null
let acting = 0
let rings = 0
/** The last ring after which anything may have changed. */
let anything = 0

const changed = () => {
  for (const listener of listeners) listener()
}

export const listPositions = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** The number of notifications so far. */
  rings: () => rings,
  /**
   * A list came with its position. @param whenAsked how often news had rung then: what rang later may be missing in
   * it
   */
  at: (address: string, position: string, whenAsked: number) => {
    first ??= position
    reached.delete(address)
    reached.set(address, { position, rings: whenAsked })
    const [oldest] = reached.keys()
    if (reached.size > maxReached && oldest !== undefined) reached.delete(oldest)
    changed()
  },
  /** The log position at which a list was read; undefined before the first read. */
  of: (address: string) => reached.get(address),
  /** The position of the first list read: later changes may be new to one of the lists. */
  first: () => first,
  /** The server told of changes. */
  ring: ({ missed, changes }: ChangesMessage) => {
    rings += 1
    for (const { kind, id, clientId } of changes) {
      rung.set(`${kind} ${clientId}`, rings)
      if (kind === 'posts') rungPosts.set(id, rings)
    }
    if (missed || rung.size > maxRung || rungPosts.size > maxRung) {
      anything = rings
      rung.clear()
      rungPosts.clear()
    }
    changed()
  },
  /** The last ring about such things; 0 for none. */
  lastRing: (kind: ChangeKind, clientId: string | undefined): number => {
    if (clientId !== undefined) return Math.max(anything, rung.get(`${kind} ${clientId}`) ?? 0)
    return Math.max(anything, ...[...rung].flatMap(([key, at]) => (key.startsWith(`${kind} `) ? [at] : [])))
  },
  /** The last ring that may be about this post; 0 for none. */
  lastRingOfPost: (id: string): number => Math.max(anything, rungPosts.get(id) ?? 0),
  /** The lists that are refetched after a user's own command contain its result. */
  isActing: () => acting > 0,
  during: async <T>(act: Promise<T>): Promise<T> => {
    acting += 1
    changed()
    try {
      return await act
    } finally {
      acting -= 1
      changed()
    }
  },
}
