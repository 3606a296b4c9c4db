/** The main job, from signing up to reading a post's history back, as an agency would do it. */
import { expect, test, type Browser } from '@playwright/test'
import type { TestServer } from '../api/testing/server.ts'
import { closePages, shot, startProduct, visit, type Visit } from './browser.ts'

let browser: Browser
let server: TestServer
let visited: Visit

test.beforeAll(async ({ browser: shared }) => {
  browser = shared
  server = await startProduct({ env: { COLLECT_AFTER_SECONDS: '1' } })
  visited = await visit(browser, server, { preloads: true })
})
test.afterAll(async () => {
  await closePages(browser)
  await server.remove()
})

async function openLibrary({ page }: Visit): Promise<void> {
  await page.getByTestId('nav-content').click()
  await page.getByTestId('select-client').click()
  await page.getByRole('option', { name: 'Blue Cup' }).click()
}

test.describe('an agency works from sign-up to analytics', () => {
  test.describe.configure({ mode: 'serial' })
  test('signs up', async () => {
    const { page } = visited
    await page.goto('/')
    await page.getByLabel('First Name').fill('Ada')
    await page.getByLabel('Email').fill('ada@northstar.example')
    await page.getByLabel('Password').fill('correct horse')
    await shot(page, '01-landing')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Account created!').waitFor()
    await page.waitForURL('**/onboarding')
  })

  test('sets up the agency, which starts its trial', async () => {
    const { page } = visited
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@northstar.example')
    await page.getByLabel('Agency Name').fill('North Star')
    await shot(page, '02-onboarding')
    await page.getByRole('button', { name: 'Create Agency' }).click()
    await page.getByText('Agency created!').waitFor()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.getByText('Free Trial', { exact: true }).waitFor()
    await shot(page, '03-dashboard')
  })

  test('adds a client', async () => {
    const { page } = visited
    await page.getByTestId('nav-clients').click()
    await page.getByTestId('button-new-client').click()
    await page.getByLabel('Name').fill('Blue Cup')
    await page.getByLabel('Industry').fill('Coffee')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Create Client|Add Client/ })
      .click()
    await page.getByText('Client created!').waitFor()
    await shot(page, '04-clients')
    await page.getByRole('link', { name: 'Manage' }).click()
  })

  test('connects a social account on the sandbox network', async () => {
    const { page } = visited
    await page.getByRole('tab', { name: 'Social Accounts' }).click()
    await page.getByTestId('button-add-account').first().click()
    await page.getByRole('button', { name: /Platform/ }).click()
    await page.getByRole('option', { name: 'Facebook' }).click()
    await page.getByLabel('Account Name').fill('Blue Cup Coffee')
    await page.getByRole('dialog').getByRole('button', { name: 'Add Account' }).click()
    await page.getByText('Account added').waitFor()
    await page.getByRole('link', { name: 'Connect', exact: true }).click()
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    await shot(page, '05-consent')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Blue Cup Coffee is ready to publish.').waitFor()
    await page.getByTestId('account-card').getByText('Connected', { exact: true }).waitFor()
    await page.getByTestId('account-card').getByText('Sandbox', { exact: true }).waitFor()
    await shot(page, '06-account')
  })

  test('writes a post with the AI writer, and submits it', async () => {
    const { page } = visited
    await page.getByRole('tab', { name: 'Posts' }).click()
    await page.getByTestId('button-new-post').first().click()
    await page.getByTestId('select-account').click()
    await page.getByRole('option', { name: /Blue Cup Coffee/ }).click()
    await page.getByTestId('button-generate').click()
    await page.getByLabel('Topic').fill('Spring menu')
    await page
      .getByRole('button', { name: /^(Write|Generate)/ })
      .last()
      .click()
    await page
      .getByTestId('writer-note')
      .getByText(/AI is not connected/)
      .waitFor()
    await page.getByRole('button', { name: 'Use this text' }).click()
    const content = page.getByRole('textbox', { name: /^Content/ })
    expect(await content.inputValue()).toMatch(/spring menu/i)
    await content.fill('Our spring menu is here: rhubarb cake and cold brew, from Monday.')
    await shot(page, '07-composer')
    await page.getByRole('button', { name: 'Submit for Review' }).click()
    await page.getByText('Pending Review').first().waitFor()
  })

  test('approves it in the Content Library', async () => {
    const { page } = visited
    await openLibrary(visited)
    await page.getByRole('tab', { name: /Pending/ }).click()
    await page.getByTestId('button-preview').click()
    await shot(page, '08-preview')
    await page.getByTestId('button-approve').click()
    await page.getByText('Post has been approved and will be published as scheduled.').waitFor()
  })

  test('sees it in the calendar, tomorrow at nine', async () => {
    const { page } = visited
    await page.getByTestId('nav-calendar').click()
    const tomorrow = new Date(Date.now() + 24 * 3600 * 1000)
    const month = (date: Date) =>
      new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', month: 'long', year: 'numeric' }).format(date)
    if (month(tomorrow) !== month(new Date())) await page.getByRole('button', { name: 'Next month' }).click()
    await page.getByTestId('calendar-post').waitFor()
    expect(await page.getByTestId('calendar-post').textContent()).toContain('9:00 AM')
    await shot(page, '09-calendar')
  })

  test('finds it published once, on time, on the public page', async () => {
    const { page } = visited
    const [post] = await server.views.posts.all({})
    expect(post?.status).toBe('approved')
    server.clock.advance(Date.parse(post?.scheduledFor ?? '') - Date.parse(server.clock.now()) + 1000)
    await expect
      .poll(async () => (await server.views.posts.get(post?.id ?? ''))?.status, { timeout: 15_000 })
      .toBe('published')
    await openLibrary(visited)
    await page.getByRole('tab', { name: 'Published' }).click()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page
      .getByTestId('post-card')
      .getByText(/^Published/)
      .first()
      .waitFor()
    const { url } = (await server.views.posts.get(post?.id ?? '')) ?? {}
    const feed = await page.context().newPage()
    await feed.goto(url ?? '')
    expect(await feed.getByText('Our spring menu is here').count()).toBe(1)
    await shot(feed, '10-feed')
    await feed.close()
  })

  test('sees its figures in Analytics', async () => {
    const { page } = visited
    server.clock.advance(3_600_000)
    await expect.poll(async () => (await server.views.analytics.all({})).length, { timeout: 15_000 }).toBe(1)
    await page.getByTestId('nav-analytics').click()
    await page.getByTestId('tile-views').waitFor()
    expect(Number((await page.getByTestId('tile-views').textContent())?.replaceAll(/\D/g, ''))).toBeGreaterThan(0)
    await page.getByTestId('chart-performance-by-platform').waitFor()
    await shot(page, '11-analytics')
  })

  test("reads the post's whole history", async () => {
    const { page } = visited
    await openLibrary(visited)
    await page.getByRole('tab', { name: 'All Posts' }).click()
    await page.getByTestId('button-preview').click()
    const history = page.getByTestId('history-entry')
    await history.first().waitFor()
    const events = await history.evaluateAll((entries) => entries.map((entry) => entry.getAttribute('data-event')))
    for (const type of ['PostWritten', 'PostSubmitted', 'PostApproved', 'PostClaimed', 'PostPublished'])
      expect(events).toContain(type)
    await shot(page, '12-history')
  })

  test('signs out', async () => {
    const { page, complaints } = visited
    await page.keyboard.press('Escape')
    await page.getByTestId('button-logout').click()
    await page.getByRole('button', { name: 'Create Account' }).waitFor()
    expect(complaints).toEqual([])
  })
})
