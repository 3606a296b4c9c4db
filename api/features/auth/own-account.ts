/** What the acts on an own account share: checking its password, and telling its owner by mail. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { later, type Clock } from '../../core/clock.ts'
import { sourceOf } from '../../core/source.ts'
import { Problem } from '../../http/problem.ts'
import type { Session } from '../../http/session.ts'
import type { Message } from '../mail/port.ts'
import type { PostOffice } from '../mail/post-office.ts'
import type { AccountLimits } from './account-limits.ts'
import type { Devices } from './devices.ts'
import type { Factors } from './factors.ts'
import type { FoundLink, MailedLinks, Purpose } from './mailed-links.ts'
import type { SecurityLog, Subject } from './security-log.ts'
import type { Sessions } from './sessions.ts'
import { hasPassword, isConfirmed, type UserRecord, type Users } from './users.ts'

export interface AccountPorts {
  readonly factors: Factors
  readonly users: Users
  readonly sessions: Sessions
  readonly devices: Devices
  readonly mailedLinks: MailedLinks
  readonly accountLimits: AccountLimits
  readonly securityLog: SecurityLog
  readonly postOffice: PostOffice
  readonly publicUrl: string
  readonly log: Logger
}

export const wrongPassword = () => new Problem(403, 'wrong-password', "That isn't your current password.")

/** @returns a check that throws a Problem: 403 for a wrong password, 429 after too many of them */
export const passwordCheck =
  ({ users, accountLimits }: { readonly users: Users; readonly accountLimits: AccountLimits }) =>
  async (userId: string, password: string, address: string): Promise<UserRecord> => {
    const attempt = await accountLimits.checkingOwn(userId, sourceOf(address))
    const known = await users.get(userId)
    if (known && !hasPassword(known)) throw noPassword()
    const user = await users.verifyOwn(userId, password, { source: userId, isKnown: true })
    if (!user) throw wrongPassword()
    await attempt.succeeded()
    return user
  }

/**
 * For a user without a password, a sign-in at the provider a moment ago stands in for it.
 * @returns a check that throws a Problem: 403 without a password, and as in `passwordCheck`
 */
export const ownerCheck = (ports: {
  readonly users: Users
  readonly accountLimits: AccountLimits
  readonly clock: Clock
}) => {
  const check = passwordCheck(ports)
  return async (
    { userId, confirmedAt }: Session,
    password: string | undefined,
    address: string,
  ): Promise<UserRecord> => {
    const user = await ports.users.get(userId)
    if (user && !hasPassword(user)) {
      if (confirmedAt !== undefined && later(confirmedAt, confirmedMs) > ports.clock.now()) return user
      throw new Problem(403, 'sign-in-again', 'Sign in with single sign-on once more to do this.')
    }
    if (password === undefined) throw new Problem(403, 'password-required', 'Enter your password to do this.')
    return check(userId, password, address)
  }
}

/** How long a sign-in at the provider stands in for the password. */
export const confirmedMs = 5 * 60_000

const noPassword = () =>
  new Problem(
    403,
    'no-password',
    'Your account has no password yet. To set one, sign out and choose "Forgot your password?".',
  )

/** @returns a look-up of a mailed link and its account that throws a Problem 403 unless the link is valid */
export const linkReader =
  ({ users, mailedLinks }: { readonly users: Users; readonly mailedLinks: MailedLinks }) =>
  async (
    purpose: Purpose,
    token: string,
    subject: Subject,
  ): Promise<{ readonly link: FoundLink; readonly known: UserRecord }> => {
    const link = await mailedLinks.find(purpose, token)
    subject.userId = link?.userId
    const known = link && (await users.get(link.userId))
    if (!link || !known || !link.isStillOf(known)) throw linkOver()
    return { link, known }
  }

/** @returns a function that tells the account's owner of an act; a mail that can't be stored does not undo the act */
export const teller =
  ({ postOffice }: { readonly postOffice: PostOffice }) =>
  ({ id }: Pick<UserRecord, 'id'>, kind: string, message: Message): Promise<void> =>
    postOffice.tell({ kind, about: [id, randomUUID()], userId: id, content: { message } })

export const linkOver = () => new Problem(403, 'link-over', "This link doesn't work any more. Ask for a new one.")

/**
 * Deletes the records of sessions and links that a change of the user has revoked: they are invalid already, because
 * they are bound to the password's count.
 */
export const clearer =
  ({ accountLimits, mailedLinks, sessions, log }: AccountPorts) =>
  async (user: UserRecord): Promise<void> => {
    await accountLimits.linksAreOver(user.email)
    await mailedLinks
      .endAllOf(user.id)
      .then(() => sessions.endAllOf(user.id))
      .catch(unlessAway(log))
  }

export const unlessAway =
  (log: Logger) =>
  (error: unknown): void => {
    if (!(error instanceof StoreUnavailable)) throw error
    log.warn({ err: error }, 'Could not delete revoked sessions or links')
  }

/** Else a stranger could open an account for an address and keep the owner of the address out for ever. */
export function refuseUnconfirmed(user: UserRecord | null): asserts user is UserRecord {
  if (!user) throw new Problem(401, 'not-signed-in', 'Please sign in.')
  if (!isConfirmed(user)) throw new Problem(403, 'email-unconfirmed', 'Confirm your email address first.')
}
