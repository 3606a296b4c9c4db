/** Passkeys: registration, and sign-in with one. */
import { z } from 'zod'
import { notBlank } from '../../domain/core/documented.ts'
import { hasVisible } from '../../domain/core/visible.ts'
import { busy, pageAgency, userReply } from './auth.ts'
import { newCodes, passwordProof, signInOver, tooMany, unconfirmed, wrongPassword } from './factors.ts'
import { maxPasskeys } from './limits.ts'
import { route } from './route.ts'

const passkeyName = z
  .string()
  .trim()
  .refine(hasVisible, 'Name is required')
  .max(60, 'A name has at most 60 characters')
  .meta({ ...notBlank, examples: ['Work laptop'] })

/** Bytes in base64url, as browsers send them. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .meta({ examples: ['AAAA'] })
const credential = {
  id: bytes(1_400),
  rawId: bytes(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z
    .string()
    .max(30)
    .meta({ examples: ['platform'] })
    .nullable()
    .optional(),
}

export const addPasskeyBody = z.object({
  name: passkeyName,
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4_000),
      attestationObject: bytes(16_000),
      transports: z
        .array(
          z
            .string()
            .max(30)
            .meta({ examples: ['internal'] }),
        )
        .max(10)
        .optional(),
    }),
  }),
})
export const usePasskeyBody = z.object({
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4_000),
      authenticatorData: bytes(4_000),
      signature: bytes(2_000),
      userHandle: bytes(100).nullable().optional(),
    }),
  }),
})
export type AddedPasskey = z.infer<typeof addPasskeyBody>['response']
export type UsedPasskey = z.infer<typeof usePasskeyBody>['response']
export const renamePasskeyBody = z.object({ name: passkeyName })

export const passkeyReply = z.object({
  id: z.string(),
  name: z.string(),
  addedAt: z.string(),
  usedAt: z.string().nullable(),
})
export type Passkey = z.infer<typeof passkeyReply>

/** For the browser's own functions: `PublicKeyCredentialCreationOptionsJSON` and its like. */
const browserOptions = z.looseObject({ challenge: z.string() })

const byId = z.object({
  id: z
    .string()
    .max(100)
    .meta({ examples: ['x3Jt0dWq4vK8mZ1yC6bN9s'] }),
})
const noPasskeys = 'Passkeys do not work at the address of this server'
const refused = 'The passkey is unknown or its answer is wrong'

export const passkeyRoutes = {
  beginPasskey: route({
    method: 'POST',
    path: '/api/auth/passkeys/options',
    access: 'user',
    beforeFactor: true,
    summary: 'Begin to add a passkey: options for `navigator.credentials.create`, valid once, for five minutes',
    body: passwordProof,
    reply: browserOptions,
    status: 200,
    errors: {
      403: `${wrongPassword}. ${unconfirmed}`,
      409: `${noPasskeys}, or there are ${maxPasskeys} already`,
      429: tooMany,
      503: busy,
    },
  }),
  addPasskey: route({
    method: 'POST',
    path: '/api/auth/passkeys',
    access: 'user',
    beforeFactor: true,
    summary: "Add a passkey by the browser's answer",
    body: addPasskeyBody,
    reply: newCodes.extend({ passkey: passkeyReply }),
    status: 201,
    errors: { 403: `${refused}. ${unconfirmed}`, 409: `There are ${maxPasskeys} already`, 429: tooMany, 503: busy },
  }),
  renamePasskey: route({
    method: 'PATCH',
    path: '/api/auth/passkeys/{id}',
    access: 'user',
    summary: 'Rename a passkey',
    params: byId,
    body: renamePasskeyBody,
    reply: passkeyReply,
    status: 200,
  }),
  removePasskey: route({
    method: 'POST',
    path: '/api/auth/passkeys/{id}/remove',
    access: 'user',
    summary: 'Remove a passkey',
    params: byId,
    body: passwordProof,
    reply: null,
    status: 204,
    errors: { 403: wrongPassword, 429: tooMany, 503: busy },
  }),
  askPasskey: route({
    method: 'POST',
    path: '/api/auth/sign-in/passkey/options',
    access: 'public',
    summary: 'Begin to use a passkey: options for `navigator.credentials.get`, valid once, for five minutes',
    body: z.object({
      /** `first`: a passkey alone signs in. `second`: it completes the sign-in under way. */
      step: z.enum(['first', 'second']),
    }),
    reply: browserOptions,
    status: 200,
    errors: { 401: signInOver, 409: noPasskeys, 429: tooMany },
  }),
  usePasskey: route({
    method: 'POST',
    path: '/api/auth/sign-in/passkey',
    access: 'public',
    summary: "Sign in by the browser's answer",
    body: usePasskeyBody.extend(pageAgency),
    reply: userReply,
    status: 200,
    errors: { 401: `${signInOver}. ${refused}`, 409: noPasskeys, 429: tooMany },
  }),
}
