/** Values shared by several aggregates and the API contract. Browser-safe. */
import { z } from 'zod'
import { instant, timeZoneName, uuid, webAddress, webAddressOrNothing } from './documented.ts'

export const platforms = ['facebook', 'instagram', 'twitter', 'linkedin'] as const
export const platformSchema = z.enum(platforms)
export type Platform = z.infer<typeof platformSchema>

/** Stores cut a text at a NUL, and none keeps a lone surrogate. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text)

export const idSchema = z.uuid('Not a valid id').meta(uuid)

const notAnInstant = 'Enter a date and time like 2025-01-05T15:00:00Z'

/** An instant with any offset, converted to UTC with milliseconds. */
export const instantSchema = z.iso
  .datetime({ offset: true, error: ({ input }) => (input === undefined ? 'Required' : notAnInstant) })
  .meta(instant)
  .transform((text, context) => {
    const time = new Date(text)
    // An offset can move the time out of the four-digit years, and only those sort as strings.
    if (Number.isNaN(time.getTime()) || time.getUTCFullYear() < 0 || time.getUTCFullYear() > 9_999) {
      context.addIssue(notAnInstant)
      return z.NEVER
    }
    return time.toISOString()
  })

/** An instant as events store it. */
export const storedInstant = z.iso.datetime({ precision: 3 })

export const webUrlSchema = z
  .string()
  .trim()
  .max(2048, 'A web address has at most 2,048 characters')
  .refine(isWebUrl, 'Enter a web address that starts with http:// or https://')
  .meta(webAddress)

/** A URL, or nothing: null and '' both clear it. The field itself is required. */
export const webUrlOrNothingSchema = z
  .string()
  .trim()
  .max(2048, 'A web address has at most 2,048 characters')
  .refine((text) => text === '' || isWebUrl(text), 'Enter a web address that starts with http:// or https://')
  .meta(webAddressOrNothing)
  .nullable()
  .transform((url) => url || null)

function isWebUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false
  return URL.canParse(text)
}

export const timeZoneSchema = z.string().max(100).refine(isTimeZone, 'Unknown time zone').meta(timeZoneName)

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** A stored image: exactly these bytes are published. */
export const storedImageSchema = z.strictObject({
  /** SHA-256 of the bytes, hexadecimal. */
  hash: z.string(),
  type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
  /** In bytes. */
  size: z.int(),
  width: z.int(),
  height: z.int(),
})
export type StoredImage = z.infer<typeof storedImageSchema>

/** What an agency may do: `good`, or why it may only read and delete. */
export const standings = ['good', 'trial-ended', 'unpaid', 'canceled'] as const
export type Standing = (typeof standings)[number]
