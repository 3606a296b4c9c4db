/** The commands of an auditor's link. */
import { z } from 'zod'
import { notBlank } from '../core/documented.ts'
import { hasVisible } from '../core/visible.ts'
import { idSchema, instantSchema } from '../core/values.ts'

/** The whole agency, or one of its clients. */
export const scopeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('agency') }),
  z.strictObject({ kind: z.literal('client'), clientId: idSchema }),
])
export type Scope = z.infer<typeof scopeSchema>

export const newLinkSchema = z.object({
  /** The recipient, in the owner's words. */
  label: z
    .string()
    .trim()
    .refine(hasVisible, 'Required')
    .max(120, 'A name has at most 120 characters')
    .meta({ ...notBlank, examples: ['Yearly audit'] }),
  scope: scopeSchema.default({ kind: 'agency' }),
  expiresAt: instantSchema,
})

export type AuditorLinkCommand =
  | { readonly type: 'IssueAuditorLink'; readonly label: string; readonly scope: Scope; readonly expiresAt: string }
  | { readonly type: 'RevokeAuditorLink' }
  /** The link was opened or used to read. */
  | { readonly type: 'RecordAuditorLinkUse' }
