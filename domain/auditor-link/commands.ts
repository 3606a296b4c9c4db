/** What may be asked of a link that lets an auditor read. */
import { z } from 'zod'
import { notBlank } from '../core/documented.ts'
import { idSchema, instantSchema } from '../core/values.ts'

/** The whole agency, or one client of it. */
export const scopeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('agency') }),
  z.strictObject({ kind: z.literal('client'), clientId: idSchema }),
])
export type Scope = z.infer<typeof scopeSchema>

export const newLinkSchema = z.object({
  /** Whom it is for, in the owner's words. */
  label: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(120, 'A name has at most 120 characters')
    .meta({ ...notBlank, examples: ['Yearly audit'] }),
  scope: scopeSchema.default({ kind: 'agency' }),
  expiresAt: instantSchema,
})

export type AuditorLinkCommand =
  | { readonly type: 'IssueAuditorLink'; readonly label: string; readonly scope: Scope; readonly expiresAt: string }
  | { readonly type: 'RevokeAuditorLink' }
  /** Somebody opened it, or read through it. */
  | { readonly type: 'RecordAuditorLinkUse' }
