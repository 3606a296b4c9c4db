/** The words for the end of a visit to a network: routes read them from the address before their screens are loaded. */
export const connectOutcomes = [
  'connected',
  'canceled',
  'network-failed',
  'unknown-account',
  'expired',
  'choose',
] as const
export type ConnectOutcome = (typeof connectOutcomes)[number]
