/** The dashboard: trial, figures and clients, with the empty, loading and error states. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import { formatDate } from '../../web/lib/dates.ts'
import { owner } from '../../api/testing/server.ts'
import { looksRight } from '../looks.ts'
import { becomes, openStage, pathOf, type Stage } from './stage.ts'

let stage: Stage
let caller: ApiClient
let page: Page

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server)
  page = await stage.enter(caller)
  await open()
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

async function open() {
  await page.goto('/')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
}
const stat = (name: string) => page.getByTestId(`stat-${name}`)
const cards = () => page.getByTestId('client-card')

test.describe('for a new agency', () => {
  test('shows its heading and its text [2.51]', async () => {
    await page.getByText("Welcome back! Here's what's happening with your clients.").waitFor()
  })

  test('shows when the free trial ends, with a badge [2.52, 4.12]', async () => {
    const { trialEndsAt } = await caller.callOrThrow('getAgency')
    const card = page.getByTestId('card-subscription')
    await card.getByRole('heading', { name: 'Subscription Status' }).waitFor()
    await card
      .getByText(`Your free trial ends ${formatDate(trialEndsAt ?? '', 'Europe/Berlin')}`, { exact: true })
      .waitFor()
    expect(await card.getByTestId('badge-subscription').textContent()).toBe('Free Trial')
  })

  test('shows four figures: 0/10 clients, 0 posts, 0 this week, 0% [2.53]', async () => {
    for (const [name, text] of [
      ['total-clients', 'Total Clients0/10'],
      ['active-posts', 'Active Posts0'],
      ['this-week', 'This Week0'],
      ['engagement', 'Engagement0%'],
    ] as const)
      await becomes(() => stat(name).textContent(), text)
    expect(await page.locator('[data-testid^=stat-]').count()).toBe(4)
  })

  test('shows an empty state that leads to adding the first client [2.59]', async () => {
    await page.getByRole('heading', { name: 'Your Clients' }).waitFor()
    await page.getByRole('heading', { name: 'No clients yet' }).waitFor()
    await page.getByText('Get started by adding your first client').waitFor()
    await looksRight(page, 'dashboard-empty')
    await page.getByRole('link', { name: 'Add Your First Client' }).click()
    await page.getByRole('dialog').waitFor()
    expect(pathOf(page)).toBe('/clients')
  })
})

test.describe('with clients', () => {
  test.beforeAll(async () => {
    await caller.callOrThrow('addClient', { body: { name: 'Blue Cup', industry: 'Coffee' } })
    await caller.callOrThrow('addClient', { body: { name: 'Fjord', logoUrl: `${stage.faults.url}/favicon.svg` } })
    await open()
  })

  test('shows their count of 10 [2.54]', () => becomes(() => stat('total-clients').textContent(), 'Total Clients2/10'))

  test('shows on a card the name, the industry or that none is set, and the logo or first letter [2.56]', async () => {
    const cup = cards().filter({ hasText: 'Blue Cup' })
    expect(await cup.textContent()).toBe('BBlue CupCoffeeView Details')
    const fjord = cards().filter({ hasText: 'Fjord' })
    expect(await fjord.textContent()).toBe('FjordNo industry setView Details')
    expect(await fjord.locator('img').getAttribute('src')).toContain('/favicon.svg')
    await looksRight(page, 'dashboard')
  })

  test('opens a client with View Details [2.12, 2.57]', async () => {
    const [client] = await caller.callOrThrow('listClients')
    await cards().first().getByRole('link').click()
    await page.waitForURL(`**/clients/${client?.id}`)
  })

  test('opens the clients with Add Client [2.55]', async () => {
    await open()
    await page.getByTestId('button-add-client').click()
    await page.getByRole('dialog').waitFor()
    expect(pathOf(page)).toBe('/clients')
  })
})

test.describe('loading and errors', () => {
  test('three placeholder cards show while the clients load [2.58]', async () => {
    const release = stage.faults.hold('GET /api/clients')
    await open()
    await becomes(() => page.getByTestId('skeleton-card').count(), 3)
    await looksRight(page, 'dashboard-loading')
    release()
    await cards().first().waitFor()
    expect(await page.getByTestId('skeleton-card').count()).toBe(0)
  })

  test('clients that could not be loaded show an error, and can be loaded again [2.60]', async () => {
    stage.faults.answer('GET /api/clients', 503, 'The store is busy.')
    await open()
    await page.getByRole('alert').getByText('Your clients could not be loaded').waitFor()
    await page.getByRole('alert').getByText('The store is busy.', { exact: true }).waitFor()
    await looksRight(page, 'dashboard-error')
    stage.faults.mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await cards().first().waitFor()
  })
})

test.describe('an agency that is not on trial', () => {
  test('shows Active subscription, with the raw status in a badge [4.13]', async () => {
    stage.faults.rewriteBody('GET /api/agency', (told) =>
      JSON.stringify({ ...JSON.parse(told), subscriptionStatus: 'active' }),
    )
    await open()
    const card = page.getByTestId('card-subscription')
    await card.getByText('Active subscription', { exact: true }).waitFor()
    expect(await card.getByTestId('badge-subscription').textContent()).toBe('active')
  })
})
