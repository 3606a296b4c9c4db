/** Second factors: their set-up, and the second step of a sign-in. */
import { z } from 'zod'
import { busy, pageAgency, password, userReply } from './auth.ts'
import { route } from './route.ts'

/** A code of an authenticator app or a recovery code, as it was typed. */
export const factorCode = z
  .string()
  .min(1, 'Enter a code')
  .max(100, 'A code has at most 10 letters or digits')
  .meta({ examples: ['123456'] })

/** An account without a password proves itself by single sign-on instead: see `confirmWithOidc`. */
export const passwordProof = z.object({ password: password.optional() })
export const codeBody = z.object({ code: factorCode })
export const confirmAddressBody = z.object({
  token: z
    .string()
    .max(200)
    .meta({ examples: ['x3Jt0dWq4vK8mZ1yC6bN9sL2pR5uE7aG0hT4iF8oQwM'] }),
})

const factorsReply = z.object({
  /** The authenticator app; null for none. */
  app: z.object({ addedAt: z.string() }).nullable(),
  passkeys: z.array(z.object({ id: z.string(), name: z.string(), addedAt: z.string(), usedAt: z.string().nullable() })),
  /** Why no passkey can be added or used at the address of this server; null: they can. */
  noPasskeys: z.enum(['ip-address', 'not-https']).nullable(),
  /** How many unused recovery codes there are. */
  recoveryCodes: z.int(),
  /** False for an account that single sign-on opened, until a password is set. */
  hasPassword: z.boolean(),
  /** Until when a sign-in at the provider stands in for the password; null: it doesn't. */
  confirmedUntil: z.string().nullable(),
  /** Single sign-on, and the address of the linked person at the provider; null where it is not set up. */
  signOn: z
    .object({ name: z.string(), link: z.object({ email: z.string(), addedAt: z.string() }).nullable() })
    .nullable(),
})
export type Factors = z.infer<typeof factorsReply>

export const newCodes = z.object({
  /** Ten codes, which are never shown again; none where the user has some already. */
  recoveryCodes: z.array(z.string()),
})

/** Besides a passkey: a code of the app, or a recovery code. */
export const signInMethods = ['app', 'passkey', 'recovery'] as const

const signInReply = z.object({ methods: z.array(z.enum(signInMethods)) })
export type SignInMethods = z.infer<typeof signInReply>

export const wrongPassword = 'The password is wrong. No 401, which would mean that no user is signed in'
export const unconfirmed = 'The email address is not confirmed'
export const tooMany = 'Too many attempts'
export const signInOver = 'No sign-in waits for a second factor'

export const factorRoutes = {
  askAddressLink: route({
    method: 'POST',
    path: '/api/auth/address',
    access: 'user',
    beforeFactor: true,
    summary: 'Ask for a link that confirms the email address',
    reply: null,
    status: 204,
    errors: {
      409: 'The address is confirmed already',
      429: tooMany,
      503: "The server can't send email, or has a lot of it to send at this moment",
    },
  }),
  confirmAddress: route({
    method: 'POST',
    path: '/api/auth/address/confirm',
    access: 'user',
    beforeFactor: true,
    summary: 'Confirm the email address by that link: every other session ends, this one goes on under a new id',
    body: confirmAddressBody,
    reply: userReply,
    status: 200,
    errors: { 403: "The link doesn't work any more, or is for another account", 429: tooMany },
  }),
  getFactors: route({
    method: 'GET',
    path: '/api/auth/factors',
    access: 'user',
    beforeFactor: true,
    summary: "The user's second factors",
    reply: factorsReply,
    status: 200,
  }),
  beginTotp: route({
    method: 'POST',
    path: '/api/auth/totp',
    access: 'user',
    beforeFactor: true,
    summary: 'Begin to set up an authenticator app: its first code completes it',
    body: passwordProof,
    reply: z.object({
      /** In base32. */
      secret: z.string(),
      /** The same for a QR code. */
      uri: z.string(),
    }),
    status: 200,
    errors: { 403: `${wrongPassword}. ${unconfirmed}`, 409: 'There is an app already', 429: tooMany, 503: busy },
  }),
  confirmTotp: route({
    method: 'POST',
    path: '/api/auth/totp/confirm',
    access: 'user',
    beforeFactor: true,
    summary: "Complete the set-up by the app's code",
    body: codeBody,
    reply: newCodes,
    status: 200,
    errors: { 403: `The code is wrong. ${unconfirmed}`, 409: 'No set-up is under way', 429: tooMany, 503: busy },
  }),
  removeTotp: route({
    method: 'POST',
    path: '/api/auth/totp/remove',
    access: 'user',
    summary: 'Remove the authenticator app',
    body: passwordProof,
    reply: null,
    status: 204,
    errors: { 403: wrongPassword, 429: tooMany, 503: busy },
  }),
  renewRecoveryCodes: route({
    method: 'POST',
    path: '/api/auth/recovery-codes',
    access: 'user',
    summary: 'Replace all recovery codes',
    body: passwordProof,
    reply: newCodes,
    status: 200,
    errors: { 403: wrongPassword, 409: 'There is no second factor', 429: tooMany, 503: busy },
  }),
  getSignIn: route({
    method: 'GET',
    path: '/api/auth/sign-in',
    access: 'public',
    summary: 'How the sign-in under way can be completed',
    reply: signInReply,
    status: 200,
    errors: { 401: signInOver },
  }),
  completeSignIn: route({
    method: 'POST',
    path: '/api/auth/sign-in/code',
    access: 'public',
    summary: 'Complete the sign-in under way by a code',
    body: codeBody.extend(pageAgency),
    reply: userReply,
    status: 200,
    errors: { 401: `${signInOver}, or the code is wrong`, 429: tooMany, 503: busy },
  }),
}
