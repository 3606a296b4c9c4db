/**
 * Finds claims in a text that the given data doesn't support: links, addresses, phone numbers, prices and discounts.
 * Pure.
 */
import { linksOnX, type Span } from '../../../domain/core/links-on-x.ts'
import { normalForm } from '../../../domain/core/normal-form.ts'
import { trimEndOf } from '../../../domain/core/trim-end.ts'
import { bareAmountsIn, pricesIn, sharesIn, type Amount } from './amounts.ts'
import { endOfPhoneNumber, phoneNumbersIn } from './phone-numbers.ts'

/** The limit on characters read, since normalization lengthens a text: more than any network accepts. */
const maxLength = 100_000

export const mail = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu
/** Any protocol, and hosts that X does not turn into links, such as IP addresses or unknown top-level domains. */
export const spelledOut = /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s<>"]+|\bwww\.[^\s<>"]+/giu
const protocol = /^[a-z0-9+.-]+:\/\//
const punctuation = '/.,;:!?)]\'"'

const bareLink = (link: string) =>
  trimEndOf(
    link
      .toLowerCase()
      .replace(protocol, '')
      .replace(/^www\./, ''),
    punctuation,
  )

const spansOf = (text: string, pattern: RegExp): Span[] =>
  Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({ start: index, end: index + found.length }))

/** Mail addresses, and links outside of them; each once. */
function linksOf(text: string): string[] {
  const cut = ({ start, end }: Span) => text.slice(start, end)
  const mailSpans = text.includes('@') ? spansOf(text, mail) : []
  const mails = mailSpans.map(cut)
  const hosts = new Set(mails.map((address) => address.slice(address.indexOf('@') + 1)))
  const links = new Set(
    [linksOnX(text), spansOf(text, spelledOut)].flatMap((found) => outside(mailSpans, found)).map(cut),
  )
  return [...new Set([...mails, ...[...links].filter((link) => !hosts.has(link))])]
}

/** The spans that overlap none of the others. Both are sorted. */
function outside(others: readonly Span[], spans: readonly Span[]): Span[] {
  let at = 0
  return spans.filter(({ start, end }) => {
    while ((others[at]?.end ?? Infinity) < end) at += 1
    return (others[at]?.start ?? Infinity) > start
  })
}

/** Tells whether a link was given. A given page also allows its site; a given site allows none of its pages. */
function knownLinks(said: string): (link: string) => boolean {
  const links = linksOf(said).map(bareLink).toSorted()
  return (link) => firstFrom(links, link) === link || firstFrom(links, `${link}/`)?.startsWith(`${link}/`) === true
}

/** Binary search: the first of the sorted texts that is not before `text`. */
function firstFrom(sorted: readonly string[], text: string): string | undefined {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] ?? '') < text) from = middle + 1
    else to = middle
  }
  return sorted[from]
}

/** The found claims that are not among the given ones. These are read only where something was found. */
function notGiven<T>(found: readonly T[], keyOf: (one: T) => string, given: () => readonly string[]): readonly T[] {
  if (found.length === 0) return found
  const known = new Set(given())
  return found.filter((one) => !known.has(keyOf(one)))
}

const numberOf = ({ number }: Amount) => number

/** The start of the text in its normal form. */
const readable = (text: string) => normalForm('NFKC', text.slice(0, maxLength)).slice(0, maxLength)

/**
 * The claims of a text that appear in none of the given texts, as written; each once. Linear in the lengths; reads
 * 100,000 characters of each side.
 */
export function inventedIn(text: string, given: readonly string[]): readonly string[] {
  const said = readable(given.join('\n\n'))
  const read = readable(text)
  const links = linksOf(read)
  const isKnownLink = links.length === 0 ? () => true : knownLinks(said)
  const prices = notGiven(pricesIn(read), numberOf, () => [...pricesIn(said), ...bareAmountsIn(said)].map(numberOf))
  const shares = notGiven(sharesIn(read), numberOf, () => sharesIn(said).map(numberOf))
  const found = [
    ...links.filter((link) => !isKnownLink(bareLink(link))),
    ...[...prices, ...shares].map((amount) => amount.found),
    ...notGiven(phoneNumbersIn(read), endOfPhoneNumber, () => phoneNumbersIn(said).map(endOfPhoneNumber)),
  ]
  return [...new Set(found.map((each) => each.trim()))]
}
