/** How a visit to the payment page ended, as the address says; part of the first load of every screen. */
export const checkoutOutcomes = ['done', 'canceled'] as const
export type CheckoutOutcome = (typeof checkoutOutcomes)[number]
