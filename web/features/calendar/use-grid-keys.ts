/**
 * The calendar's grid by keyboard: one tab stop, arrows from post to post and from day to day, as the ARIA pattern for
 * grids has it (https://www.w3.org/WAI/ARIA/apg/patterns/grid/).
 */
import { useEffect, useEffectEvent, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'
import { shiftDay } from '../../lib/month.ts'

interface Settings {
  readonly grid: RefObject<HTMLElement | null>
  /** The days of the grid, in order; whole weeks. */
  readonly days: readonly string[]
  readonly today: string
  /** Shows the page before or after; answers the day of it that the keyboard goes to. */
  readonly onPage: (by: 1 | -1, day: string) => string | null
  /** Enter on a day without posts. */
  readonly onNew: (day: string) => void
  /** Shift and Enter, or Shift and F10: all posts of the day, and a new one. */
  readonly onMenu: (day: string) => void
}

/** Where Tab leads: a day, and its post or its first item. */
export interface GridStop {
  readonly day: string
  readonly id: string | null
}

const daysAWeek = 7

export function useGridKeys({ grid, days, today, onPage, onNew, onMenu }: Settings) {
  const [stop, setStop] = useState<GridStop | null>(null)
  /** A day of a page that is about to show. */
  const wanted = useRef<string | null>(null)
  const first = days.includes(today) ? today : days.find((day) => day.endsWith('-01'))
  const known = stop !== null && days.includes(stop.day) ? stop : { day: first ?? days[0] ?? '', id: null }
  const focusDay = (day: string, last = false) => {
    const cell = cellOf(grid.current, day)
    const items = itemsOf(cell)
    const target = (last ? items.at(-1) : items[0]) ?? cell
    target?.focus()
    return target !== null
  }
  const arrive = useEffectEvent((shown: readonly string[]) => {
    if (wanted.current !== null && shown.includes(wanted.current) && focusDay(wanted.current)) wanted.current = null
  })
  useEffect(() => arrive(days), [days])

  const enter = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if ((event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') || event.defaultPrevented) return
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    // Where nothing has the focus, these keys do nothing else.
    if (document.activeElement !== document.body && document.activeElement?.id !== 'main') return
    if (focusDay(known.day)) event.preventDefault()
  })
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => enter(event)
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target } = event
    if (!(target instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return
    const cell = target.closest<HTMLElement>('td[data-day]')
    const day = cell?.dataset['day']
    if (!cell || day === undefined) return
    const items = itemsOf(cell)
    const at = items.indexOf(target)
    const go = (by: number, last = false) => {
      const next = shiftDay(day, by)
      return days.includes(next) && focusDay(next, last)
    }
    const page = (by: 1 | -1) => void (wanted.current = onPage(by, day))
    const inWeek = days.indexOf(day) % daysAWeek
    const act: Readonly<Record<string, () => unknown>> = {
      ArrowLeft: () => go(-1),
      ArrowRight: () => go(1),
      ArrowDown: () => (items[at + 1] ? items[at + 1]?.focus() : go(daysAWeek)),
      ArrowUp: () => (at > 0 ? items[at - 1]?.focus() : go(-daysAWeek, true)),
      Home: () => go(-inWeek),
      End: () => go(daysAWeek - 1 - inWeek),
      PageUp: () => page(-1),
      PageDown: () => page(1),
    }
    if (event.shiftKey) {
      if (key !== 'Enter' && key !== 'F10') return
      onMenu(day)
    } else if (target === cell && (key === 'Enter' || key === ' ')) onNew(day)
    else if (Object.hasOwn(act, key)) act[key]?.()
    else return
    event.preventDefault()
  }
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const day = target.closest<HTMLElement>('td[data-day]')?.dataset['day']
    if (day !== undefined) setStop({ day, id: target.dataset['postId'] ?? null })
  }
  return { stop: known, onKeyDown, onFocus }
}

const cellOf = (grid: HTMLElement | null, day: string) =>
  grid?.querySelector<HTMLElement>(`td[data-day="${day}"]`) ?? null

/** The posts of a day, and what opens the others. What the width has no room for is hidden. */
const itemsOf = (cell: HTMLElement | null): readonly HTMLElement[] =>
  [...(cell?.querySelectorAll<HTMLElement>('[data-item]') ?? [])].filter((item) => item.checkVisibility())
