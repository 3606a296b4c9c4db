/** What a text claims that nobody said: links, addresses, phone numbers, prices and discounts. Pure. */
import { linksOnX } from '../../domain/core/links-on-x.ts'

const mail = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu
/** Any protocol, and hosts that X makes no link of, such as an address in numbers or one of an end that it doesn't know. */
const spelledOut = /\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"]+|\bwww\.[^\s<>"]+/giu

const amount = '\\d(?:[\\d.,\\u00a0\\u202f\\u2019\']*\\d)?'
const currency = '\\p{Sc}|(?<![\\p{L}])(?:USD|EUR|GBP|CHF|CAD|AUD|NZD|JPY|CNY|INR|BRL|MXN|SEK|NOK|DKK|PLN|CZK|HUF|US\\$)'
const money = new RegExp(
  `(?:${currency})\\s?(${amount})|(${amount})\\s?(?:${currency}|(?:dollars?|bucks|cents?|euros?|pounds?|quid|pence|francs?|franken|yen|yuan|rupees?|kronor|kroner|zloty|pesos?)(?![\\p{L}]))`,
  'giu',
)
const share = new RegExp(`(${amount})\\s?(?:%|percent|per cent|prozent)(?![\\p{L}])`, 'giu')
/** A price list may leave the currency out. */
const bareAmount = /(?<![\d.,:])\d+[.,]\d{2}(?![\d.,:])/gu

const phone = /(?<![\p{L}\d.,/-])\+?\(?\d[\d\u00a0 ()./\u2010-\u2014-]{5,}\d(?![\p{L}\d])/gu
const fewestDigits = 7
const dayOrMonth = '(?:0?[1-9]|[12]\\d|3[01])'
const year = '(?:1[5-9]|20|21)\\d{2}'
const date = `(?:${year}[-./]${dayOrMonth}[-./]${dayOrMonth}|${dayOrMonth}[-./ ]\\s?${dayOrMonth}[-./ ]\\s?(?:${year}|\\d{2})?)`
const hour = '(?:[01]?\\d|2[0-4])\\.[0-5]\\d'
const moment = `(?:${date}|${year}|${hour})`
/** Days, seasons and opening hours: one, or from one to another. */
const datesAndHours = new RegExp(`^${moment}(?:\\s?[/\u2010-\u2014-]\\s?${moment})*$`, 'u')

const all = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([found]) => found)
const bareLink = (link: string) => link.toLowerCase().replace(/^[a-z][a-z0-9+.-]*:\/\//, '').replace(/^www\./, '').replace(/[/.,;:!?)\]'"]+$/, '')
const digitsOf = (text: string) => text.replaceAll(/\D/g, '')

/** `1.200,50` and `1,200.5` are one number. */
function numberOf(written: string): string {
  const tidy = written.replace(/[.,]+$/, '')
  const [, whole = '', fraction = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(tidy) ?? []
  return String(Number(`${digitsOf(whole) || '0'}.${fraction || '0'}`))
}

function linksOf(text: string): string[] {
  const mails = all(text, mail)
  const found = [...linksOnX(text).map(({ start, end }) => text.slice(start, end)), ...all(text, spelledOut)]
  return [...mails, ...found.filter((link) => !mails.some((address) => address.includes(link)))]
}

const amountsOf = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([found, before, after]) => ({ found, number: numberOf(before ?? after ?? found) }))

const phonesOf = (text: string) =>
  all(text, phone).filter((found) => digitsOf(found).length >= fewestDigits && !datesAndHours.test(found.trim()))

/** What stands in a text but in none of what was given, as it is written there; each once. */
export function inventedIn(text: string, given: readonly string[]): readonly string[] {
  const said = given.join('\n\n').normalize('NFKC')
  const read = text.normalize('NFKC')
  const links = linksOf(said).map(bareLink)
  // A page's site is known with the page; a page that nobody named is not known with its site.
  const isKnownLink = (found: string) => links.some((link) => link === found || link.startsWith(`${found}/`))
  const prices = new Set([...amountsOf(said, money), ...amountsOf(said, bareAmount)].map(({ number }) => number))
  const shares = new Set(amountsOf(said, share).map(({ number }) => number))
  const numbers = phonesOf(said).map(digitsOf)
  // Between a country's code and the local way of writing, the end is the same.
  const isKnownPhone = (found: string) => numbers.some((number) => number.slice(-fewestDigits) === digitsOf(found).slice(-fewestDigits))
  return [
    ...new Set([
      ...linksOf(read).filter((link) => !isKnownLink(bareLink(link))),
      ...amountsOf(read, money).filter(({ number }) => !prices.has(number)).map(({ found }) => found),
      ...amountsOf(read, share).filter(({ number }) => !shares.has(number)).map(({ found }) => found),
      ...phonesOf(read).filter((found) => !isKnownPhone(found)),
    ].map((found) => found.trim())),
  ]
}
