/** A small server with Stripe's API shape, a page that pays and signed webhooks. For tests. */
import { createServer, type Server } from 'node:http'
import express, { type Request, type Response } from 'express'
import { Stripe } from 'stripe'
import type { Clock } from '../../../core/clock.ts'

export interface FakeSubscription {
  readonly id: string
  readonly object: 'subscription'
  readonly customer: string
  readonly status: string
  readonly cancel_at_period_end: boolean
  /** Unix seconds. */
  readonly cancel_at: number | null
  readonly created: number
  readonly metadata: Readonly<Record<string, string>>
  readonly items: {
    readonly object: 'list'
    readonly data: readonly {
      readonly id: string
      readonly current_period_end: number
      readonly price: { readonly id: string }
    }[]
  }
}

type Checkout = Readonly<Record<string, unknown>> & { readonly id: string; status: 'open' | 'complete' | 'expired' }

export interface Delivery {
  readonly id: string
  readonly body: string
  readonly signature: string
}

export interface FakeStripe {
  readonly url: string
  /** The server's environment variables for this Stripe. */
  readonly env: Readonly<Record<string, string>>
  /** The receiver of webhooks; null sends none. */
  product: string | null
  /** `down` resets connections, `slow` never answers, a number answers with that status, a promise delays answers. */
  trouble: 'down' | 'slow' | number | Promise<void> | null
  readonly customers: ReadonlyMap<string, unknown>
  readonly subscriptions: ReadonlyMap<string, FakeSubscription>
  /** The requested checkouts. */
  readonly checkouts: readonly Checkout[]
  /** Creates or changes a subscription without sending a webhook. */
  set(subscription: Partial<FakeSubscription> & { readonly id: string }): FakeSubscription
  /** A signed message about a subscription's current state. */
  message(
    type: string,
    subscriptionId: string,
    options?: { readonly created?: number; readonly id?: string; readonly secret?: string; readonly signedAt?: number },
  ): Delivery
  /** Delivers a message to the server and returns the status. */
  deliver(delivery: Delivery): Promise<number>
  /** Deletes all customers, subscriptions, checkouts and invoices, and ends the trouble. Ids stay unique. */
  forget(): void
  close(): Promise<void>
}

const secret = 'whsec_of_the_tests'
const monthSeconds = 30 * 24 * 3600

export async function startStripe(clock: Clock): Promise<FakeStripe> {
  const signer = new Stripe('sk_test_none')
  const app = express()
  const server: Server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const url = `http://127.0.0.1:${address.port}`

  const seconds = () => Math.floor(Date.parse(clock.now()) / 1000)
  const customers = new Map<string, unknown>()
  const byKey = new Map<string, unknown>()
  const subscriptions = new Map<string, FakeSubscription>()
  const checkouts: Checkout[] = []
  const invoices: Readonly<Record<string, unknown>>[] = []
  let count = 0
  const next = (prefix: string) => `${prefix}_${++count}`

  const fake: FakeStripe = {
    url,
    env: {
      STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
      STRIPE_WEBHOOK_SECRET: secret,
      STRIPE_PRICE_ID: 'price_49',
      STRIPE_API_BASE: url,
    },
    product: null,
    trouble: null,
    customers,
    subscriptions,
    checkouts,
    set(change) {
      const before = subscriptions.get(change.id) ?? {
        object: 'subscription' as const,
        customer: '',
        status: 'active',
        cancel_at_period_end: false,
        cancel_at: null,
        created: seconds(),
        metadata: {},
        items: {
          object: 'list' as const,
          data: [{ id: 'si_1', current_period_end: seconds() + monthSeconds, price: { id: 'price_49' } }],
        },
      }
      const after = { ...before, ...change }
      subscriptions.set(change.id, after)
      return after
    },
    message(
      type,
      subscriptionId,
      { created = seconds(), id = next('evt'), secret: signedWith = secret, signedAt = seconds() } = {},
    ) {
      const object = subscriptions.get(subscriptionId) ?? { id: subscriptionId, object: 'something' }
      const body = JSON.stringify({
        id,
        object: 'event',
        type,
        created,
        data: { object },
        livemode: false,
        pending_webhooks: 1,
        api_version: null,
        request: null,
      })
      return {
        id,
        body,
        signature: signer.webhooks.generateTestHeaderString({ payload: body, secret: signedWith, timestamp: signedAt }),
      }
    },
    async deliver({ body, signature }) {
      if (fake.product === null) throw new Error('Nobody listens')
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      return (await fetch(`${fake.product}/api/billing/webhook`, { method: 'POST', headers, body })).status
    },
    forget() {
      for (const map of [customers, byKey, subscriptions]) map.clear()
      for (const list of [checkouts, invoices]) list.length = 0
      fake.trouble = null
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  app.use(express.urlencoded({ extended: true }))
  app.use('/v1', async (request, response, go) => {
    response.set('date', new Date(clock.now()).toUTCString())
    if (fake.trouble === 'down') return void request.socket.destroy()
    if (fake.trouble === 'slow') return
    if (fake.trouble instanceof Promise) await fake.trouble
    if (typeof fake.trouble === 'number') return refuse(response, fake.trouble)
    if (request.get('authorization') !== `Bearer ${fake.env['STRIPE_SECRET_KEY']}`) return refuse(response, 401)
    go()
  })
  /** The same idempotency key gets the same answer. */
  const once = (make: (request: Request) => unknown) => (request: Request, response: Response) => {
    const key = request.get('idempotency-key')
    const known = key === undefined ? undefined : byKey.get(key)
    const answer = known ?? make(request)
    if (key !== undefined) byKey.set(key, answer)
    response.json(answer)
  }
  app.post('/v1/customers/:id', ({ params, body }, response) => {
    const customer = { ...(customers.get(params.id) as object), ...body }
    customers.set(params.id, customer)
    response.json(customer)
  })
  app.post(
    '/v1/customers',
    once(({ body }) => {
      const customer = { id: next('cus'), object: 'customer', ...body }
      customers.set(customer.id, customer)
      return customer
    }),
  )
  app.post(
    '/v1/checkout/sessions',
    once(({ body }) => {
      const id = next('cs')
      const session: Checkout = {
        ...body,
        id,
        object: 'checkout.session',
        status: 'open',
        created: seconds(),
        url: `${url}/pay/${id}`,
      }
      checkouts.push(session)
      return session
    }),
  )
  app.get(
    '/v1/checkout/sessions',
    ({ query }, response) =>
      void response.json(
        list(
          checkouts.filter(
            (session) => session['customer'] === query['customer'] && session.status === query['status'],
          ),
        ),
      ),
  )
  app.post('/v1/checkout/sessions/:id/expire', ({ params }, response) => {
    const session = checkouts.find(({ id }) => id === params.id)
    if (session?.status !== 'open') return refuse(response, 400)
    session.status = 'expired'
    response.json(session)
  })
  app.post(
    '/v1/billing_portal/sessions',
    once(({ body }) => ({
      id: next('bps'),
      object: 'billing_portal.session',
      url: `${url}/portal?back=${encodeURIComponent(String(body.return_url))}`,
    })),
  )
  const list = (data: readonly unknown[]) => ({ object: 'list', data, has_more: false, url: '/v1' })
  app.get('/v1/subscriptions', ({ query }, response) => {
    const all = [...subscriptions.values()]
    response.json(
      list(query['customer'] === undefined ? all : all.filter(({ customer }) => customer === query['customer'])),
    )
  })
  app.get(
    '/v1/invoices',
    ({ query }, response) =>
      void response.json(list(invoices.filter(({ customer }) => customer === query['customer']).toReversed())),
  )

  app.get('/pay/:id', ({ params }, response) => {
    response
      .type('html')
      .send(
        `<!doctype html><title>Test payment</title><h1>Pay $49 a month</h1><form method="post" action="/pay/${params.id}"><button>Pay</button></form>`,
      )
  })
  app.post('/pay/:id', async ({ params }, response) => {
    const session = checkouts.find(({ id }) => id === params.id) as
      | (Checkout & {
          readonly customer: string
          readonly success_url: string
          readonly subscription_data?: {
            readonly metadata?: Record<string, string>
            readonly trial_end?: string
            readonly trial_period_days?: string
          }
        })
      | undefined
    if (!session) return void response.status(404).end()
    if (session.status !== 'open')
      return void response
        .status(410)
        .type('html')
        .send('<!doctype html><title>Test payment</title><h1>This page has ended</h1>')
    session.status = 'complete'
    const { metadata = {}, trial_end: trialEnd, trial_period_days: trialDays } = session.subscription_data ?? {}
    const isTrial = trialEnd !== undefined || trialDays !== undefined
    const { id } = fake.set({
      id: next('sub'),
      customer: session.customer,
      status: isTrial ? 'trialing' : 'active',
      metadata,
    })
    invoices.push({
      id: next('in'),
      object: 'invoice',
      customer: session.customer,
      number: `T-${count}`,
      created: seconds(),
      total: isTrial ? 0 : 4900,
      currency: 'usd',
      status: 'paid',
      invoice_pdf: `${url}/invoice.pdf`,
      hosted_invoice_url: `${url}/invoice`,
    })
    if (fake.product !== null) await fake.deliver(fake.message('customer.subscription.created', id))
    response.redirect(303, session.success_url)
  })
  app.get(
    '/portal',
    ({ query }, response) =>
      void response
        .type('html')
        .send(`<!doctype html><title>Test portal</title><a href="${encodeURI(String(query['back']))}">Back</a>`),
  )
  return fake
}

function refuse(response: Response, status: number): void {
  const type =
    status === 402
      ? 'card_error'
      : status === 429
        ? 'rate_limit_error'
        : status >= 500
          ? 'api_error'
          : 'invalid_request_error'
  response.status(status).json({ error: { type, message: 'No.' } })
}
