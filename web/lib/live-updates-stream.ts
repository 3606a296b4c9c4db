/**
 * Listens to the server while somebody looks at the page. It says nothing when it can't: Refresh is there all the
 * same.
 */
import type { ChangesMessage } from '../../api/contract/index.ts'
import { call } from './call.ts'
import { connection } from './connection.ts'
import { listPositions } from './list-positions.ts'

const firstPauseMs = 5_000
const longestPauseMs = 300_000
/** The browser tries again by itself; after so many times in vain it is given a longer rest. */
const maxInVain = 3

/**
 * The browser keeps a refusal of the stream to itself. The same refusal of a request shows that the membership ended,
 * or that a second factor is missing.
 */
const askWhy = () => call('GET /api/news/count', { query: { since: '0' } }).catch(() => undefined)

/** Answers how to stop. */
export function listenToLiveUpdates(): () => void {
  let source: EventSource | null = null
  let since: string | null = null
  let inVain = 0
  let pauseMs = firstPauseMs
  let timer: ReturnType<typeof setTimeout> | undefined

  const close = () => {
    clearTimeout(timer)
    source?.close()
    source = null
  }
  const open = () => {
    close()
    const from = since ?? listPositions.first()
    const opened = new EventSource(from === null ? '/api/news' : `/api/news?since=${from}`)
    source = opened
    opened.addEventListener('open', () => {
      connection.found()
      inVain = 0
      pauseMs = firstPauseMs
    })
    opened.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) => {
      since = lastEventId
      listPositions.ring(JSON.parse(data) as ChangesMessage)
    })
    opened.addEventListener('error', () => {
      inVain += 1
      void connection.look()
      const isRefused = opened.readyState === EventSource.CLOSED
      if (isRefused) void askWhy()
      if (!isRefused && inVain < maxInVain) return
      close()
      timer = setTimeout(open, pauseMs)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    })
  }
  // A browser has few connections to one server, and a hidden tab needs none.
  const look = () => (document.visibilityState === 'visible' ? open() : close())
  document.addEventListener('visibilitychange', look)
  window.addEventListener('pagehide', close)
  window.addEventListener('pageshow', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('pagehide', close)
    window.removeEventListener('pageshow', look)
    close()
  }
}
