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
    const chosen = document.getElementById(chosenId)
    if (row.current && chosen) bringIntoRow(row.current, chosen)
  }, [chosenId])
  return row
}

/** Scrolls the row only: `scrollIntoView` would scroll the page as well. */
function bringIntoRow(row: HTMLElement, chosen: HTMLElement) {
  const margin = Number.parseFloat(getComputedStyle(row).scrollPaddingInlineStart) || 0
  const [outer, inner] = [row.getBoundingClientRect(), chosen.getBoundingClientRect()]
  const before = inner.left - (outer.left + margin)
  const after = inner.right - (outer.right - margin)
  if (before < 0) row.scrollBy({ left: before })
  else if (after > 0) row.scrollBy({ left: after })
}
