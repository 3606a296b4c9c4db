/** A person's own account: its password, its e-mail address, its sessions. */
import type { Logger } from 'pino'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import type { RouteName } from '../contract/index.ts'
import type { Handlers } from '../http/handler.ts'
import { Problem } from '../http/problem.ts'
import type { Letter, PostOffice } from '../mail/post-office.ts'
import type { AccountLimits } from './account-limits.ts'
import type { Devices } from './devices.ts'
import type { FoundLink, MailedLinks, Purpose } from './mailed-links.ts'
import { confirmMail, emailChangedMail, passwordChangedMail, resetMail, takenMail } from './mails.ts'
import type { Sessions } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { sourceOf } from '../limits/source.ts'
import { userReplyOf, type UserRecord, type Users } from './users.ts'

export interface AccountPorts {
  readonly users: Users
  readonly sessions: Sessions
  readonly devices: Devices
  readonly mailedLinks: MailedLinks
  readonly accountLimits: AccountLimits
  /** Null: this server can't send mail. */
  readonly postOffice: PostOffice | null
  readonly publicUrl: string
  readonly log: Logger
}

type Names = Extract<RouteName, 'changePassword' | 'forgotPassword' | 'resetPassword' | 'changeEmail' | 'confirmEmail' | 'signOutEverywhere'>

export function userAccountHandlers(ports: AccountPorts): Handlers<Names> {
  const { users, sessions, devices, mailedLinks, accountLimits, postOffice, publicUrl, log } = ports

  /** @throws Problem 403, after so many wrong ones 429 */
  async function own(userId: string, password: string, address: string): Promise<UserRecord> {
    const attempt = await accountLimits.checkingOwn(userId, sourceOf(address))
    const user = await users.verifyOwn(userId, password, { source: userId, isKnown: true })
    if (!user) throw wrongPassword()
    await attempt.succeeded()
    return user
  }

  /** @throws Problem 403 */
  async function behind(purpose: Purpose, token: string): Promise<{ readonly link: FoundLink; readonly known: UserRecord }> {
    const link = await mailedLinks.find(purpose, token)
    const known = link && (await users.get(link.userId))
    if (!link || !known || !link.isStillOf(known)) throw linkOver()
    return { link, known }
  }

  async function endLinksOf({ id, email }: UserRecord): Promise<void> {
    await mailedLinks.endAllOf(id)
    await accountLimits.linksAreOver(email)
  }

  /** Whoever knew the old password, or has a link, is out. Its owner is told first, most of all where somebody may stay in. */
  async function passwordChanged(user: UserRecord): Promise<void> {
    tell(async () => passwordChangedMail(user.email, publicUrl))
    const stillIn = 'Your password was changed, but other devices may still be signed in. Sign in with the new one and choose to sign out everywhere.'
    await endLinksOf(user)
      .then(() => sessions.endAllOf(user.id))
      .catch(savedBut('signed-in', stillIn))
  }

  /** What was done is done, whether or not there is a mail about it. */
  function tell(letter: Letter): void {
    try {
      postOffice?.send(letter)
    } catch (error) {
      log.warn({ err: error }, 'a mail about a change of an account was not sent')
    }
  }

  function unlessAway(error: unknown): void {
    if (!(error instanceof StoreUnavailable)) throw error
    log.warn({ err: error }, 'links that are over were not cleared away')
  }

  return {
    async changePassword({ session: { userId }, device, address, body: { currentPassword, newPassword } }) {
      const known = await own(userId, currentPassword, address)
      const passwordHash = await users.hash(newPassword, { source: userId, isKnown: true })
      const user = await users.setPassword(known, passwordHash)
      if (!user) throw wrongPassword()
      await passwordChanged(user)
      const signedOut = 'Your password was changed, but you are signed out here as well. Sign in with the new one in a moment.'
      return { body: userReplyOf(user), ...(await signIn(ports, user, device).catch(savedBut('signed-out', signedOut))) }
    },

    async forgotPassword({ body: { email }, address }) {
      const office = mailable(postOffice)
      await accountLimits.asking(sourceOf(address))
      // Known or not, everything that differs comes after the answer.
      office.send(async () => {
        const user = await users.withEmail(email)
        if (!user || !(await accountLimits.mayWriteTo(email, 'reset'))) return null
        return resetMail(user.email, publicUrl, await mailedLinks.issue('reset', user))
      })
      log.info({ place: office.place }, 'a link for a new password was asked for; mail goes to')
      return {}
    },

    async resetPassword({ body: { token, password }, address, device }) {
      await accountLimits.usingLink(sourceOf(address))
      const { link, known } = await behind('reset', token)
      const passwordHash = await users.hash(password, { source: known.id, isKnown: true })
      const user = await users.setPassword(known, passwordHash, link.isStillOf)
      if (!user) throw linkOver()
      await passwordChanged(user)
      // Whoever reads the account's mail is no stranger, however many of those try to get in.
      return { device: devices.remember(device, user) }
    },

    async changeEmail({ session: { userId }, body: { email, password }, address }) {
      const office = mailable(postOffice)
      const user = await own(userId, password, address)
      await accountLimits.changingEmail(userId)
      office.send(async () => {
        const isTaken = (await users.withEmail(email)) !== null
        if (!(await accountLimits.mayWriteTo(email, isTaken ? 'taken' : 'confirm'))) return null
        if (isTaken) return takenMail(email, publicUrl)
        return confirmMail(email, publicUrl, await mailedLinks.issue('email', user, email))
      })
      return {}
    },

    async confirmEmail({ body: { token }, address, device }) {
      await accountLimits.usingLink(sourceOf(address))
      const { link, known } = await behind('email', token)
      const user = link.email === null ? null : await users.setEmail(known, link.email, link.isStillOf)
      if (!user) throw linkOver()
      if (user === 'taken') throw new Problem(409, 'email-taken', 'There is an account with this e-mail already. Choose another one.')
      tell(async () => emailChangedMail(known.email, publicUrl))
      // They went to the address that isn't theirs any more, and are over with it: this only clears them away.
      await mailedLinks.endAllOf(user.id).catch(unlessAway)
      return { body: { email: user.email }, device: devices.remember(device, user) }
    },

    async signOutEverywhere({ session }) {
      // Before the sessions, so that none begins in between that would be left.
      const user = await users.endTrust(session.userId)
      if (user) await endLinksOf(user)
      await sessions.endAllOf(session.userId)
      return { cookie: null }
    },
  }
}

const wrongPassword = () => new Problem(403, 'wrong-password', "That isn't your current password.")
const linkOver = () => new Problem(403, 'link-over', "This link doesn't work any more. Ask for a new one.")

/** What counts is done, what was to follow isn't: nobody is told that nothing was changed. */
const savedBut = (how: string, sentence: string) =>
  (error: unknown): never => {
    if (!(error instanceof StoreUnavailable)) throw error
    throw new Problem(503, `saved-but-${how}`, sentence, { 'Retry-After': '5' }, error)
  }

function mailable(postOffice: PostOffice | null): PostOffice {
  if (postOffice) return postOffice
  throw new Problem(503, 'no-mail', "This server can't send e-mail. Ask whoever runs it.")
}
