import { useEffect } from 'react'
import { onFirstSign } from '../lib/first-sign.ts'
import { quiet } from '../ui/lazy-dialog.tsx'

/** Opens one stream of live updates for the whole app, after the screen has loaded its own data. */
export function useLiveUpdatesStream(): void {
  useEffect(() => {
    let stop = () => {}
    let state: 'waiting' | 'begun' | 'gone' = 'waiting'
    const begin = async () => {
      if (state !== 'waiting') return
      state = 'begun'
      const { listenToLiveUpdates } = await import('../lib/live-updates-stream.ts')
      if (!isGone()) stop = listenToLiveUpdates()
    }
    const isGone = () => state === 'gone'
    // Without it every list can still be refreshed.
    const quietly = () => void begin().catch(() => undefined)
    const timer = setTimeout(quietly, quiet)
    const stopWaiting = onFirstSign(quietly)
    return () => {
      state = 'gone'
      clearTimeout(timer)
      stopWaiting()
      stop()
    }
  }, [])
}
