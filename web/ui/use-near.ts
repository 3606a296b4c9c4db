import { useEffect, useState, type RefObject } from 'react'

/**
 * Loads rows within two screen heights, so that they are there before a wheel, a key or a jump of one screen arrives.
 */
const margin = '200%'

const ask = new WeakMap<Element, (isNear: boolean) => void>()
const watch = new IntersectionObserver(
  (entries) => entries.forEach(({ target, isIntersecting }) => ask.get(target)?.(isIntersecting)),
  {
    rootMargin: `${margin} 0px`,
  },
)

/** Neighbours are loaded too: the keyboard is quicker than smooth scrolling. */
const bringNeighbours = (event: Event) => {
  const element = event.currentTarget
  if (!(element instanceof Element)) return
  for (const neighbour of [element.previousElementSibling, element.nextElementSibling]) {
    if (neighbour) ask.get(neighbour)?.(true)
  }
}

/** Whether an element is on the screen or close to it. One observer for all, because there may be a thousand. */
export function useNear(ref: RefObject<Element | null>, atFirst: boolean): boolean {
  const [isNear, setNear] = useState(atFirst)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    element.addEventListener('focusin', bringNeighbours)
    ask.set(element, (near) => setNear(near || element.contains(document.activeElement)))
    watch.observe(element)
    return () => {
      watch.unobserve(element)
      element.removeEventListener('focusin', bringNeighbours)
    }
  }, [ref])
  return isNear
}
