/**
 * Up to where each list was read, by the token that it came with, which only the server can compare; what rang since,
 * as news came
 * in; and whether this tab is acting itself.
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
const reached = new Map<string, Read>()
/** At which ring each kind of thing of each client rang last. */
const rung = new Map<string, number>()
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
    reached.set(address, { position, rings: whenAsked })
    changed()
  },
  /** The log position at which a list was read; undefined before the first read. */
  of: (address: string) => reached.get(address),
  /** The position of the first list read: later changes may be new to one of the lists. */
  first: () => first,
  /** The server told of changes. */
  ring: ({ missed, changes }: ChangesMessage) => {
    rings += 1
    for (const { kind, clientId } of changes) rung.set(`${kind} ${clientId}`, rings)
    if (missed || rung.size > maxRung) {
      anything = rings
      rung.clear()
    }
    changed()
  },
  /** The last ring about such things; 0 for none. */
  lastRing: (kind: ChangeKind, clientId: string | undefined): number => {
    if (clientId !== undefined) return Math.max(anything, rung.get(`${kind} ${clientId}`) ?? 0)
    return Math.max(anything, ...[...rung].flatMap(([key, at]) => (key.startsWith(`${kind} `) ? [at] : [])))
  },
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
