/**
 * The chosen view of the calendar, and whether it shows drafts. In a cookie: the server names the calendar's data in
 * the page's headers, so that the browser asks for it before any script runs.
 */
import { useSyncExternalStore } from 'react'

export const calendarViews = ['month', 'week', 'list'] as const
export type CalendarView = (typeof calendarViews)[number]

export interface CalendarChoice {
  readonly view: CalendarView
  readonly drafts: boolean
}

const name = 'calendar'
const maxAgeSeconds = 400 * 86_400
const listeners = new Set<() => void>()

const readCookie = () =>
  document.cookie
    .split('; ')
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? ''

function choiceOf(text: string): CalendarChoice {
  const [view, drafts] = text.split('.')
  return { view: calendarViews.find((each) => each === view) ?? 'month', drafts: drafts === 'drafts' }
}

export function keepCalendarChoice({ view, drafts }: CalendarChoice): void {
  document.cookie = `${name}=${view}${drafts ? '.drafts' : ''}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax`
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const calendarChoice = (): CalendarChoice => choiceOf(readCookie())

export const useCalendarChoice = (): CalendarChoice => choiceOf(useSyncExternalStore(subscribe, readCookie))
