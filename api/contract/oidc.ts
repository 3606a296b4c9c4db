/** Single sign-on: one OpenID Connect provider, for those who sign in and for a link to an account. */
import { z } from 'zod'
import { busy } from './auth.ts'
import { passwordProof, tooMany, unconfirmed, wrongPassword } from './factors.ts'
import { route } from './route.ts'

/** How a visit to the provider ended, where it did not sign in: part of the address that the browser comes back to. */
export const signOnOutcomes = [
  'second-step',
  'linked',
  'confirmed',
  'canceled',
  'refused',
  'unavailable',
  'busy',
  'too-many',
  'email-unverified',
  'wrong-domain',
  'account-unconfirmed',
  'another-link',
  'another-account',
] as const
export type SignOnOutcome = (typeof signOnOutcomes)[number]

const notSetUp = 'Single sign-on is not set up on this server'
const unavailable = "The provider can't be reached"
const visit = z.object({
  /** Where the browser goes. */
  url: z.string(),
})
/** A value that is doubled, too long or can't be stored counts as empty, which the callback refuses as a wrong one. */
const fromProvider = (example: string, max = 4_000) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0'))
    .meta({ examples: [example] })
    .optional()
    .catch('')

/** The pages beside the landing page where a sign-in begins, and where it then ends: no other address is taken. */
export const signOnPages = { invitation: '/invitation' } as const
export type SignOnPage = keyof typeof signOnPages

export const oidcRoutes = {
  signInWithOidc: route({
    method: 'GET',
    path: '/api/auth/oidc',
    access: 'public',
    summary: 'Go to the provider of single sign-on to sign in, or back to the page with the reason why not',
    query: z.object({
      /** The page that the browser comes back to; the landing page when absent. */
      from: z.literal('invitation').optional(),
    }),
    reply: null,
    status: 302,
    errors: { 404: notSetUp },
  }),
  linkOidc: route({
    method: 'POST',
    path: '/api/auth/oidc/link',
    access: 'user',
    beforeFactor: true,
    summary: 'Begin to link the account to a person at the provider',
    body: passwordProof,
    reply: visit,
    status: 200,
    errors: { 403: `${wrongPassword}. ${unconfirmed}`, 404: notSetUp, 429: tooMany, 503: `${unavailable}. ${busy}` },
  }),
  confirmWithOidc: route({
    method: 'POST',
    path: '/api/auth/oidc/confirm',
    access: 'user',
    beforeFactor: true,
    summary: 'Begin to sign in again, in place of a password that the account does not have',
    reply: visit,
    status: 200,
    errors: { 404: notSetUp, 409: 'The account has no link', 429: tooMany, 503: unavailable },
  }),
  oidcCallback: route({
    method: 'GET',
    path: '/api/auth/oidc/callback',
    access: 'public',
    summary: 'Come back from the provider; the fragment of the address that follows says how it ended',
    query: z.object({
      state: fromProvider('x3Jt0dWq4vK8mZ1yC6bN9sL2pR5uE7aG0hT4iF8oQwM', 200),
      code: fromProvider('AQD0x1y2z3'),
      error: fromProvider('access_denied'),
      error_description: fromProvider('The person canceled'),
      iss: fromProvider('https://accounts.example.com'),
    }),
    reply: null,
    status: 302,
    errors: { 404: notSetUp },
  }),
  unlinkOidc: route({
    method: 'POST',
    path: '/api/auth/oidc/unlink',
    access: 'user',
    summary: 'Remove the link to the provider',
    body: passwordProof,
    reply: null,
    status: 204,
    errors: { 403: wrongPassword, 409: 'The account has no password', 429: tooMany, 503: busy },
  }),
}
