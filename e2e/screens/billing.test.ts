/** The Billing screen as specified; e2e/billing.test.ts covers payments. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import { owner } from '../../api/testing/server.ts'
import { formatDate } from '../../web/lib/dates.ts'
import { looksRight } from '../looks.ts'
import { openStage, toastIs, type Stage } from './stage.ts'

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

const plan = () => page.getByTestId('card-plan')
const badge = () => plan().getByTestId('badge-subscription')
async function open() {
  await page.goto('/billing')
  await plan().waitFor()
}

test('shows its title and its text [2.120]', async () => {
  await page.getByRole('heading', { level: 1, name: 'Billing & Subscription' }).waitFor()
  await page.getByText('Manage your subscription and payment methods', { exact: true }).waitFor()
})

test('shows the current plan with its price [2.121, 9.3]', async () => {
  await plan().getByRole('heading', { name: 'Current Plan' }).waitFor()
  await plan().getByText('Agency Plan - $49/month', { exact: true }).waitFor()
})

test('shows, on trial, Free Trial, when the trial ends, and what to do [2.122]', async () => {
  const { trialEndsAt } = await caller.callOrThrow('getAgency')
  expect(await badge().textContent()).toBe('Free Trial')
  await plan()
    .getByText(`Your free trial ends on ${formatDate(trialEndsAt ?? '', 'Europe/Berlin')}`, { exact: true })
    .waitFor()
  await plan().getByText('Add a payment method to continue after your trial', { exact: true }).waitFor()
  await looksRight(page, 'billing')
})

test('lists what the plan includes [2.124]', async () => {
  expect(await plan().getByRole('listitem').allTextContents()).toEqual([
    'Up to 10 clients',
    'Unlimited AI-generated posts',
    'All social media platforms',
    'Advanced analytics',
    'Priority support',
  ])
})

test('shows both buttons, which say that card payments are not set up [2.125]', async () => {
  for (const name of ['Manage Subscription', 'Add Payment Method']) {
    await plan().getByRole('button', { name, exact: true }).click()
    await toastIs(page, 'destructive', 'Error', 'Card payments are not set up on this server.')
    await page.getByRole('button', { name: 'Close' }).click()
  }
})

test.describe('another status', () => {
  const colorOf = () => badge().evaluate((element) => getComputedStyle(element).backgroundColor)
  for (const [subscriptionStatus, shown] of [
    ['past_due', 'past_due'],
    ['canceled', 'canceled'],
    ['active', 'Active'],
    [undefined, 'Active'],
  ] as const)
    test(`${subscriptionStatus} is shown as ${shown}, in another style than a trial [2.123]`, async () => {
      await open()
      const secondary = await colorOf()
      stage.faults.rewriteBody('GET /api/agency', (told) => JSON.stringify({ ...JSON.parse(told), subscriptionStatus }))
      await open()
      expect(await badge().textContent()).toBe(shown)
      expect(await colorOf()).not.toBe(secondary)
    })
})
