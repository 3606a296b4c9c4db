/** What the acts on an own account share: checking its password, and telling its owner by mail. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { sourceOf } from '../../core/source.ts'
import { Problem } from '../../http/problem.ts'
import type { Message } from '../mail/port.ts'
import type { PostOffice } from '../mail/post-office.ts'
import type { AccountLimits } from './account-limits.ts'
import type { Devices } from './devices.ts'
import type { Factors } from './factors.ts'
import type { FoundLink, MailedLinks, Purpose } from './mailed-links.ts'
import type { SecurityLog, Subject } from './security-log.ts'
import type { Sessions } from './sessions.ts'
import { isConfirmed, type UserRecord, type Users } from './users.ts'

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
    const user = await users.verifyOwn(userId, password, { source: userId, isKnown: true })
    if (!user) throw wrongPassword()
    await attempt.succeeded()
    return user
  }

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
