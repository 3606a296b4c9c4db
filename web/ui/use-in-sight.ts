import { useEffect, useRef } from 'react'

/**
 * Brings what somebody asked for to where they see it, each time that it becomes something else; never while they
 * read on.
 */
export function useInSight(what: string) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (what !== '') place.current?.scrollIntoView({ block: 'nearest' })
  }, [what])
  return place
}
