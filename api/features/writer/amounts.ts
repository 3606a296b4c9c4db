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

/** @param written amounts by their spelling with the sign */
const amountsOf = (written: ReadonlyMap<string, string>): readonly Amount[] =>
  Array.from(written, ([found, text]) => ({ found, number: numberOf(text) }))

// A text of 65,000 characters has 32,500 matches, most without a sign: none of those is kept meanwhile.

/** Amounts with a currency, each once. */
export function pricesIn(text: string): readonly Amount[] {
  const prices = new Map<string, string>()
  for (const [found, after, before, sign] of text.matchAll(money)) {
    const written = after ?? (sign === undefined ? undefined : before)
    if (written !== undefined) prices.set(found, written)
  }
  return amountsOf(prices)
}

/** Amounts with two decimals, with or without a currency; each once. */
export function bareAmountsIn(text: string): readonly Amount[] {
  const amounts = new Map<string, string>()
  for (const [found] of text.matchAll(bareAmount)) amounts.set(found, found)
  return amountsOf(amounts)
}

/** Percentages, each once. */
export function sharesIn(text: string): readonly Amount[] {
  const shares = new Map<string, string>()
  for (const [found, written = '', sign] of text.matchAll(share)) if (sign !== undefined) shares.set(found, written)
  return amountsOf(shares)
}
