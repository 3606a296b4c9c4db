import { z } from 'zod'
import type { FactOf } from '../core/history.ts'
import { storedInstant } from '../core/values.ts'
import { scopeSchema } from './commands.ts'

export const auditorLinkEvents = {
  AuditorLinkIssued: z.strictObject({ label: z.string(), scope: scopeSchema, expiresAt: storedInstant }),
  AuditorLinkRevoked: z.strictObject({}),
  AuditorLinkUsed: z.strictObject({ usedAt: storedInstant }),
} as const

export type AuditorLinkEvent = FactOf<typeof auditorLinkEvents>
