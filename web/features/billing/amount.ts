import type { Invoice } from '../../../api/contract/index.ts'

/** `$49.00`. The provider counts in a currency's smallest unit, which for some is the currency itself. */
export function amountWords({ amountCents, currency }: Pick<Invoice, 'amountCents' | 'currency'>): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amountCents / 10 ** digits)
}
