/** The main job on the distributed shape: six processes, each request answered by the other API. */
import { expect, test, type Browser } from '@playwright/test'
import { hasMongo } from '../../projections/read-store/test/mongodb.ts'
import { closePages, visit, type Visit } from '../browser.ts'
import { startCluster, type Cluster } from './cluster.ts'

let browser: Browser
let cluster: Cluster
let visited: Visit<Cluster>

test.describe('two APIs, two projectors and two workers', () => {
  test.describe.configure({ mode: 'serial' })
  test.skip(!hasMongo, 'TEST_MONGODB_URL names no server')

  test.beforeAll(async ({ browser: shared }) => {
    test.setTimeout(180_000)
    browser = shared
    cluster = await startCluster()
    visited = await visit(browser, cluster, { preloads: true })
    visited.page.setDefaultTimeout(30_000)
  })
  test.afterAll(async () => {
    await closePages(browser)
    await cluster?.close()
  })

  test('take an agency from sign-up to a connected account', async () => {
    const { page } = visited
    await page.goto('/')
    await page.getByLabel('Email').fill('ada@northstar.example')
    await page.getByLabel('Password').fill('correct horse')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await page.waitForURL('**/onboarding')
    await page.getByLabel('Agency Name').fill('North Star')
    await page.getByRole('button', { name: 'Create Agency' }).click()
    await page.getByText('Free Trial', { exact: true }).waitFor()

    await page.getByTestId('nav-clients').click()
    await page.getByTestId('button-new-client').click()
    await page.getByLabel('Name').fill('Blue Cup')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Create Client|Add Client/ })
      .click()
    await page.getByText('Client created!').waitFor()
    // The list that is refetched comes from the other API: it has the client already.
    await page.getByRole('link', { name: 'Manage' }).click()

    await page.getByRole('tab', { name: 'Social Accounts' }).click()
    await page.getByTestId('button-add-account').first().click()
    await page.getByRole('button', { name: /Platform/ }).click()
    await page.getByRole('option', { name: 'Facebook' }).click()
    await page.getByLabel('Account Name').fill('Blue Cup Coffee')
    await page.getByRole('dialog').getByRole('button', { name: 'Add Account' }).click()
    await page.getByText('Account added').waitFor()
    await page.getByRole('link', { name: 'Connect', exact: true }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Blue Cup Coffee is ready to publish.').waitFor()
  })

  test('write, approve and publish a post, once', async () => {
    const { page } = visited
    await page.getByRole('tab', { name: 'Posts' }).click()
    await page.getByTestId('button-new-post').first().click()
    await page.getByTestId('select-account').click()
    await page.getByRole('option', { name: /Blue Cup Coffee/ }).click()
    await page.getByRole('textbox', { name: /^Content/ }).fill('Our spring menu is here, from six processes.')
    await page.getByRole('button', { name: 'Submit for Review' }).click()
    await page.getByText('Pending Review').first().waitFor()

    await page.getByTestId('nav-content').click()
    await page.getByTestId('select-client').click()
    await page.getByRole('option', { name: 'Blue Cup' }).click()
    await page.getByRole('tab', { name: /Pending/ }).click()
    await page.getByTestId('button-preview').click()
    await page.getByTestId('button-approve').click()
    await page.getByText('Post has been approved and will be published as scheduled.').waitFor()

    // Tomorrow at nine is too long to wait for: a moment that the forms, which know minutes, can't name.
    const soon = await page.evaluate(async () => {
      const [client] = await (await fetch('/api/clients')).json()
      const [post] = await (await fetch(`/api/clients/${client.id}/posts`)).json()
      const scheduledFor = new Date(Date.now() + 10_000).toISOString()
      const changed = await fetch(`/api/posts/${post.id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ scheduledFor }),
      })
      return { status: changed.status, id: String(post.id) }
    })
    expect(soon.status).toBe(200)
    const post = () =>
      page.evaluate(
        async (id) => (await (await fetch(`/api/posts/${id}`)).json()) as { status: string; url: string | null },
        soon.id,
      )
    await expect.poll(async () => (await post()).status, { timeout: 60_000, intervals: [250] }).toBe('published')
    const feed = await page.context().newPage()
    await feed.goto((await post()).url ?? '')
    expect(await feed.getByText('Our spring menu is here').count()).toBe(1)
    await feed.close()
  })

  test("show the post's figures and its whole history", async () => {
    const { page, complaints } = visited
    const records = () => page.evaluate(async () => (await (await fetch('/api/analytics')).json()) as unknown[])
    await expect.poll(async () => (await records()).length, { timeout: 60_000, intervals: [250] }).toBe(1)
    await page.getByTestId('nav-analytics').click()
    await page.getByTestId('tile-views').waitFor()

    await page.getByTestId('nav-content').click()
    await page.getByRole('tab', { name: 'All Posts' }).click()
    await page.getByTestId('button-preview').click()
    const history = page.getByTestId('history-entry')
    await history.first().waitFor()
    const events = await history.evaluateAll((entries) => entries.map((entry) => entry.getAttribute('data-event')))
    for (const type of [
      'PostWritten',
      'PostSubmitted',
      'PostApproved',
      'PostRescheduled',
      'PostClaimed',
      'PostPublished',
    ])
      expect(events).toContain(type)
    await page.keyboard.press('Escape')
    await page.getByTestId('button-logout').click()
    await page.getByRole('button', { name: 'Create Account' }).waitFor()
    expect(complaints).toEqual([])
    expect(cluster.output()).not.toMatch(/"level":50/)
  })
})
