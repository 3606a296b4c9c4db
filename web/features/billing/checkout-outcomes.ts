/** The words for the end of a visit to the payment page: the route reads them before its screen is loaded. */
export const checkoutOutcomes = ['done', 'canceled'] as const
export type CheckoutOutcome = (typeof checkoutOutcomes)[number]
