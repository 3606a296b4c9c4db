/**
 * Runs our client against stripe-mock, which serves Stripe's own API description. It stores nothing: only shapes are
 * checked.
 */
import { describe, expect, it } from 'vitest'
import { Stripe } from 'stripe'
import { stripePayments } from './stripe.ts'

const url = process.env['STRIPE_MOCK_URL']
/** The price of the subscription in stripe-mock's answers. */
const priceId =
  url === undefined
    ? ''
    : await new Stripe('sk_test_123', {
        protocol: 'http',
        host: new URL(url).hostname,
        port: new URL(url).port,
      }).subscriptions
        .list()
        .then(({ data }) => data[0]?.items.data[0]?.price.id ?? '')

describe.skipIf(url === undefined)('Stripe’s API, as stripe-mock describes it,', () => {
  const payments = stripePayments({
    secretKey: 'sk_test_123',
    webhookSecret: 'whsec_123',
    priceId,
    apiBase: url ?? null,
    timeoutMs: 5_000,
  })
  const buyer = { agencyId: 'agency-1', name: 'North Star', email: 'hello@northstar.example' }

  it('accepts our customer', async () => {
    expect(await payments.customer(buyer)).toMatch(/^cus_/)
  })
  it.each([
    ['with the rest of a trial to the second', { until: new Date(Date.now() + 5 * 24 * 3_600_000).toISOString() }],
    ['with the rest of a trial in days', { days: 1 }],
    ['without a trial', null],
  ])('accepts our checkout %s', async (_, trial) => {
    const request = {
      agencyId: 'agency-1',
      customerId: 'cus_1',
      trial,
      doneUrl: 'https://social.example/done',
      canceledUrl: 'https://social.example/canceled',
    }
    expect(await payments.checkout(request)).toMatch(/^https?:/)
  })
  it('closes open payment pages', async () => {
    await expect(payments.closeCheckouts('cus_1')).resolves.toBeUndefined()
  })
  it('opens the portal', async () => {
    expect(await payments.portal('cus_1', 'https://social.example/billing')).toMatch(/^https?:/)
  })
  it('lists invoices', async () => {
    for (const invoice of await payments.invoices('cus_1'))
      expect(invoice).toMatchObject({
        id: expect.any(String),
        amountCents: expect.any(Number),
        currency: expect.stringMatching(/^[A-Z]{3}$/),
      })
  })
  it('lists subscriptions', async () => {
    const updates = await payments.subscriptions('cus_1')
    expect(updates.length).toBeGreaterThan(0)
    for (const { facts } of updates)
      expect(facts).toMatchObject({
        subscriptionId: expect.any(String),
        customerId: expect.any(String),
        begunAt: expect.any(String),
        asOf: expect.stringMatching(/:\d\d\.000Z$/),
      })
  })
})
