export const connectOutcomes = [
  'connected',
  'canceled',
  'network-failed',
  'unknown-account',
  'expired',
  'choose',
] as const
export type ConnectOutcome = (typeof connectOutcomes)[number]
