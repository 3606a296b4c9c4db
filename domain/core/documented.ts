/**
 * JSON Schema equivalents of rules that are functions, for `.meta()`, because the API description has no other way to
 * express them. Patterns are read with the `u` flag. Browser-safe.
 */
import { z } from 'zod'
import { invisible } from './visible.ts'

/** The characters that `String.prototype.trim` removes, for a character class. */
const space = '\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'
/** Lone surrogates are missing: other languages' patterns can't express them. */
const unstorable = '\\u0000'

/** Any text that every store returns unchanged: see `isStorable`. */
export const storable = { pattern: `^[^${unstorable}]*$` }
/** At least one visible character: see `hasVisible`. */
export const notBlank = { minLength: 1, pattern: `^[${invisible}]*[^${invisible}${unstorable}][^${unstorable}]*$` }
/** At least two characters between surrounding whitespace, one of them visible. */
export const twoOrMore = {
  minLength: 2,
  pattern: `^[${space}]*[^${space}${unstorable}][^${unstorable}]*[^${space}${unstorable}][${space}]*$`,
  not: { pattern: `^[${invisible}]*$` },
}

export const emailAddress = {
  format: 'email',
  maxLength: 254,
  pattern: z.regexes.email.source,
  examples: ['ada@example.com'],
}

const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
const host = `(?:(?:[A-Za-z0-9-]{1,63}\\.)*[A-Za-z][A-Za-z0-9-]{0,62}|${octet}(?:\\.${octet}){3})`
const address = `[Hh][Tt][Tt][Pp][Ss]?://${host}(?::[0-9]{1,4})?(?:[/?#][!-~]*)?`
const addressNote = 'Hosts in other scripts and notations of the URL Standard are taken, too'
export const webAddress = {
  format: 'uri',
  pattern: `^${address}$`,
  description: addressNote,
  examples: ['https://bluecup.example/menu'],
}
/** The same, or '' for none. */
export const webAddressOrNothing = {
  pattern: `^(?:${address})?$`,
  description: `${addressNote}. '' and null: none`,
  examples: ['https://bluecup.example/menu'],
}

/** The API description lists the time zones the server knows, as `enum`. */
export const timeZoneName = {
  format: 'iana-time-zone',
  description: 'An IANA name. Older names are taken, too',
  examples: ['Europe/Berlin'],
}

/** On these days an offset could move the UTC date out of the four-digit years. */
export const instant = { not: { pattern: '^(?:0000-01-01|9999-12-31)' }, examples: ['2030-01-15T09:00:00Z'] }

export const uuid = { examples: ['0195a000-0000-7000-8000-000000000001'] }
