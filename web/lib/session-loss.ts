/** Whether the session ended during use. The user signs in again in place and loses nothing. */
const listeners = new Set<() => void>()
let lost = false

export const sessionLoss = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  isLost: () => lost,
  set: (value: boolean) => {
    lost = value
    for (const listener of listeners) listener()
  },
}
