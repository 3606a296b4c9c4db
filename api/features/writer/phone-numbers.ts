/** Finds phone numbers in a text, as opposed to dates and opening hours. Pure. */

/** At most 15 digits (ITU-T E.164) with the usual separators. */
export const phone = /(?<![\p{L}\d.,/-])\+?\(?\d[\d\u00a0 ()./\u2010-\u2014-]{5,40}\d(?![\p{L}\d])/gu

const dayOrMonth = '(?:0?[1-9]|[12]\\d|3[01])'
const year = '(?:1[5-9]|20|21)\\d{2}'
const date = `(?:${year}[-./]${dayOrMonth}[-./]${dayOrMonth}|${dayOrMonth}[-./ ]\\s?${dayOrMonth}[-./ ]\\s?(?:${year}|\\d{2})?)`
const hour = '(?:[01]?\\d|2[0-4])\\.[0-5]\\d'
const moment = `(?:${date}|${year}|${hour})`
/**
 * Dates, seasons and opening hours: one, or several in a row. Limited in number, because a row can be parsed in several
 * ways: eight of the shortest fill a match of `phone`.
 */
export const datesAndHours = new RegExp(`^${moment}(?:\\s?[/\u2010-\u2014-]\\s?${moment}){0,7}$`, 'u')

const digitsOf = (text: string) => text.replaceAll(/\D/g, '')
const fewestDigits = 7

/** The phone numbers of a text, as written. */
export const phoneNumbersIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(phone), ([found]) => found).filter(
    (found) => digitsOf(found).length >= fewestDigits && !datesAndHours.test(found.trim()),
  )

/**
 * The last digits, which all spellings of a number share: only its start differs between the local and the
 * international form.
 */
export const endOfPhoneNumber = (found: string): string => digitsOf(found).slice(-fewestDigits)
