import { useEffect } from 'react'
import { connection } from '../lib/connection.ts'
import { onFirstSign } from '../lib/first-sign.ts'
import { quiet } from '../ui/quiet.ts'

/** Opens one stream of live updates for the whole app, after the screen has loaded its own data. */
export function useLiveUpdatesStream(): void {
  useEffect(() => {
    let stop = () => {}
    let state: 'waiting' | 'begun' | 'gone' = 'waiting'
    const begin = async () => {
      if (state !== 'waiting') return
      state = 'begun'
      try {
        const { listenToLiveUpdates } = await import('../lib/live-updates-stream.ts')
        if (!isGone()) stop = listenToLiveUpdates()
      } catch {
        // Without it every list can still be refreshed. It begins once the server is back.
        if (!isGone()) state = 'waiting'
        await connection.look()
      }
    }
    const isGone = () => state === 'gone'
    const quietly = () => void begin()
    const unsubscribe = connection.subscribe(() => connection.isAway() || quietly())
    const timer = setTimeout(quietly, quiet)
    const stopWaiting = onFirstSign(quietly)
    return () => {
      state = 'gone'
      clearTimeout(timer)
      stopWaiting()
      unsubscribe()
      stop()
    }
  }, [])
}
