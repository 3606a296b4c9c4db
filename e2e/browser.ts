/** A real Chromium on a server of its own, on an empty folder, with a clock that tests move. */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import type { MovableClock } from '../api/core/clock.ts'
import { testServer, type TestServer } from '../api/testing/server.ts'

const webRoot = fileURLToPath(new URL('../dist/web', import.meta.url))
const shots = fileURLToPath(new URL('./shots/', import.meta.url))

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

interface Reached {
  readonly url: string
}

export interface Visit<Server extends Reached = TestServer> {
  readonly server: Server
  readonly page: Page
  /** What went wrong in the page: errors in the console, refused by the content security policy, unhandled. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

export interface VisitOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: MovableClock
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly timeZone?: string
  readonly locale?: string
  /** Shows animations, smooth scrolling too. Without them an interaction takes a third less processor time. */
  readonly animated?: boolean
  /**
   * Loads the other screens ahead, as for a user who does not save data. Without them, opening a page takes a fifth
   * less processor time.
   */
  readonly preloads?: boolean
}

export async function startProduct({ env = {}, clock }: VisitOptions = {}): Promise<TestServer> {
  // A page mostly waits for itself. A server that looks for work every 50 ms takes a twentieth of a processor from it.
  return testServer({ PUBLISH_POLL_MS: '100', ...env }, { webRoot, ...(clock ? { clock } : {}) })
}

/** Closes what a file's tests opened in the browser of its worker. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}

/** Opens a page in a fresh profile. */
export async function visit<Server extends Reached>(
  browser: Browser,
  server: Server,
  options: VisitOptions = {},
): Promise<Visit<Server>> {
  const { viewport = desktop, timeZone = 'Europe/Berlin', locale = 'en-US' } = options
  const { animated = false, preloads = false } = options
  const context = await browser.newContext({
    viewport,
    timezoneId: timeZone,
    locale,
    baseURL: server.url,
    reducedMotion: animated ? 'no-preference' : 'reduce',
  })
  if (!preloads)
    await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    // A 401 of the user call means "not signed in"; a 404 of the agency call "no agency yet": both are answers.
    if (message.type() === 'error' && !/status of 40[14]/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { server, page, complaints, close: () => context.close() }
}

/** Signs the browser in with the session of an API client. */
export async function actAs({ page }: Pick<Visit, 'page'>, { cookie }: ApiClient, url: string): Promise<void> {
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url }])
}

/** Saves a screenshot where `SHOTS` is set. */
export async function shot(page: Page, name: string): Promise<void> {
  if (process.env['SHOTS'] === undefined) return
  await mkdir(shots, { recursive: true })
  await page.screenshot({ path: `${shots}${name}.png`, fullPage: true })
}

/** Waits until a post of the calendar can be dragged: the part for that is loaded after the first paint. */
export const canBeDragged = (post: Locator) => post.and(post.page().locator('[data-can-be-dragged]')).waitFor()

export async function dragTo(post: Locator, day: Locator): Promise<void> {
  await canBeDragged(post)
  await post.dragTo(day)
}

/** Gives the page an authenticator that verifies its user. */
export async function addVirtualKey(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
