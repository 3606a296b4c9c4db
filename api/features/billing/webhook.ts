/** `POST /api/billing/webhook`: Stripe's webhook messages. Outside the contract, because only Stripe calls it. */
import express, { Router, type Request } from 'express'
import type { Logger } from 'pino'
import type { Clock } from '../../core/clock.ts'
import type { AppendedEvent } from '../../core/command-handler.ts'
import { boundedBody } from '../../http/bounded-body.ts'
import { otherMethods } from '../../http/methods.ts'
import { Problem } from '../../http/problem.ts'
import { InFlightLimit, type InFlightBounds } from '../../core/in-flight-limit.ts'
import { sourceOf } from '../../core/source.ts'
import type { RecordTable, Records } from '../../records/port.ts'
import { recordSubscriptionUpdate } from './subscription-updates.ts'
import type { BillingPorts } from './routes.ts'

interface ProcessedMessage {
  /** The message's own id. */
  readonly id: string
  readonly at: string
}

type Ports = BillingPorts & {
  readonly records: Records
  readonly clock: Clock
  readonly log: Logger
  /** Timeout for receiving a message, in milliseconds. */
  readonly bodyMs: number
  /** Whether the views have the appended events. */
  readonly waitFor: (appendedEvents: readonly AppendedEvent[], timeoutMs: number) => Promise<boolean>
}

/** Stripe's messages have a few kilobytes; the largest objects in them some tens. */
export const maxMessageBytes = 256 * 1024
const bodyBounds: InFlightBounds = {
  maxCount: 64,
  maxBytes: 4 * 1024 * 1024,
  maxCountPerSource: 16,
  maxBytesPerSource: 1024 * 1024,
}
/** The answer waits this long for the views, so that a read right after it sees the change. */
const visibleWithinMs = 2_000
/** Stripe retries a message for three days; after a week no repetition is expected. */
const keptMs = 7 * 24 * 3_600_000

export async function billingWebhook(ports: Ports): Promise<Router> {
  const { payments, records, clock, log, waitFor } = ports
  const processed: RecordTable<ProcessedMessage> = await records.table<ProcessedMessage>({
    table: 'billing_messages',
    indexed: ['at'],
  })
  const router = Router()
  const parser = express.raw({ type: () => true, limit: maxMessageBytes, inflate: false })
  const inFlight = new InFlightLimit(bodyBounds)
  const reserve = (request: Request, bytes: number) => inFlight.reserve(sourceOf(request.ip ?? ''), bytes)
  const body = boundedBody(parser, { maxBytes: maxMessageBytes, timeoutMs: ports.bodyMs, reserve })
  // Before the body is read.
  router.post('/api/billing/webhook', (_request, _response, next) => {
    if (!payments) throw new Problem(503, 'payments-not-set-up', 'Card payments are not set up on this server.')
    next()
  })
  // The signature covers the raw bytes.
  router.post('/api/billing/webhook', body, async (request, response) => {
    const sent: unknown = request.body
    const message =
      payments && Buffer.isBuffer(sent)
        ? payments.message(sent, request.get('stripe-signature') ?? '', clock.now())
        : null
    if (!message) throw new Problem(400, 'bad-signature', 'The signature is missing, wrong or too old.')
    if (message.update && !(await processed.get(message.id))) {
      const result = await recordSubscriptionUpdate(ports, message.update, 'told', message.id)
      if (result.kind === 'unknown-customer')
        log.warn({ message: message.id, type: message.type }, 'Ignored a payment message of an unknown customer')
      else await waitFor(result.appendedEvents, visibleWithinMs)
      // Recorded last: an interrupted message is processed again, and its repetition appends nothing.
      await processed.removeBefore('at', new Date(Date.parse(clock.now()) - keptMs).toISOString())
      await processed.insert({ id: message.id, at: clock.now() })
    }
    response.status(200).type('text/plain').send('Received')
  })
  router.use(otherMethods([{ path: '/api/billing/webhook', method: 'POST' }]))
  return router
}
