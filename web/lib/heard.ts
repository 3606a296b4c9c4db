/** How far into the log each list was read, so that what it has already is no news; and whether this tab is acting itself. */
const reached = new Map<string, string>()
const listeners = new Set<() => void>()
let first: string | null = null
let acting = 0

const changed = () => {
  for (const listener of listeners) listener()
}

export const heard = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** A list came with its position. */
  at: (address: string, position: string) => {
    first ??= position
    reached.set(address, position)
    changed()
  },
  /** Where a list was read; undefined before it was. */
  of: (address: string) => reached.get(address),
  /** Where the first list of all was read: whatever came later may be news to one of them. */
  first: () => first,
  /** What comes of one's own act is in the lists that are refetched after it. */
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
