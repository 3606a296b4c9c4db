/** The account of one user: its password, its email address and its sessions. */
import { Damaged, NoRoom, StoreUnavailable } from '../../../domain/event-store/port.ts'
import type { RouteName } from '../../contract/index.ts'
import type { Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import type { NewLetter } from '../mail/letter-record.ts'
import { accountLetters } from './account-letters.ts'
import { confirmed, goOn } from './address.ts'
import { refuseGuessable } from './password-policy.ts'
import {
  clearer,
  linkOver,
  linkReader,
  passwordCheck,
  unlessAway,
  wrongPassword,
  type AccountPorts,
} from './own-account.ts'
import { signIn } from './sign-in.ts'
import { sourceOf } from '../../core/source.ts'
import { changesOf, isConfirmed, userReplyOf, type UserRecord } from './users.ts'

type Names = Extract<
  RouteName,
  'changePassword' | 'forgotPassword' | 'resetPassword' | 'changeEmail' | 'confirmEmail' | 'signOutEverywhere'
>

export function userAccountHandlers(ports: AccountPorts): Handlers<Names> {
  const { users, devices, mailedLinks, factors, accountLimits, securityLog, postOffice, log } = ports
  const letters = accountLetters(ports.publicUrl)

  const own = passwordCheck(ports)
  const clearAway = clearer(ports)

  const behind = linkReader(ports)

  /** Revokes access by the old password and by mailed links. The notification to the owner is stored first. */
  async function passwordChanged(before: UserRecord, user: UserRecord): Promise<void> {
    await postOffice.tell(letters.passwordChanged(before))
    await clearAway(user)
  }

  /**
   * A store that stopped answering may still have made the change. The owner gets a mail once the change is visible.
   */
  const unknown =
    (sentence: string, letter: NewLetter | null) =>
    (error: unknown): never => {
      if (!(error instanceof StoreUnavailable) || error instanceof NoRoom || error instanceof Damaged) throw error
      if (letter) void postOffice.tell(letter)
      throw new Problem(
        503,
        'outcome-unknown',
        `The data store stopped answering while ${sentence}`,
        { 'Retry-After': '5' },
        error,
      )
    }

  return {
    changePassword: (ask) =>
      securityLog.watch('change-password', ask, async (subject) => {
        const { address, body } = ask
        const { userId } = ask.session
        const { currentPassword, newPassword } = body
        subject.userId = userId
        refuseGuessable('newPassword', newPassword, (await users.get(userId))?.email ?? '')
        const known = await own(userId, currentPassword, address)
        const passwordHash = await users.hash(newPassword, { source: userId, isKnown: true })
        const unsure =
          'your new password was being saved. Try the new one when you sign in again; if it does not work, the old one still does.'
        const user = await users.setPassword(known, passwordHash).catch(unknown(unsure, letters.passwordChanged(known)))
        if (!user) throw wrongPassword()
        await passwordChanged(known, user)
        return {
          body: userReplyOf(user),
          ...(await signIn(ports, user, ask, changedAgain).catch(savedButSignedOut)),
        }
      }),

    forgotPassword: (ask) =>
      securityLog.watch('ask-reset-link', ask, async (subject) => {
        const { email } = ask.body
        subject.email = email
        await accountLimits.asking(sourceOf(ask.address))
        // The same work for every address: whether it has an account is found out after the answer.
        if (await accountLimits.mayWriteTo(email, 'reset')) await postOffice.send(letters.reset(email))
        return {}
      }),

    resetPassword: (ask) =>
      securityLog.watch('reset-password', ask, async (subject) => {
        const { token, password } = ask.body
        await accountLimits.usingLink(sourceOf(ask.address))
        const { link, known } = await behind('reset', token, subject)
        refuseGuessable('password', password, known.email)
        const passwordHash = await users.hash(password, { source: known.id, isKnown: true })
        const unsure =
          'your new password was being saved. Try to sign in with it; if that does not work, open the link again.'
        if (!isConfirmed(known)) await factors.removeAll(known.id)
        const user = await users
          .setPassword(known, passwordHash, link.isStillOf, true)
          .catch(unknown(unsure, letters.passwordChanged(known)))
        if (!user) throw linkOver()
        await passwordChanged(known, user)
        // A user who reads the account's mail is no stranger: the limits on strangers do not apply to this browser.
        return { device: devices.remember(ask.device, user) }
      }),

    changeEmail: (ask) =>
      securityLog.watch('ask-email-change', ask, async (subject) => {
        const { email, password } = ask.body
        const { userId } = ask.session
        subject.userId = userId
        const user = await own(userId, password, ask.address)
        await accountLimits.changingEmail(userId)
        // Whether the address has an account already is found out after the answer.
        if (await accountLimits.mayWriteTo(email, 'change')) await postOffice.send(letters.emailChange(user, email))
        return {}
      }),

    confirmEmail: (ask) =>
      securityLog.watch('confirm-email', ask, async (subject) => {
        await accountLimits.usingLink(sourceOf(ask.address))
        const { link, known } = await behind('email', ask.body.token, subject)
        const unsure =
          'your new address was being saved. Try to sign in with it; if that does not work, open the link again.'
        // Without a session, the reader of the mail may be another person than the account's: a stranger could move an
        // account with factors of their own to that person's address.
        const isOwn = ask.session?.userId === known.id
        const user =
          link.email === null
            ? null
            : await users
                .setEmail(known, link.email, link.isStillOf, isOwn)
                .catch(unknown(unsure, letters.emailChanged(known)))
        if (!user) throw linkOver()
        if (user === 'taken')
          throw new Problem(409, 'email-taken', 'There is an account with this email already. Choose another one.')
        await postOffice.tell(letters.emailChanged(known))
        // These links went to the old address and are no longer valid. This only deletes their records.
        await mailedLinks.endAllOf(user.id).catch(unlessAway(log))
        const reply = { body: { email: user.email } }
        // Only in a browser that is signed in, because the password is not asked for here: see address.ts.
        if (isConfirmed(user) || !isOwn) return { ...reply, device: devices.remember(ask.device, user) }
        const sure = await confirmed(
          ports,
          user,
          (now) => now.email === user.email && changesOf(now) === changesOf(user),
        )
        return sure ? { ...(await goOn(ports, sure, ask)), ...reply } : reply
      }),

    signOutEverywhere: (ask) =>
      securityLog.watch('sign-out-everywhere', ask, async (subject) => {
        const { userId } = ask.session
        subject.userId = userId
        const unsure = 'you were being signed out. Reload the page: if you are still signed in, choose it again.'
        const user = await users.endTrust(userId).catch(unknown(unsure, null))
        if (user) await clearAway(user)
        return { cookie: null }
      }),
  }
}

const changedAgain = () =>
  new Problem(
    409,
    'changed-again',
    'Your password was changed, but then it was changed again elsewhere, or you were signed out everywhere. Sign in with the newest password.',
  )

/** The password is saved, so the error must not say that nothing was changed. */
function savedButSignedOut(error: unknown): never {
  if (!(error instanceof StoreUnavailable)) throw error
  const sentence =
    'Your password was changed, but you are signed out here as well. Sign in with the new one in a moment.'
  throw new Problem(503, 'saved-but-signed-out', sentence, { 'Retry-After': '5' }, error)
}
