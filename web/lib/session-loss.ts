/** Whether the session ended under somebody's hands: they sign in again where they are, and lose nothing. */
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
