import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiClient } from '../../http/client.ts'
import { accepted } from '../../http/handler.ts'
import { MovableClock } from '../../core/clock.ts'
import { isOnServers } from '../../../domain/test/patience.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import { owner, testServer, type TestServer } from '../../testing/server.ts'
import { history } from '../../core/aggregates.ts'
import { providerStatuses } from '../../../domain/agency/commands.ts'
import { stripePayments } from './stripe.ts'
import { startStripe, type FakeStripe } from './test/fake-stripe.ts'

const day = 24 * 3_600_000
let clock: MovableClock
let stripe: FakeStripe
let server: TestServer
let caller: ApiClient
let agencyId: string

beforeAll(async () => {
  clock = new MovableClock()
  stripe = await startStripe(clock)
  server = await testServer({ ...stripe.env }, { clock })
})
beforeEach(async () => {
  stripe.forget()
  stripe.product = server.url
  caller = await owner(server)
  agencyId = agencyIdOf((await caller.callOrThrow('getUser')).id)
})
afterAll(async () => {
  await server.remove()
  await stripe.close()
})

const agency = () => caller.callOrThrow('getAgency')
const eventTypes = async () =>
  (await history(server.commands.ports.events, `agency-${agencyId}`)).map(({ type }) => type)
/** Opens the payment page and pays. */
const pay = async () => {
  const { url } = await caller.callOrThrow('openCheckout')
  const paid = await fetch(url, { method: 'POST', redirect: 'manual' })
  return paid.headers.get('location')
}
const openPages = () => stripe.checkouts.filter(({ status }) => status === 'open')
/** Creates a subscription at Stripe of which the server has not heard. */
const subscribed = async (status = 'active') => {
  await caller.callOrThrow('openCheckout')
  const [customer = ''] = stripe.customers.keys()
  return stripe.set({ id: 'sub_test', customer, status, metadata: { agencyId } })
}

describe('paying', () => {
  it('leads to an active subscription, an invoice and the next payment date', { tags: 'long' }, async () => {
    expect(await agency()).toMatchObject({ subscriptionStatus: 'trialing', payments: true, standing: 'good' })
    expect(await pay()).toBe(`${server.url}/billing?checkout=done`)
    expect(await agency()).toMatchObject({
      subscriptionStatus: 'active',
      stripeCustomerId: expect.stringMatching(/^cus_/),
      stripeSubscriptionId: expect.stringMatching(/^sub_/),
      currentPeriodEnd: expect.any(String),
    })
    expect(await caller.callOrThrow('listInvoices')).toMatchObject([
      { amountCents: 0, currency: 'USD', status: 'paid', pdfUrl: expect.stringContaining('.pdf') },
    ])
  })

  it('carries the rest of the trial over: to the second while two days are left, else in days, none after its end', async () => {
    const { trialEndsAt } = await agency()
    await caller.callOrThrow('openCheckout')
    clock.advance(6 * day)
    await caller.callOrThrow('openCheckout')
    clock.advance(2 * day)
    await caller.callOrThrow('openCheckout')
    const asked = stripe.checkouts.map(({ subscription_data: data }) => data)
    expect(asked[0]).toMatchObject({
      trial_end: String(Math.floor(Date.parse(trialEndsAt ?? '') / 1000)),
      metadata: { agencyId },
    })
    expect(asked[1]).toMatchObject({ trial_period_days: '1' })
    expect(asked[2]).toEqual({ metadata: { agencyId } })
    expect(stripe.checkouts[0]).toMatchObject({
      mode: 'subscription',
      line_items: [{ price: 'price_49', quantity: '1' }],
    })
  })

  it('creates one customer, even for many requests at once', { tags: 'long' }, async () => {
    await Promise.all(Array.from({ length: 12 }, () => caller.callOrThrow('openCheckout')))
    expect(stripe.customers.size).toBe(1)
    server = await server.restart()
    const { cookie } = caller
    caller = new ApiClient(server.url)
    caller.cookie = cookie
    await caller.callOrThrow('openCheckout')
    expect(stripe.customers.size).toBe(1)
  })

  it("creates one customer even when the agency's name changed between a crash and the retry, and sends the new name", async () => {
    const payments = stripePayments({
      secretKey: 'sk_test_of_the_tests',
      webhookSecret: 'x',
      priceId: 'price_49',
      apiBase: stripe.url,
      timeoutMs: 5_000,
    })
    const first = await payments.customer({ agencyId, name: 'North Star', email: 'hello@northstar.example' })
    expect(await payments.customer({ agencyId, name: 'North Star & Sons', email: 'sons@northstar.example' })).toBe(
      first,
    )
    expect(stripe.customers.get(first)).toMatchObject({
      name: 'North Star & Sons',
      email: 'sons@northstar.example',
      metadata: { agencyId },
    })
  })

  it('leaves one payable page: the latest', async () => {
    const [first, second] = [await caller.callOrThrow('openCheckout'), await caller.callOrThrow('openCheckout')]
    expect((await fetch(first.url, { method: 'POST', redirect: 'manual' })).status).toBe(410)
    expect((await fetch(second.url, { method: 'POST', redirect: 'manual' })).status).toBe(303)
    expect((await agency()).subscriptionStatus).toBe('active')
  })

  it('opens one page for simultaneous requests', async () => {
    let release = () => {}
    stripe.trouble = new Promise((resolve) => (release = resolve))
    const asking = Array.from({ length: 6 }, () => caller.callOrThrow('openCheckout'))
    // Later requests are answered when these have arrived.
    for (let round = 0; round < 3; round++) await agency()
    release()
    const answers = await Promise.all(asking)
    const [open, ...others] = openPages()
    expect(others).toEqual([])
    expect(new Set(answers.map(({ url }) => url))).toEqual(new Set([open?.['url']]))
  })

  it(
    'leaves one payable page even when several processes open one at once, and all browsers are sent to it',
    { tags: 'long' },
    async () => {
      const { customer } = await subscribed('incomplete')
      const processes = Array.from({ length: 6 }, () =>
        stripePayments({
          secretKey: 'sk_test_of_the_tests',
          webhookSecret: 'x',
          priceId: 'price_49',
          apiBase: stripe.url,
          timeoutMs: 5_000,
        }),
      )
      const request = {
        agencyId,
        customerId: customer,
        trial: null,
        doneUrl: `${server.url}/done`,
        canceledUrl: `${server.url}/canceled`,
      }
      for (let round = 0; round < 5; round += 1) {
        const urls = await Promise.all(processes.map((process) => process.checkout(request)))
        const [open, ...others] = openPages()
        expect(others).toEqual([])
        expect(urls).toContain(open?.['url'])
      }
    },
  )

  it('warns about several subscriptions until all but one are canceled', async () => {
    const { customer } = await subscribed()
    await caller.callOrThrow('refreshSubscription')
    expect((await agency()).doublePaid).toBe(false)
    stripe.set({ id: 'sub_second', customer, metadata: { agencyId } })
    await caller.callOrThrow('refreshSubscription')
    expect((await agency()).doublePaid).toBe(true)
    stripe.set({ id: 'sub_second', cancel_at_period_end: true })
    clock.advance(1_000)
    await caller.callOrThrow('refreshSubscription')
    expect((await agency()).doublePaid).toBe(false)
  })

  it('is refused while a subscription is alive, and possible again after its end', async () => {
    await pay()
    const [subscription = ''] = stripe.subscriptions.keys()
    stripe.set({ id: subscription, status: 'unpaid' })
    await stripe.deliver(
      stripe.message('customer.subscription.updated', subscription, {
        created: Math.floor(Date.parse(clock.now()) / 1000) + 1,
      }),
    )
    expect((await agency()).standing).toBe('unpaid')
    expect(await caller.ask('openCheckout')).toMatchObject({
      status: 409,
      text: 'You have a subscription already. Manage it instead.',
    })
    const [id = ''] = stripe.subscriptions.keys()
    stripe.set({ id, status: 'canceled' })
    await stripe.deliver(
      stripe.message('customer.subscription.deleted', id, { created: Math.floor(Date.parse(clock.now()) / 1000) + 5 }),
    )
    expect((await caller.ask('openCheckout')).status).toBe(200)
  })

  it('shows on return from checkout, even before the webhook arrives', async () => {
    stripe.product = null
    await pay()
    expect((await agency()).subscriptionStatus).toBe('trialing')
    // A second click meanwhile must not lead to a second payment.
    expect((await caller.ask('openCheckout')).status).toBe(409)
    expect(openPages()).toEqual([])
    expect(await caller.callOrThrow('refreshSubscription')).toMatchObject({ subscriptionStatus: 'active' })
    stripe.product = server.url
    const [id = ''] = stripe.subscriptions.keys()
    expect(await stripe.deliver(stripe.message('customer.subscription.created', id))).toBe(200)
    expect((await agency()).subscriptionStatus).toBe('active')
  })

  it('can be managed once there is a customer', async () => {
    expect(await caller.ask('openPortal')).toMatchObject({ status: 409, text: 'Add a payment method first.' })
    await pay()
    expect(await caller.callOrThrow('openPortal')).toMatchObject({ url: expect.stringContaining('/portal') })
  })
})

describe('a webhook', () => {
  const seconds = () => Math.floor(Date.parse(clock.now()) / 1000)
  /** Until the test ends: no second passes between a signature and its check. */
  const stopClock = () => void vi.spyOn(clock, 'now').mockReturnValue(clock.now())
  const activation = (options: Parameters<typeof stripe.message>[2]) =>
    stripe.message('customer.subscription.updated', 'sub_test', options)
  /** A valid signature for one time, in a header that names another. */
  const signedAs = (time: string, named: string) => {
    const message = activation({})
    const mac = createHmac('sha256', stripe.env['STRIPE_WEBHOOK_SECRET'] ?? '')
      .update(`${time}.${message.body}`)
      .digest('hex')
    return { ...message, signature: `t=${named},v1=${mac}` }
  }

  it.each([-299, 0, 299])('signed %i seconds from now is accepted', async (difference) => {
    await subscribed()
    stopClock()
    expect(await stripe.deliver(activation({ signedAt: seconds() + difference }))).toBe(200)
    expect((await agency()).subscriptionStatus).toBe('active')
  })

  it('is processed once, even when delivered a hundred times at once', { tags: 'long' }, async () => {
    const { id } = await subscribed()
    const message = stripe.message('customer.subscription.updated', id)
    // The limit on bodies in flight may refuse some; Stripe delivers a refused message again.
    const deliver = async (): Promise<number> => {
      const status = await stripe.deliver(message)
      return status === 429 || status === 503 ? deliver() : status
    }
    const statuses = await Promise.all(Array.from({ length: 100 }, deliver))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect((await eventTypes()).filter((type) => type === 'SubscriptionActivated')).toHaveLength(1)
    expect((await eventTypes()).filter((type) => type === 'SubscriptionConfirmed')).toHaveLength(0)
  })

  // One test for each first message, so that no test takes longer the more pairs there are.
  // The rule is the same on servers, where each pair takes a second.
  it.each(isOnServers ? providerStatuses.slice(0, 2) : providerStatuses)(
    'leads to the same state in either order, for %s and every other message',
    { tags: 'long' },
    async (first) => {
      const now = Math.floor(Date.parse(clock.now()) / 1000)
      /** The final state of a new agency that receives the messages in this order. */
      const statusAfter = async (order: readonly (readonly [string, number])[]) => {
        const of = randomUUID()
        const opening = { type: 'OpenAgency', agencyId: of, ownerId: of, name: 'Pair', timeZone: 'UTC' } as const
        const by = { actor: { type: 'user', id: of }, agencyId: of, correlationId: of } as const
        accepted(await server.commands.agency(of, opening, by))
        const id = `sub_${of}`
        for (const [status, created] of order) {
          stripe.set({ id, customer: `cus_${of}`, status, metadata: { agencyId: of } })
          expect(await stripe.deliver(stripe.message('customer.subscription.updated', id, { created }))).toBe(200)
        }
        return (await server.commands.loadAgency(of)).state.status
      }
      for (const second of providerStatuses) {
        const [earlier, later] = [[first, now] as const, [second, now + 60] as const]
        expect({ second, ended: await statusAfter([later, earlier]) }).toEqual({
          second,
          ended: await statusAfter([earlier, later]),
        })
      }
    },
  )

  it.each([
    ['without a signature', () => ({ ...stripe.message('x', 'sub_test'), signature: '' })],
    ['signed by somebody else', () => stripe.message('x', 'sub_test', { secret: 'whsec_other' })],
    ['that was changed on its way', () => ({ ...stripe.message('x', 'sub_test'), body: '{"id":"evt_1"}' })],
    ['that is older than five minutes', () => activation({ signedAt: seconds() - 301 })],
    ['that is signed more than five minutes ahead of time', () => activation({ signedAt: seconds() + 301 })],
    ['that is signed ahead of time by years', () => activation({ signedAt: seconds() + 100_000_000 })],
    ['signed at no time', () => signedAs('NaN', 'soon')],
    ['signed at a time with words behind it', () => signedAs(String(seconds()), `${seconds()}soon`)],
    ['that tells of a time to come', () => activation({ created: seconds() + 310 })],
    ['that tells of no time', () => activation({ created: Number.NaN })],
    ['signed at two times', () => signedAs(String(seconds()), `1,t=${seconds()}`)],
  ])('%s is refused [S35]', async (_, make) => {
    await subscribed()
    stopClock()
    expect(await stripe.deliver(make())).toBe(400)
    expect((await agency()).subscriptionStatus).toBe('trialing')
  })

  it('is recognized by its id: a repeated id is ignored', async () => {
    const { id } = await subscribed()
    const created = Math.floor(Date.parse(clock.now()) / 1000)
    await stripe.deliver(stripe.message('customer.subscription.updated', id, { id: 'evt_known', created }))
    stripe.set({ id, status: 'canceled' })
    expect(
      await stripe.deliver(
        stripe.message('customer.subscription.updated', id, { id: 'evt_known', created: created + 10 }),
      ),
    ).toBe(200)
    expect((await agency()).subscriptionStatus).toBe('active')
  })

  it('about an old subscription does not replace a newer subscription', async () => {
    const created = Math.floor(Date.parse(clock.now()) / 1000)
    const { customer } = await subscribed()
    stripe.set({ id: 'sub_old', customer, created: created - 1_000 })
    await stripe.deliver(stripe.message('customer.subscription.updated', 'sub_test', { created }))
    await stripe.deliver(stripe.message('customer.subscription.updated', 'sub_old', { created: created + 5 }))
    stripe.set({ id: 'sub_old', status: 'canceled' })
    await stripe.deliver(stripe.message('customer.subscription.deleted', 'sub_old', { created: created + 6 }))
    expect(await agency()).toMatchObject({ subscriptionStatus: 'active', stripeSubscriptionId: 'sub_test' })
  })

  it('of the same second as a query to Stripe is still processed', async () => {
    const { id } = await subscribed()
    clock.advance(1_300 - (Date.parse(clock.now()) % 1_000))
    await caller.callOrThrow('refreshSubscription')
    stripe.set({ id, status: 'past_due' })
    await stripe.deliver(
      stripe.message('customer.subscription.updated', id, { created: Math.floor(Date.parse(clock.now()) / 1000) }),
    )
    expect((await agency()).subscriptionStatus).toBe('past_due')
  })

  it('about another purchase of the customer changes nothing', async () => {
    const { customer } = await subscribed('incomplete')
    const other = {
      object: 'list' as const,
      data: [{ id: 'si_2', current_period_end: 2_000_000_000, price: { id: 'price_of_a_book' } }],
    }
    stripe.set({ id: 'sub_book', customer, items: other })
    expect(await stripe.deliver(stripe.message('customer.subscription.created', 'sub_book'))).toBe(200)
    expect(await caller.callOrThrow('refreshSubscription')).toMatchObject({ subscriptionStatus: 'trialing' })
  })

  it('of another kind, or of an unknown customer, is acknowledged and changes nothing', async () => {
    const { id } = await subscribed()
    expect(await stripe.deliver(stripe.message('invoice.finalized', id))).toBe(200)
    stripe.set({ id: 'sub_strange', customer: 'cus_strange' })
    expect(await stripe.deliver(stripe.message('customer.subscription.updated', 'sub_strange'))).toBe(200)
    expect((await agency()).subscriptionStatus).toBe('trialing')
  })

  it('reports a cancellation for the end of the period, and the end', async () => {
    const now = Math.floor(Date.parse(clock.now()) / 1000)
    const { id } = await subscribed()
    for (const [second, ends] of [
      { cancel_at_period_end: true },
      { cancel_at_period_end: false },
      { cancel_at: now + 3_600 },
    ].entries()) {
      stripe.set({ id, ...ends })
      await stripe.deliver(stripe.message('customer.subscription.updated', id, { created: now - 5 + second }))
      expect(await agency()).toMatchObject({
        subscriptionStatus: 'active',
        endsWithPeriod: second !== 1,
        standing: 'good',
      })
    }
    stripe.set({ id, status: 'canceled' })
    await stripe.deliver(stripe.message('customer.subscription.deleted', id, { created: now + 1 }))
    expect(await agency()).toMatchObject({ subscriptionStatus: 'canceled', standing: 'canceled' })
  })
})

describe('Stripe in trouble', { tags: 'long' }, () => {
  it.each([
    ['down', "The payment provider can't be reached just now. Please try again in a moment."],
    [500, "The payment provider can't be reached just now. Please try again in a moment."],
    [402, 'The payment provider refused the request. Ask the operator of this server to look at its settings.'],
    [429, 'The payment provider is busy just now. Please try again in a moment.'],
  ] as const)('%s: each billing button says so, and nothing else is affected', async (trouble, sentence) => {
    await caller.callOrThrow('openCheckout')
    stripe.trouble = trouble
    const buttons = ['openCheckout', 'openPortal', 'listInvoices', 'refreshSubscription'] as const
    // At once, because Stripe's client waits half a second before it tries again.
    const answers = await Promise.all(buttons.map((name) => caller.ask(name)))
    for (const answer of answers) expect(answer).toMatchObject({ status: 503, text: sentence })
    expect((await caller.ask('getAgency')).status).toBe(200)
  })

  it('silent: requests time out', async () => {
    const impatient = await testServer({ ...stripe.env, STRIPE_TIMEOUT_MS: '150' }, { clock })
    const another = await owner(impatient)
    stripe.trouble = 'slow'
    expect(await another.ask('openCheckout')).toMatchObject({
      status: 503,
      text: "The payment provider can't be reached just now. Please try again in a moment.",
    })
    await impatient.remove()
  })
})

it('without keys both buttons say that payments are not set up, and the rest works', { tags: 'long' }, async () => {
  const bare = await testServer()
  const another = await owner(bare)
  for (const name of ['openCheckout', 'openPortal'] as const) {
    expect(await another.ask(name)).toMatchObject({
      status: 503,
      text: 'Card payments are not set up on this server.',
    })
  }
  expect(await another.callOrThrow('listInvoices')).toEqual([])
  expect(await another.callOrThrow('refreshSubscription')).toMatchObject({
    subscriptionStatus: 'trialing',
    payments: false,
  })
  await bare.remove()
})

it('one key without the others keeps the server from starting, and the error names the missing ones', async () => {
  await expect(testServer({ STRIPE_SECRET_KEY: 'sk_test_x' })).rejects.toThrow(
    /STRIPE_WEBHOOK_SECRET: missing[\s\S]*STRIPE_PRICE_ID: missing/,
  )
})
