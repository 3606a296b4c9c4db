/** Stripe's environment variables: key, webhook secret and price together enable card payments. */
import { z } from 'zod'

const given = z.string().min(1).optional()

/** To be spread into the environment schema. */
export const stripeEnvironment = {
  STRIPE_SECRET_KEY: given,
  STRIPE_WEBHOOK_SECRET: given,
  /** The price of $49 a month. */
  STRIPE_PRICE_ID: given,
  /** Timeout of one request; each is sent twice at most. */
  STRIPE_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
  STRIPE_API_BASE: z.url({ protocol: /^https?$/, error: 'an address like https://api.stripe.com' }).optional(),
}

const shape = z.object(stripeEnvironment)
type Environment = z.output<typeof shape>

export interface StripeSettings {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly priceId: string
  /** Null: Stripe's own. */
  readonly apiBase: string | null
  readonly timeoutMs: number
}

const together = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_ID'] as const

/** `NAME: sentence` for each variable missing beside one that is set; never a value. */
export function missingForStripe(env: Environment): string[] {
  const there = together.filter((name) => env[name] !== undefined)
  if (there.length === 0 || there.length === together.length) return []
  return together
    .filter((name) => env[name] === undefined)
    .map(
      (name) =>
        `${name}: missing, because ${there[0]} is set; card payments need all of ${together.join(', ')}, or none`,
    )
}

/** Null: card payments are not set up. */
export function stripeSettings(env: Environment): StripeSettings | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_PRICE_ID: priceId } = env
  if (secretKey === undefined || webhookSecret === undefined || priceId === undefined) return null
  return { secretKey, webhookSecret, priceId, apiBase: env.STRIPE_API_BASE ?? null, timeoutMs: env.STRIPE_TIMEOUT_MS }
}
