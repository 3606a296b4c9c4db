/** Rings when the server refused a request for want of the second factor that the agency requires. */
const listeners = new Set<() => void>()

export const missingFactor = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  ring: () => {
    for (const listener of listeners) listener()
  },
}
