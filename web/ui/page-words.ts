/** The words of the controls on the first page. In a file of their own, because each visitor loads them. */
export const words = {
  product: 'SocialAI',
  loading: 'Loading',
  tryAgain: 'Try again',
  couldNotLoad: (what: string) => `${what} could not be loaded`,
  working: 'Working',
  show: 'Show',
  hide: 'Hide',
  thePassword: 'password',
  passwordHint: 'At least 8 characters.',
} as const
