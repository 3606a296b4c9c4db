import { useEffect, useRef } from 'react'

/** A row that scrolls sideways fades out at the end that hides more of it: theme.css has the fade. */
export function useScrollFade(chosenId: string) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = row.current
    if (!element) return
    const look = () => {
      const left = Math.abs(element.scrollLeft)
      element.dataset['before'] = String(left > 1)
      element.dataset['after'] = String(left + element.clientWidth < element.scrollWidth - 1)
    }
    look()
    const watch = new ResizeObserver(look)
    for (const each of [element, ...element.children]) watch.observe(each)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  useEffect(() => {
    document.getElementById(chosenId)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [chosenId])
  return row
}
