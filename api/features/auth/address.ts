/** Confirms that an account's email address is its owner's. */
import { randomUUID } from 'node:crypto'
import type { Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { sourceOf } from '../../core/source.ts'
import { addressMail } from './mails.ts'
import { clearer, linkOver, linkReader, type AccountPorts } from './own-account.ts'
import { signIn, type From } from './sign-in.ts'
import { isConfirmed, userReplyOf, type UserRecord } from './users.ts'

/**
 * Ends all sessions and removes all factors that were there before: the account may have been opened by a person who
 * does not have the address. Returns null when the link is over.
 */
export async function confirmed(
  ports: AccountPorts,
  known: UserRecord,
  isGood: (user: UserRecord) => boolean,
): Promise<UserRecord | null> {
  await ports.factors.removeAll(known.id)
  const user = await ports.users.confirmAddress(known, isGood)
  if (user) await clearer(ports)(user)
  return user
}

/** Goes on with a new session in the browser in which the address was confirmed. */
export const goOn = async (ports: AccountPorts, user: UserRecord, from: From) => ({
  body: userReplyOf(user),
  ...(await signIn(ports, user, from, linkOver)),
})

export const addressHandlers = (ports: AccountPorts): Handlers<'askAddressLink' | 'confirmAddress'> => {
  const { users, mailedLinks, accountLimits, securityLog, postOffice, publicUrl } = ports
  const behind = linkReader(ports)
  return {
    askAddressLink: (ask) =>
      securityLog.watch('ask-address-link', ask, async (subject) => {
        const { userId } = ask.session
        subject.userId = userId
        const user = await users.get(userId)
        if (!user) throw new Problem(401, 'not-signed-in', 'Please sign in.')
        if (isConfirmed(user)) throw new Problem(409, 'confirmed-already', 'Your email address is confirmed already.')
        await accountLimits.confirmingAddress(userId)
        const message = addressMail(user.email, publicUrl, await mailedLinks.issue('address', user))
        await postOffice.send({ kind: 'confirm-address', about: [userId, randomUUID()], userId, content: { message } })
        return {}
      }),

    confirmAddress: (ask) =>
      securityLog.watch('confirm-address', ask, async (subject) => {
        await accountLimits.usingLink(sourceOf(ask.address))
        const { link, known } = await behind('address', ask.body.token, subject)
        // A session shows that the person who reads the mail also knows the password. Else a stranger's account would
        // be confirmed by the owner of the address, who opens a link out of curiosity.
        if (known.id !== ask.session.userId)
          throw new Problem(403, 'another-account', 'This link is for another account. Sign in with that one first.')
        const user = await confirmed(ports, known, link.isStillOf)
        if (!user) throw linkOver()
        return goOn(ports, user, ask)
      }),
  }
}
