/**
 * A second press in the same instant comes before a button knows that it works: one place that takes no notice of it.
 */
import { useRef } from 'react'

/**
 * Does nothing while what was begun before, if that was a promise, is under way. Who begins it tells of its failure.
 */
export function useOneAtATime(): (begin: () => unknown) => void {
  const busy = useRef(false)
  return (begin) => {
    if (busy.current) return
    const done = begin()
    if (!(done instanceof Promise)) return
    const free = () => {
      busy.current = false
    }
    busy.current = true
    done.then(free, free)
  }
}
