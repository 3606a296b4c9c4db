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

  /** Whoever knew the old password, or has a link, is out. */
  async function passwordChanged(user: UserRecord): Promise<void> {
    try {
      await endLinksOf(user)
      await sessions.endAllOf(user.id)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      throw new Problem(503, 'saved-but-signed-in', 'Your password was changed, but other devices may still be signed in. Sign in with the new one and choose to sign out everywhere.', { 'Retry-After': '5' }, error)
    }
    tell(async () => passwordChangedMail(user.email, publicUrl))
  }

  /** What was done is done, whether or not there is a mail about it. */
  function tell(letter: Letter): void {
    try {
      postOffice?.send(letter)
    } catch (error) {
      log.warn({ err: error }, 'a mail about a change of an account was not sent')
    }
  }

  return {
    async changePassword({ session: { userId }, device, address, body: { currentPassword, newPassword } }) {
      const known = await own(userId, currentPassword, address)
      const passwordHash = await users.hash(newPassword, { source: userId, isKnown: true })
      const user = await users.setPassword(known, passwordHash)
      if (!user) throw wrongPassword()
      await passwordChanged(user)
      return { body: userReplyOf(user), ...(await signIn(ports, user, device)) }
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
      // Before the link is used up, because there may be no room for it now.
      const passwordHash = await users.hash(password, { source: known.id, isKnown: true })
      const user = (await link.take()) ? await users.setPassword(known, passwordHash) : null
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
      const user = link.email !== null && (await link.take()) ? await users.setEmail(known, link.email) : null
      if (!user) throw linkOver()
      if (user === 'taken') throw new Problem(409, 'email-taken', 'There is an account with this e-mail already. Choose another one.')
      // A link to set a password went to the address that isn't theirs any more.
      await mailedLinks.endAllOf(user.id)
      tell(async () => emailChangedMail(known.email, publicUrl))
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

function mailable(postOffice: PostOffice | null): PostOffice {
  if (postOffice) return postOffice
  throw new Problem(503, 'no-mail', "This server can't send e-mail. Ask whoever runs it.")
}
