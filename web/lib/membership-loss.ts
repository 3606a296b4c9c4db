/** Whether the person was removed from the agency that this page shows. The server's sentence names the agency. */
const listeners = new Set<() => void>()
let sentence: string | null = null

export const membershipLoss = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  get: () => sentence,
  set: (text: string | null) => {
    sentence = text
    for (const listener of listeners) listener()
  },
}
