/** Whether the server can be reached, as the last request, the live updates and the browser tell it. */
const listeners = new Set<() => void>()
const firstPauseMs = 2_000
const longestPauseMs = 30_000

let isAway = false
let pauseMs = firstPauseMs
let timer: ReturnType<typeof setTimeout> | undefined

function set(next: boolean): void {
  clearTimeout(timer)
  if (next) {
    timer = setTimeout(() => void connection.look(), pauseMs)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  } else pauseMs = firstPauseMs
  if (next === isAway) return
  isAway = next
  for (const listener of listeners) listener()
}

/** A proxy answers with these while the server behind it restarts. */
const isOfProxy = (status: number) => status === 502 || status === 504

export const connection = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  isAway: () => isAway,
  /** A request got an answer. */
  found: () => isAway && set(false),
  /** A request got none. While the server is away it is asked again, after 2 s at first and 30 s at most. */
  lost: () => isAway || set(true),
  /** Asks the server. */
  look: () =>
    fetch('/healthz', { cache: 'no-store' }).then(
      ({ status }) => set(isOfProxy(status)),
      () => set(true),
    ),
}

/** Follows what the browser says about the network. @returns stops following */
export function followNetwork(): () => void {
  const onOffline = () => connection.lost()
  const onOnline = () => void connection.look()
  window.addEventListener('offline', onOffline)
  window.addEventListener('online', onOnline)
  return () => {
    window.removeEventListener('offline', onOffline)
    window.removeEventListener('online', onOnline)
  }
}
