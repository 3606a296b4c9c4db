/** Phone numbers in a text, told apart from dates and opening hours. Pure. */

/** At most 15 digits (ITU-T E.164) with what people put between them. */
export const phone = /(?<![\p{L}\d.,/-])\+?\(?\d[\d\u00a0 ()./\u2010-\u2014-]{5,40}\d(?![\p{L}\d])/gu

const dayOrMonth = '(?:0?[1-9]|[12]\\d|3[01])'
const year = '(?:1[5-9]|20|21)\\d{2}'
const date = `(?:${year}[-./]${dayOrMonth}[-./]${dayOrMonth}|${dayOrMonth}[-./ ]\\s?${dayOrMonth}[-./ ]\\s?(?:${year}|\\d{2})?)`
const hour = '(?:[01]?\\d|2[0-4])\\.[0-5]\\d'
const moment = `(?:${date}|${year}|${hour})`
/**
 * Days, seasons and opening hours: one, or several in a row. A row can be read in several ways, so that it has an end:
 * eight of the shortest fill what `phone` finds.
 */
export const datesAndHours = new RegExp(`^${moment}(?:\\s?[/\u2010-\u2014-]\\s?${moment}){0,7}$`, 'u')

const digitsOf = (text: string) => text.replaceAll(/\D/g, '')
const fewestDigits = 7

/** The phone numbers of a text, as they are written there. */
export const phoneNumbersIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(phone), ([found]) => found).filter(
    (found) => digitsOf(found).length >= fewestDigits && !datesAndHours.test(found.trim()),
  )

/** What two ways of writing one number have in common: between a country's code and the local way, the end is the same. */
export const endOfPhoneNumber = (found: string): string => digitsOf(found).slice(-fewestDigits)
