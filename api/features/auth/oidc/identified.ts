/** Whose account a person at the provider has, and who may get one. */
import { Problem } from '../../../http/problem.ts'
import type { SignOnOutcome } from '../../../contract/oidc.ts'
import { oidcLinkMail } from '../mails.ts'
import { teller, type AccountPorts } from '../own-account.ts'
import type { SignInThrottle } from '../throttle.ts'
import { isConfirmed, type UserRecord } from '../users.ts'
import type { OidcLinks } from './links.ts'
import type { Identity, OidcProvider } from './provider.ts'

export interface IdentifyPorts extends Pick<
  AccountPorts,
  'users' | 'postOffice' | 'publicUrl' | 'accountLimits' | 'securityLog'
> {
  readonly oidc: OidcProvider | null
  readonly oidcLinks: OidcLinks
  readonly throttle: SignInThrottle
}

const sentences = {
  'email-unverified': 'The provider has not verified your email address.',
  'wrong-domain': 'Addresses of that domain may not sign in here.',
  'account-unconfirmed': 'The account with this address has never confirmed it.',
  'another-link': 'The account is linked to another person at the provider.',
  'another-account': 'That person at the provider has another account here.',
} as const satisfies Partial<Record<SignOnOutcome, string>>

export const refusal = (outcome: keyof typeof sentences) => new Problem(403, outcome, sentences[outcome])

/** Judged at each sign-in: a domain may have been taken off the list since. @throws Problem 403 */
export function mustBeAllowed(provider: OidcProvider, { email, emailVerified }: Identity): void {
  if (!emailVerified || email === '') throw refusal('email-unverified')
  if (!provider.allows(email)) throw refusal('wrong-domain')
}

/** @throws Problem 403 when the identity has another account, or the account another identity */
export const linker = ({ oidcLinks, publicUrl, securityLog, ...ports }: IdentifyPorts) => {
  const tell = teller(ports)
  return async (user: UserRecord, identity: Identity): Promise<void> => {
    const known = await oidcLinks.with(identity)
    if (known?.id === user.id) return
    // A link to a provider that this server no longer has doesn't keep the account from a new link.
    const before = await oidcLinks.of(user.id)
    if (before?.issuer === identity.issuer) throw refusal('another-link')
    if (!(await oidcLinks.add(user.id, identity))) throw refusal('another-account')
    securityLog.done('link-oidc', 'single sign-on', { userId: user.id })
    await tell(user, 'oidc-linked', oidcLinkMail(user.email, publicUrl, 'oidc-linked'))
  }
}

/**
 * Finds the account by its link. Without one, the account with the same address gets it, or a new account is opened:
 * the provider has verified the address.
 */
export const accountFinder = (ports: IdentifyPorts) => {
  const { users, oidcLinks, throttle } = ports
  const link = linker(ports)
  return async (identity: Identity, address: string): Promise<UserRecord> => {
    const known = await oidcLinks.with(identity)
    const linked = known && (await users.get(known.id))
    if (linked) return linked
    // The account was erased while this link was being made.
    if (known) await oidcLinks.remove(known.id)
    const user = (await users.withEmail(identity.email)) ?? (await opened(identity, address))
    // Its owner takes it over by "Forgot your password?", which throws out a stranger who opened it.
    if (!isConfirmed(user)) throw refusal('account-unconfirmed')
    await link(user, identity)
    return user
  }

  async function opened(identity: Identity, address: string): Promise<UserRecord> {
    const asker = await throttle.registering(address)
    const user = (await users.openConfirmed(identity, asker)) ?? (await users.withEmail(identity.email))
    if (!user) throw refusal('account-unconfirmed')
    return user
  }
}
