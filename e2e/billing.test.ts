/** Trial, subscription and payment: an agency is warned, blocked, pays, and continues. */
import { expect, test, type Browser, type Page } from '@playwright/test'
import { startStripe, type FakeStripe } from '../api/features/billing/test/fake-stripe.ts'
import type { ApiClient } from '../api/http/client.ts'
import { later, MovableClock } from '../api/core/clock.ts'
import { brand, owner, type TestServer } from '../api/testing/server.ts'
import { dayKey } from '../web/lib/dates.ts'
import { closePages, startProduct, visit, type Visit } from './browser.ts'
import { holdsUp } from './looks.ts'
import { pressTwice } from './press-twice.ts'
import { listen } from './screens/stage.ts'

const minute = 60_000
const day = 24 * 60 * minute
const ended = 'Your free trial has ended. Add a payment method to continue.'

let browser: Browser
test.beforeAll(async ({ browser: shared }) => {
  browser = shared
})
test.afterAll(() => closePages(browser))

/** A page on which the owner is signed in. */
async function signIn(product: TestServer, caller: ApiClient): Promise<Visit> {
  const visited = await visit(browser, product)
  const [name = '', value = ''] = caller.cookie.split(/=(.*)/s)
  await visited.page.context().addCookies([{ name, value, url: product.url }])
  return visited
}
const toast = (page: Page) => page.getByRole('region', { name: /Notifications/ })
const notice = (page: Page) => page.getByTestId('notice')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function isBlocked(page: Page, name: string): Promise<void> {
  const blocked = button(page, name)
  await blocked.waitFor()
  expect(await blocked.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Tab')
  await blocked.focus()
  await page.getByRole('tooltip').getByText(ended).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').count()).toBe(0)
}

test.describe('with card payments', () => {
  test.describe.configure({ mode: 'serial' })
  let clock: MovableClock
  let stripe: FakeStripe
  let product: TestServer
  let caller: ApiClient
  let visited: Visit
  let page: Page
  let mine: { readonly clientId: string; readonly accountId: string }

  test.beforeAll(async () => {
    clock = new MovableClock()
    stripe = await startStripe(clock)
    product = await startProduct({ env: stripe.env, clock })
    stripe.product = product.localUrl
    caller = await owner(product)
    mine = await brand(caller)
    visited = await signIn(product, caller)
    page = visited.page
  })
  test.afterAll(async () => {
    await product.remove()
    await stripe.close()
  })
  test.afterEach(() => expect(visited.complaints.filter((text) => !/40[29]|503/.test(text))).toEqual([]))

  async function schedule(content: string, inMs: number): Promise<string> {
    const { id } = await caller.callOrThrow('writePost', {
      params: { id: mine.clientId },
      body: { socialAccountId: mine.accountId, content },
    })
    await caller.callOrThrow('changePost', {
      params: { id },
      body: { status: 'scheduled', scheduledFor: later(clock.now(), inMs) },
    })
    return id
  }
  const stateOf = async (id: string) => {
    const { status, delivery } = await caller.callOrThrow('getPost', { params: { id } })
    return status === 'published' ? status : delivery
  }
  const become = (ids: readonly string[], state: string) =>
    expect(async () => expect(await Promise.all(ids.map(stateOf))).toEqual(ids.map(() => state))).toPass({
      timeout: 20_000,
      intervals: [50],
    })

  const openInCalendar = async (id: string) => {
    const { scheduledFor } = await caller.callOrThrow('getPost', { params: { id } })
    await page.goto(`/calendar?month=${dayKey(scheduledFor ?? '', 'Europe/Berlin').slice(0, 7)}`)
    await page.locator(`[data-testid=calendar-post][data-post-id="${id}"]`).click()
    await page.getByRole('dialog', { name: 'Post Details' }).waitFor()
  }

  test('a notice announces the end of the trial on its fourth and sixth day, and can be dismissed', async () => {
    const now = Date.parse(clock.now())
    const { page: other, close } = await signIn(product, caller)
    await other.goto('/')
    await other.getByRole('heading', { name: 'Dashboard' }).waitFor()
    expect(await notice(other).count()).toBe(0)

    await other.clock.setFixedTime(now + 4 * day)
    await other.goto('/clients')
    expect(await notice(other).getByRole('status').textContent()).toBe('Your trial ends in 3 days.')
    await holdsUp(other, 'notice-day-4')
    await notice(other).getByRole('button', { name: 'Dismiss' }).click()
    await other.reload()
    await other.getByRole('heading', { name: 'Clients' }).waitFor()
    expect(await notice(other).count()).toBe(0)

    await other.clock.setFixedTime(now + 6 * day)
    await other.reload()
    expect(await notice(other).getByRole('status').textContent()).toBe('Your trial ends tomorrow.')
    await notice(other).getByRole('link', { name: 'Add Payment Method' }).click()
    await other.getByText(/^Your free trial ends on /).waitFor()
    await holdsUp(other, 'billing-trial')
    await close()
  })

  test('the end of the trial blocks its features with a reason; after the payment, held posts are published [1.12]', async () => {
    const ids = [await schedule('First', 8 * day - 20 * minute), await schedule('Second', 8 * day - 10 * minute)]
    const byHand = await schedule('By hand', 8 * day - 5 * minute)
    const { id: draft } = await caller.callOrThrow('writePost', {
      params: { id: mine.clientId },
      body: { socialAccountId: mine.accountId, content: 'A draft' },
    })
    clock.advance(8 * day)
    await become([...ids, byHand], 'held')
    await expect(async () => expect((await caller.callOrThrow('getAgency')).subscriptionStatus).toBe('expired')).toPass(
      {
        timeout: 15_000,
      },
    )

    await page.goto('/')
    expect(await notice(page).getByRole('status').textContent()).toContain('Your free trial has ended.')
    await page.getByTestId('client-card').waitFor()
    await holdsUp(page, 'notice-ended')
    await isBlocked(page, 'Add Client')
    await page.goto('/clients?add=true')
    await isBlocked(page, 'New Client')
    await page.goto(`/content?client=${mine.clientId}`)
    await page.locator(`[data-post-id="${draft}"]`).waitFor()
    await isBlocked(page, 'New Post')
    expect(
      await page.locator(`[data-post-id="${draft}"]`).getByTestId('button-schedule').getAttribute('aria-disabled'),
    ).toBe('true')
    expect(await caller.ask('addClient', { body: { name: 'Another' } })).toMatchObject({ status: 402, text: ended })

    await openInCalendar(byHand)
    await page.getByRole('dialog').getByText('On hold: the subscription needs attention').waitFor()
    await page.getByRole('dialog').getByText('Release the post once the subscription is paid.').waitFor()
    expect(await button(page, 'Release').getAttribute('aria-disabled')).toBe('true')
    await holdsUp(page, 'calendar-held')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await notice(page).getByRole('link', { name: 'Add Payment Method' }).click()
    await page.getByTestId('card-plan').getByText(ended).waitFor()
    await page.getByText('3 posts on hold').waitFor()
    await page.getByText('No invoices yet').waitFor()
    await holdsUp(page, 'billing-ended')
    await button(page, 'Manage Subscription').click()
    await toast(page).getByText('Add a payment method first.').waitFor()

    const checkouts = listen(page, 'POST /api/billing/checkout')
    await pressTwice(button(page, 'Add Payment Method'))
    await page.waitForURL(`${stripe.url}/pay/**`)
    expect(checkouts.length).toBe(1)
    await page.goBack()
    await page.getByTestId('card-plan').waitFor()
    await page.goto('/billing?checkout=canceled')
    await toast(page).getByText('No payment made').waitFor()
    await page.waitForURL(/\/billing$/)
    await button(page, 'Add Payment Method').click()
    await page.waitForURL(`${stripe.url}/pay/**`)
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.waitForURL(/\/billing$/)
    await toast(page).getByText('Your subscription is active.').waitFor()
    await page.getByText(/^Next payment on /).waitFor()
    expect(await page.getByTestId('badge-subscription').textContent()).toBe('Active')
    expect(await page.getByTestId('invoice').count()).toBe(1)
    expect(await page.getByTestId('invoice').textContent()).toContain('$49.00')
    await holdsUp(page, 'billing-paid')

    await openInCalendar(byHand)
    await button(page, 'Release').click()
    await toast(page).getByText('Post is on its way again.').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await become([byHand], 'published')

    await page.goto('/billing')
    const releases = listen(page, 'POST /api/posts/release-held')
    await pressTwice(button(page, 'Release posts'))
    await toast(page).getByText('2 posts are on the way again.').waitFor()
    expect(releases.length).toBe(1)
    await become(ids, 'published')
    await page.getByTestId('card-held-posts').waitFor({ state: 'detached' })
    expect(await notice(page).count()).toBe(0)
    await page.goto('/clients?add=true')
    await page.getByRole('dialog', { name: 'Add New Client' }).waitFor()
  })

  test('the owner manages the subscription at the provider, and the screen shows when it ends', async () => {
    await page.goto('/billing')
    for (const name of ['Manage Subscription', 'Add Payment Method']) {
      await button(page, name).click()
      await page.waitForURL(`${stripe.url}/portal**`)
      await page.getByRole('link', { name: 'Back' }).click()
      await page.waitForURL(/\/billing$/)
    }
    const [subscription] = stripe.subscriptions.values()
    if (!subscription) throw new Error('Nothing was paid')
    stripe.set({ id: subscription.id, cancel_at_period_end: true })
    clock.advance(minute)
    expect(await stripe.deliver(stripe.message('customer.subscription.updated', subscription.id))).toBe(200)
    await page.reload()
    await page.getByText(/^Your subscription ends on /).waitFor()
    stripe.set({ id: subscription.id, cancel_at_period_end: false })
    stripe.set({
      id: 'sub_too_much',
      customer: subscription.customer,
      metadata: subscription.metadata,
      created: subscription.created - 60,
    })
    clock.advance(minute)
    for (const id of [subscription.id, 'sub_too_much'])
      await stripe.deliver(stripe.message('customer.subscription.updated', id))
    await page.reload()
    await page.getByText('You are paying for more than one subscription.').waitFor()
    await holdsUp(page, 'billing-double')
    stripe.set({ id: 'sub_too_much', status: 'canceled' })
    clock.advance(minute)
    await stripe.deliver(stripe.message('customer.subscription.deleted', 'sub_too_much'))
    await page.reload()
    await page.getByText(/^Next payment on /).waitFor()
    expect(await page.getByText('You are paying for more than one subscription.').count()).toBe(0)
    stripe.set({ id: subscription.id, status: 'past_due' })
    clock.advance(minute)
    await stripe.deliver(stripe.message('customer.subscription.updated', subscription.id))
    await page.reload()
    await notice(page).getByText('Everything still works while the payment is tried again.').waitFor()
    await holdsUp(page, 'billing-past-due')
    stripe.set({ id: subscription.id, status: 'unpaid' })
    clock.advance(minute)
    await stripe.deliver(stripe.message('customer.subscription.updated', subscription.id))
    await page.reload()
    await notice(page).getByText('Due posts are on hold').waitFor()
    expect(await page.getByTestId('badge-subscription').textContent()).toBe('unpaid')
  })

  test('an unreachable provider shows an error, and the buttons work again afterwards', async () => {
    stripe.trouble = 'down'
    await page.goto('/billing')
    await page.getByText('The invoices could not be loaded.').waitFor()
    await button(page, 'Manage Subscription').click()
    await toast(page).getByText('Error').waitFor()
    stripe.trouble = null
    await button(page, 'Try again').click()
    await page.getByTestId('invoice').waitFor()
    await button(page, 'Manage Subscription').click()
    await page.waitForURL(`${stripe.url}/portal**`)
  })
})

test.describe('without card payments', () => {
  test('both buttons explain this, and the rest of the screen works', async () => {
    const product = await startProduct()
    const { page, complaints } = await signIn(product, await owner(product))
    await page.goto('/billing')
    await page.getByText('No invoices yet').waitFor()
    for (const name of ['Add Payment Method', 'Manage Subscription']) {
      await button(page, name).click()
      await toast(page).getByText('Card payments are not set up on this server.').waitFor()
      await toast(page)
        .getByRole('button', { name: /close|dismiss/i })
        .click()
      await toast(page).waitFor({ state: 'detached' })
    }
    expect(complaints.filter((text) => !text.includes('503'))).toEqual([])
    await product.remove()
  })
})
