/** Finds prices and percentages in a text. Pure. */

export interface Amount {
  /** As written in the text, with its currency or percent sign. */
  readonly found: string
  /** The normalized value: `1.200,50` and `1,200.5` are one number. */
  readonly number: string
}

const amount = "\\d(?:[\\d.,\\u00a0\\u202f\\u2019']*\\d)?"
const currency =
  '\\p{Sc}|(?<![\\p{L}])(?:USD|EUR|GBP|CHF|CAD|AUD|NZD|JPY|CNY|INR|BRL|MXN|SEK|NOK|DKK|PLN|CZK|HUF|US\\$)'
const unit =
  'dollars?|bucks|cents?|euros?|pounds?|quid|pence|francs?|franken|yen|yuan|rupees?|kronor|kroner|zloty|pesos?'

/**
 * Matches an amount with its currency before it, or else its currency or unit after it (third group). Also matches
 * amounts without either, so that the expression is not retried at each of their digits.
 */
export const money = new RegExp(
  `(?:${currency})\\s?(${amount})|(${amount})(\\s?(?:${currency}|(?:${unit})(?![\\p{L}])))?`,
  'giu',
)
export const share = new RegExp(`(${amount})(\\s?(?:%|percent|per cent|prozent)(?![\\p{L}]))?`, 'giu')
/** A price list may omit the currency. */
export const bareAmount = /(?<![\d.,:])\d+[.,]\d{2}(?![\d.,:])/gu
const wholeAndFraction = /^(.*?)(?:[.,](\d{1,2}))?$/u

function numberOf(written: string): string {
  const [, whole = '', fraction = ''] = wholeAndFraction.exec(written) ?? []
  return String(Number(`${whole.replaceAll(/\D/g, '') || '0'}.${fraction || '0'}`))
}

/** Each spelling once, with its value computed once. */
function amountsOf(matches: Iterable<{ readonly found: string; readonly written: string }>): readonly Amount[] {
  const written = new Map(Array.from(matches, (each) => [each.found, each.written]))
  return Array.from(written, ([found, text]) => ({ found, number: numberOf(text) }))
}

/** Amounts with a currency, each once. */
export function pricesIn(text: string): readonly Amount[] {
  const matches = Array.from(text.matchAll(money), ([found, after, before, sign]) => ({
    found,
    written: after ?? (sign === undefined ? undefined : before),
  }))
  return amountsOf(matches.flatMap(({ found, written }) => (written === undefined ? [] : [{ found, written }])))
}

/** Amounts with two decimals, with or without a currency; each once. */
export const bareAmountsIn = (text: string): readonly Amount[] =>
  amountsOf(Array.from(text.matchAll(bareAmount), ([found]) => ({ found, written: found })))

/** Percentages, each once. */
export const sharesIn = (text: string): readonly Amount[] =>
  amountsOf(
    Array.from(text.matchAll(share)).flatMap(([found, written = '', sign]) =>
      sign === undefined ? [] : [{ found, written }],
    ),
  )
