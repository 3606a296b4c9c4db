/** Shared by the tests of a screen: one real server behind a proxy with faults, one browser, and signed-in users. */
import { expect, type Browser, type Page } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import type { TestServer } from '../../api/testing/server.ts'
import { actAs, startProduct, visit, type Visit, type VisitOptions } from '../browser.ts'
import { startFaults, type Faults } from '../faults.ts'

export interface Stage {
  readonly server: TestServer
  readonly faults: Faults
  /** A browser context of its own, signed in as `caller` if there is one. */
  enter(caller?: ApiClient, options?: VisitOptions): Promise<Page>
  /** Closes everything, and fails for console errors that no fault explains. */
  close(): Promise<void>
}

/** @param browser the worker's */
export async function openStage(browser: Browser, options: VisitOptions = {}): Promise<Stage> {
  const server = await startProduct(options)
  const faults = await startFaults(server.localUrl)
  const visits: Visit<{ readonly url: string }>[] = []
  return {
    server,
    faults,
    async enter(caller, own = {}) {
      const visited = await visit(browser, { ...server, url: faults.url }, { ...options, ...own })
      if (caller) await actAs(visited, caller, faults.url)
      visits.push(visited)
      return visited.page
    },
    async close() {
      await Promise.all(visits.map((visited) => visited.close()))
      await faults.close()
      await server.remove()
      expect(
        visits.flatMap(({ complaints }) => complaints).filter((text) => !text.startsWith('Failed to load resource')),
      ).toEqual([])
    },
  }
}

// What takes longer is asked for less often: each look takes processor time from what it waits for.
const patience = { timeout: 20_000, intervals: [25, 25, 50, 100] }

/** Polls until the value is the expected one. */
export const becomes = <T>(read: () => T | Promise<T>, is: T) =>
  expect(async () => expect<unknown>(await read()).toEqual(is)).toPass(patience)

export const toast = (page: Page) => page.locator('[data-variant]')

/** Waits for the only toast, with its variant, its title and its text. */
export const toastIs = (page: Page, variant: 'default' | 'destructive', ...lines: readonly string[]) =>
  becomes(
    () =>
      toast(page).evaluateAll((toasts) =>
        toasts.map((each) => [
          each.getAttribute('data-variant'),
          ...(each instanceof HTMLElement ? each.innerText.split('\n').filter(Boolean) : []),
        ]),
      ),
    [[variant, ...lines]],
  )

export const pathOf = (page: Page) => new URL(page.url()).pathname

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Makes one more request: those that the page began earlier come before it. */
export const requestsArrive = (page: Page) => page.evaluate(() => fetch('/healthz').then((reply) => reply.text()))

/** Collects the bodies sent to a route from now on. */
export function listen(page: Page, route: string): unknown[] {
  const [method, path] = route.split(' ')
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === method && new URL(request.url()).pathname === path) bodies.push(request.postDataJSON())
  })
  return bodies
}

/** Selects a time zone on Settings without saving it. */
export async function chooseZone(page: Page, zone: string): Promise<void> {
  await page.getByTestId('select-time-zone').click()
  await page.getByPlaceholder('City, country or offset').fill(zone)
  await page.getByRole('option', { name: zone }).click()
}
