/** After a dialog has moved a post the keyboard goes with it, into another month too. */
import { useEffect, useEffectEvent, useRef } from 'react'

export interface Moved {
  readonly id: string
  readonly day: string
  readonly sentence: string
}

/**
 * `loaded`: the page of the calendar that has the day is here. Answers the heading's place, where the keyboard waits
 * until then.
 */
export function useFollow(moved: Moved | null, loaded: boolean, onArrived: (moved: Moved) => void) {
  const heading = useRef<HTMLHeadingElement>(null)
  const arrive = useEffectEvent(onArrived)
  useEffect(() => {
    if (moved === null) return
    const at = document.activeElement
    // A user who has left the calendar meanwhile stays where they are.
    if (at !== document.body && at !== heading.current) return arrive(moved)
    const place = loaded ? placeOf(moved) : undefined
    const target = place ?? heading.current
    target?.focus()
    if (loaded) arrive(moved)
  }, [moved, loaded])
  return heading
}

/** The post itself, or what opens its day where it has no tile. */
function placeOf({ id, day }: Moved): HTMLElement | undefined {
  const cell = document.querySelector<HTMLElement>(`[data-testid=day-${day}]`)
  const tile = cell?.querySelector<HTMLElement>(`[data-post-id="${id}"]`)
  const buttons = [...(cell?.querySelectorAll('button') ?? [])].reverse()
  return [tile, ...buttons].find((each) => each?.checkVisibility()) ?? undefined
}
