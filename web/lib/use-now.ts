import { useEffect, useState } from 'react'

const lookEveryMs = 600_000

/** A tab that stays open for days comes to the trial's end, or to another deadline, too. */
export function useNow(): string {
  const [now, setNow] = useState(() => new Date().toISOString())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date().toISOString()), lookEveryMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
