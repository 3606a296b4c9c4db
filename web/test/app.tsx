/** Mounts the app at an address, on the real router and an empty query cache. */
import './browser-parts.ts'
import './owner-stacks.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { act, cleanup, configure, fireEvent, render, waitFor } from '@testing-library/react'
import { userEvent, type UserEvent } from '@testing-library/user-event'
import { expect } from 'vitest'
import { newRouter } from '../app/router.ts'
import { keepCalendarChoice } from '../lib/calendar-choice.ts'
import { chosenClient } from '../lib/chosen-client.ts'
import { connection } from '../lib/connection.ts'
import { queryClient } from '../lib/query-client.ts'
import { userQuery } from '../lib/access-queries.ts'
import { membershipLoss } from '../lib/membership-loss.ts'
import { sessionLoss } from '../lib/session-loss.ts'

configure({
  asyncUtilTimeout: 10_000,
  // The page's text says more than its markup.
  getElementError: (message) => new Error(`${message?.split('\n')[0] ?? ''}\n\n${document.body.textContent}`),
})

let leave = () => {}

/** Leaves the page as Back or a reload does: the browser's storage stays. */
export function leavePage(): void {
  closeToast()
  cleanup()
  leave()
  // The app has one query client for all its modules, so each page empties it.
  queryClient.clear()
}

/** Ends a test's page: the next one starts with an empty document, cache and storage. */
export function closeApp(): void {
  leavePage()
  connection.found()
  sessionLoss.set(false)
  membershipLoss.set(null)
  chosenClient.forget()
  localStorage.clear()
  sessionStorage.clear()
  keepCalendarChoice({ view: 'month', drafts: false })
}

/** Until every request of the page is answered: what an answer could show is there then. */
export const answered = () => waitFor(() => expect(queryClient.isFetching()).toBe(0))

export interface App {
  readonly user: UserEvent
  readonly path: () => string
}

/** Opens an address as a page load does. */
export function renderRoute(address: string): App {
  window.history.replaceState(null, '', address)
  const router = newRouter()
  leave = () => router.history.destroy()
  void queryClient.prefetchQuery(userQuery)
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return {
    user: userEvent.setup({ pointerEventsCheck: 0, delay: null }),
    path: () => window.location.pathname + window.location.search,
  }
}

const toasts = () => [...document.querySelectorAll('[data-variant]')]

/** The one toast there is: its kind, its title, and what it says beneath. */
export const toastIs = (...lines: readonly string[]) =>
  waitFor(() =>
    expect(
      toasts().map((toast) => [
        toast.getAttribute('data-variant'),
        ...[...toast.querySelectorAll('[slot=title], [slot=description] > span')].map((line) => line.textContent),
      ]),
    ).toEqual([lines]),
  )

/** The queue of toasts outlives the page. */
function closeToast(): void {
  for (const toast of toasts()) {
    const close = toast.querySelector('button')
    if (close) act(() => void fireEvent.click(close))
  }
}

/** Replaces what a field holds, in one step. */
export async function fill(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field)
  await user.paste(text)
}

/** The text beneath a field. */
export const toldUnder = (field: HTMLElement): string | null =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent ?? null

/** Waits for a dialog. Queries by role compute the style of each element, which takes long on a whole screen. */
export const findDialog = (title: string): Promise<HTMLElement> =>
  waitFor(() => {
    const dialogs = [...document.querySelectorAll<HTMLElement>('[role=dialog], [role=alertdialog]:not([data-variant])')]
    const found = dialogs.find((each) => each.querySelector('h2')?.textContent === title)
    if (!found) throw new Error(`No dialog "${title}" among ${dialogs.length}`)
    return found
  })

/** Waits for an entry of an open list, by its text or by what that begins with. Queries by role take long, as above. */
export const findOption = (text: string | RegExp): Promise<HTMLElement> =>
  waitFor(() => {
    const options = [...document.querySelectorAll<HTMLElement>('[role=option]')]
    const found = options.find(({ textContent }) =>
      typeof text === 'string' ? textContent.trim().startsWith(text) : text.test(textContent),
    )
    if (!found) throw new Error(`No "${text}" among ${options.map(({ textContent }) => textContent).join(', ')}`)
    return found
  })

export const dialogs = (): number =>
  document.querySelectorAll('[role=dialog], [role=alertdialog]:not([data-variant])').length

/** Waits until the element has gone from the page. */
export const gone = (find: () => HTMLElement | null) => waitFor(() => expect(find()).toBeNull())
