/** A user sets up and removes second factors. Each change asks for the password, and its owner is told by mail. */
import { later } from '../../core/clock.ts'
import type { Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { factorMail, type FactorChange } from './mails.ts'
import { confirmedMs, refuseUnconfirmed, teller } from './own-account.ts'
import { ownActs } from './own-acts.ts'
import { passkeyReplyOf, type PasskeyPorts } from './passkey-routes.ts'
import type { OidcLinks } from './oidc/links.ts'
import type { OidcProvider } from './oidc/provider.ts'
import { uriOf } from './totp.ts'
import { hasPassword, type UserRecord } from './users.ts'

export interface FactorPorts extends PasskeyPorts {
  readonly oidc: OidcProvider | null
  readonly oidcLinks: OidcLinks
}

type Names = 'getFactors' | 'beginTotp' | 'confirmTotp' | 'removeTotp' | 'renewRecoveryCodes'

export const factorHandlers = (ports: FactorPorts): Handlers<Names> => {
  const { passkeyParty, oidc, oidcLinks, users, clock, factors, publicUrl } = ports
  const { proven, completing } = ownActs(ports)
  const tell = teller(ports)
  const told = (user: UserRecord, change: FactorChange) => tell(user, change, factorMail(user.email, publicUrl, change))
  return {
    async getFactors({ session }) {
      const user = await users.get(session.userId)
      const link = oidc && (await oidcLinks.of(session.userId))
      const { confirmedAt } = session
      const confirmedUntil = confirmedAt === undefined ? null : later(confirmedAt, confirmedMs)
      const { totp, recovery, passkeys = [] } = await factors.get(session.userId)
      return {
        body: {
          app: totp ? { addedAt: totp.addedAt } : null,
          passkeys: passkeys.map(passkeyReplyOf),
          noPasskeys: passkeyParty.unavailable,
          recoveryCodes: recovery?.digests.length ?? 0,
          hasPassword: user === null || hasPassword(user),
          confirmedUntil: confirmedUntil !== null && confirmedUntil > clock.now() ? confirmedUntil : null,
          signOn: oidc && { name: oidc.name, link: link && { email: link.email, addedAt: link.addedAt } },
        },
      }
    },

    beginTotp: (ask) =>
      proven('begin-app', ask, async (user) => {
        refuseUnconfirmed(user)
        const secret = await factors.beginTotp(user.id)
        if (secret === null)
          throw new Problem(
            409,
            'app-exists',
            'You have an authenticator app already. Remove it to set up another one.',
          )
        return { body: { secret, uri: uriOf(secret, user.email) } }
      }),

    confirmTotp: (ask) =>
      completing('add-app', ask, async (user) => {
        const outcome = await factors.confirmTotp(user.id, ask.body.code, { source: user.id, isKnown: true })
        if (outcome === 'wrong')
          throw new Problem(
            403,
            'wrong-code',
            "That code isn't right. Check the time of your phone, and try the next code.",
          )
        if (outcome === 'over')
          throw new Problem(409, 'set-up-over', 'This took too long. Begin again to set up your authenticator app.')
        await told(user, 'app-added')
        return { body: { recoveryCodes: [...outcome] } }
      }),

    removeTotp: (ask) =>
      proven('remove-app', ask, async (user) => {
        if (await factors.removeTotp(user.id)) await told(user, 'app-removed')
        return {}
      }),

    renewRecoveryCodes: (ask) =>
      proven('renew-recovery-codes', ask, async (user) => {
        const codes = await factors.renewRecoveryCodes(user.id, { source: user.id, isKnown: true })
        if (codes === null)
          throw new Problem(409, 'no-factor', 'Recovery codes replace a second factor, and you have none.')
        await told(user, 'codes-renewed')
        return { body: { recoveryCodes: [...codes] } }
      }),
  }
}
