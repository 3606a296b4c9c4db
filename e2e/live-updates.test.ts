/** Changes by other sessions are announced beside Refresh, and never change the list by themselves. */
import { expect, test, type Browser, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { brand, owner, type TestServer } from '../api/testing/server.ts'
import { closePages, startProduct, visit, type Visit } from './browser.ts'
import { holdsUp } from './looks.ts'

let browser: Browser
let server: TestServer
let caller: ApiClient
let mine: { readonly clientId: string; readonly accountId: string }
const visits: Visit[] = []

test.beforeAll(async ({ browser: shared }) => {
  browser = shared
  server = await startProduct()
})
test.afterAll(async () => {
  await closePages(browser)
  await server.remove()
})
test.beforeEach(async () => {
  caller = await owner(server)
  mine = await brand(caller)
})
test.afterEach(async () => {
  const complaints = visits.flatMap((visited) => visited.complaints)
  await Promise.all(visits.splice(0).map((visited) => visited.close()))
  expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
})

/** A window of its own, in which the owner is signed in. */
async function open(): Promise<Page> {
  const visited = await visit(browser, server)
  visits.push(visited)
  const [name = '', value = ''] = caller.cookie.split(/=(.*)/s)
  await visited.page.context().addCookies([{ name, value, url: server.url }])
  return visited.page
}
const write = (content: string, status: 'draft' | 'pending' = 'draft') =>
  caller.callOrThrow('writePost', {
    params: { id: mine.clientId },
    body: { socialAccountId: mine.accountId, content, status },
  })
const refresh = (page: Page) => page.getByRole('button', { name: /^Refresh/ })
const changesLine = (page: Page) => page.getByTestId('news')
const showsChanges = (page: Page, line: string) =>
  expect.poll(() => changesLine(page).textContent(), { timeout: 15_000 }).toBe(line)
const subscribes = (page: Page) =>
  page.waitForResponse((response) => response.url().includes('/api/news') && response.ok())
const cards = (page: Page) => page.getByTestId('post-card')

async function openPosts(page: Page): Promise<void> {
  const subscribed = subscribes(page)
  await page.goto(`/content?client=${mine.clientId}`)
  await refresh(page).waitFor()
  await page.mouse.move(10, 10)
  await subscribed
}

test.describe('a change by another session', () => {
  test('is announced beside Refresh, and the list changes only after a press', async () => {
    const page = await open()
    await write('There before')
    await openPosts(page)
    await cards(page).waitFor()
    await write('From elsewhere')
    await showsChanges(page, '1 post changed')
    await write('Another')
    await showsChanges(page, '2 posts changed')
    expect(await cards(page).count()).toBe(1)
    await holdsUp(page, 'news')
    await page.getByRole('button', { name: 'Refresh 2 posts changed' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => cards(page).count()).toBe(3)
    await showsChanges(page, '')
    expect(await refresh(page).evaluate((button) => button === document.activeElement)).toBe(true)
  })

  test('is announced on each list that shows it, and on no other list', async () => {
    const page = await open()
    await openPosts(page)
    // A post that was written earlier would be part of the list.
    await page.getByText('No posts yet').waitFor()
    const other = await brand(caller)
    await write('Mine')
    await caller.callOrThrow('writePost', {
      params: { id: other.clientId },
      body: { socialAccountId: other.accountId, content: 'Of another client' },
    })
    await showsChanges(page, '1 post changed')
    await page.goto('/clients')
    await page.getByTestId('client-card').first().waitFor()
    await page.mouse.move(20, 20)
    await caller.callOrThrow('addClient', { body: { name: 'Third' } })
    await showsChanges(page, '1 client changed')
    await page.goto('/calendar')
    await page.mouse.move(10, 10)
    await page.locator('[data-testid=calendar-grid][aria-busy=false]').waitFor()
    await write('On the calendar, perhaps')
    await showsChanges(page, '1 post changed')
    await page.goto('/analytics')
    await page.mouse.move(20, 20)
    await page.getByText('No Analytics Data').waitFor()
    await caller.callOrThrow('seedAnalytics')
    await showsChanges(page, 'New metrics')
  })

  test('is not announced in the tab that made it', async () => {
    const page = await open()
    const other = await open()
    const approved = [await write('Approve me', 'pending'), await write('Approve me too', 'pending')]
    await openPosts(page)
    await openPosts(other)
    for (const { id } of approved) {
      await page.locator(`[data-post-id="${id}"]`).getByTestId('button-preview').click()
      await page.getByTestId('button-approve').click()
      await page.locator(`[data-post-id="${id}"][data-status=approved]`).waitFor()
    }
    await showsChanges(other, '2 posts changed')
    await write('From elsewhere')
    await showsChanges(other, '3 posts changed')
    await showsChanges(page, '1 post changed')
  })
})

test.describe('a change without a live connection', () => {
  test('is announced when it came before the first connection', async () => {
    const page = await open()
    await page.route('**/api/news**', (route) => route.abort())
    await page.goto(`/content?client=${mine.clientId}`)
    await page.getByText('No posts yet').waitFor()
    const refused = page.waitForRequest('**/api/news**')
    await page.mouse.move(10, 10)
    await refused
    await write('While it could not connect')
    await page.unroute('**/api/news**')
    await showsChanges(page, '1 post changed')
    expect(await page.getByRole('region', { name: /Notifications/ }).count()).toBe(0)
  })
})
