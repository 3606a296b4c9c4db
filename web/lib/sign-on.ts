/** How a visit to the provider of single sign-on ended: a code in the fragment of the address. */
import type { SignOnOutcome } from '../../api/contract/index.ts'

const sentences: Readonly<Partial<Record<SignOnOutcome, string>>> = {
  canceled: 'The sign-in was canceled. Nothing was changed.',
  unavailable: "Single sign-on can't be reached right now. Try again in a moment.",
  busy: 'Too many people are signing in at this moment. Try again in a moment.',
  'too-many': 'Too many attempts. Try again in a minute.',
  'email-unverified': 'The provider has not verified your email address, so you can’t sign in with it.',
  'wrong-domain': 'Email addresses of that domain may not sign in here. Use the account of your organization.',
  'account-unconfirmed':
    'There is an account with this address already, but the address was never confirmed. Choose “Forgot your password?” to make it yours.',
  'another-link': 'Your account is linked to another person at the provider. Sign in with your password.',
  'another-account': 'That person at the provider belongs to another account here. Nothing was changed.',
}
const otherwise = 'That sign-in didn’t work. Nothing was changed; please try again.'

export const signOnSentence = (outcome: string): string =>
  (Object.hasOwn(sentences, outcome) && sentences[outcome as SignOnOutcome]) || otherwise

/** Reads the outcome once: a reload, or the way back, must not repeat it. */
export function takeSignOnOutcome(): string | null {
  const outcome = /^#(?:sign-in|single-sign-on):([a-z-]{1,40})$/.exec(location.hash)?.[1] ?? null
  if (outcome !== null) history.replaceState(history.state, '', location.pathname + location.search)
  return outcome
}
