export const planPrice = '$49'
export const planFeatures = [
  'Up to 10 clients',
  'Unlimited AI-generated posts',
  'All social media platforms',
  'Advanced analytics',
  'Priority support',
] as const
