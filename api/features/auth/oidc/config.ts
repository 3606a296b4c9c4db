/** The environment of single sign-on: one provider that speaks OpenID Connect. */
import { z } from 'zod'
import { isLoopback } from '../../../core/public-url.ts'

const given = z.string().min(1).optional()
function isDomain(text: string): boolean {
  const labels = text.split('.')
  return labels.length > 1 && labels.every((label) => /^[a-z0-9-]{1,63}$/.test(label))
}

/** To be spread into the environment schema. */
export const oidcEnvironment = {
  OIDC_ISSUER: z
    .string()
    .max(500)
    .refine(
      isIssuer,
      "the provider's address as it names itself, like https://login.example (http: on this machine only)",
    )
    .optional(),
  OIDC_CLIENT_ID: given,
  OIDC_CLIENT_SECRET: given,
  /** Of the addresses that may sign in, separated by commas. */
  OIDC_ALLOWED_DOMAINS: z
    .string()
    .transform((text) => text.split(',').map((domain) => domain.trim().toLowerCase()))
    .refine(
      (domains) => domains.every(isDomain),
      'domains of email addresses, separated by commas, like agency.example,brand.example',
    )
    .optional(),
  /** On the button: `Continue with …`. */
  OIDC_NAME: z.string().trim().min(1, '1 to 40 characters').max(40, '1 to 40 characters').default('single sign-on'),
}

const shape = z.object(oidcEnvironment)
type Environment = z.output<typeof shape>

export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly allowedDomains: readonly string[]
  readonly name: string
}

const together = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ALLOWED_DOMAINS'] as const

/** `NAME: sentence` for each variable missing beside one that is set; never a value. */
export function missingForOidc(env: Environment): string[] {
  const there = together.find((name) => env[name] !== undefined)
  if (there === undefined) return []
  return together
    .filter((name) => env[name] === undefined)
    .map((name) => `${name}: missing, because ${there} is set; single sign-on needs all of ${together.join(', ')}`)
}

/** Null: single sign-on is not set up. */
export function oidcSettings(env: Environment): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = env
  const { OIDC_ALLOWED_DOMAINS: allowedDomains } = env
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null
  return allowedDomains === undefined ? null : { issuer, clientId, clientSecret, allowedDomains, name }
}

function isIssuer(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password, search, hash } = new URL(address)
  const isPlain = username === '' && password === '' && search === '' && hash === ''
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)))
}
