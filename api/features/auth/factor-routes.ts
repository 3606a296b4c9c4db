/** A user sets up and removes second factors. Each change asks for the password, and its owner is told by mail. */
import type { Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { factorMail, type FactorChange } from './mails.ts'
import { passwordCheck, teller, type AccountPorts } from './own-account.ts'
import { uriOf } from './totp.ts'
import { isConfirmed, type UserRecord } from './users.ts'

type Names = 'getFactors' | 'beginTotp' | 'confirmTotp' | 'removeTotp' | 'renewRecoveryCodes'

/** Else a stranger could open an account for an address and keep the owner of the address out for ever. */
export function refuseUnconfirmed(user: UserRecord | null): asserts user is UserRecord {
  if (!user) throw new Problem(401, 'not-signed-in', 'Please sign in.')
  if (!isConfirmed(user)) throw new Problem(403, 'email-unconfirmed', 'Confirm your email address first.')
}

export const factorHandlers = (ports: AccountPorts): Handlers<Names> => {
  const { users, factors, accountLimits, securityLog, publicUrl } = ports
  const own = passwordCheck(ports)
  const tell = teller(ports)
  const told = ({ email }: UserRecord, change: FactorChange) => tell(async () => factorMail(email, publicUrl, change))
  return {
    async getFactors({ session }) {
      const { totp, recovery } = await factors.get(session.userId)
      const app = totp ? { addedAt: totp.addedAt } : null
      return { body: { app, recoveryCodes: recovery?.digests.length ?? 0 } }
    },

    beginTotp: (ask) =>
      securityLog.watch('begin-app', ask, async (subject) => {
        const { userId } = ask.session
        subject.userId = userId
        const user = await own(userId, ask.body.password, ask.address)
        refuseUnconfirmed(user)
        const secret = await factors.beginTotp(userId)
        if (secret === null)
          throw new Problem(
            409,
            'app-exists',
            'You have an authenticator app already. Remove it to set up another one.',
          )
        return { body: { secret, uri: uriOf(secret, user.email) } }
      }),

    confirmTotp: (ask) =>
      securityLog.watch('add-app', ask, async (subject) => {
        const { userId } = ask.session
        subject.userId = userId
        await accountLimits.settingUp(userId)
        const user = await users.get(userId)
        refuseUnconfirmed(user)
        const outcome = await factors.confirmTotp(userId, ask.body.code, { source: userId, isKnown: true })
        if (outcome === 'wrong')
          throw new Problem(
            403,
            'wrong-code',
            "That code isn't right. Check the time of your phone, and try the next code.",
          )
        if (outcome === 'over')
          throw new Problem(409, 'set-up-over', 'This took too long. Begin again to set up your authenticator app.')
        told(user, 'app-added')
        return { body: { recoveryCodes: [...outcome] } }
      }),

    removeTotp: (ask) =>
      securityLog.watch('remove-app', ask, async (subject) => {
        const { userId } = ask.session
        subject.userId = userId
        const user = await own(userId, ask.body.password, ask.address)
        if (await factors.removeTotp(userId)) told(user, 'app-removed')
        return {}
      }),

    renewRecoveryCodes: (ask) =>
      securityLog.watch('renew-recovery-codes', ask, async (subject) => {
        const { userId } = ask.session
        subject.userId = userId
        const user = await own(userId, ask.body.password, ask.address)
        const codes = await factors.renewRecoveryCodes(userId, { source: userId, isKnown: true })
        if (codes === null)
          throw new Problem(409, 'no-factor', 'Recovery codes replace a second factor, and you have none.')
        told(user, 'codes-renewed')
        return { body: { recoveryCodes: [...codes] } }
      }),
  }
}
