/** Erases a user's personal data. Events contain none: their history stays verifiable, by a former user. */
import { openContacts } from '../../features/agency/contacts.ts'
import { ownershipsTable } from '../../features/agency/ownerships.ts'
import { factorsTable } from '../../features/auth/factors.ts'
import { oidcLinksTable } from '../../features/auth/oidc/links.ts'
import { eraseWords, openCommentWords } from '../../features/comments/words.ts'
import { MailedLinks } from '../../features/auth/mailed-links.ts'
import { PendingSignIns } from '../../features/auth/pending-sign-ins.ts'
import { Sessions } from '../../features/auth/sessions.ts'
import { Invitations } from '../../features/team/invitations.ts'
import { Users } from '../../features/auth/users.ts'
import type { Clock } from '../../core/clock.ts'
import { eraseLetters } from '../../features/mail/letter-table.ts'
import { emptyOutbox } from '../../features/mail/outbox.ts'
import type { Records } from '../../records/port.ts'

export interface Erased {
  /** Whether the user existed; the leftovers of an interrupted run are erased in any case. */
  readonly wasThere: boolean
  readonly sessions: number
}

/**
 * Can be interrupted and repeated. Afterwards no file of the embedded records, and no letter, contains the bytes.
 * @param owned the agencies whose only member is the user: their contact address is removed too
 */
export async function eraseUser(
  records: Records,
  clock: Clock,
  userId: string,
  owned: readonly string[],
  outbox: string,
): Promise<Erased> {
  const users = await Users.open(records, clock)
  const sessions = await Sessions.open(records, clock, ['nothing is sealed here'])
  const links = await MailedLinks.open(records, clock)
  const contacts = await openContacts(records)
  const invitations = await Invitations.open(records, clock)
  const email = (await users.get(userId))?.email
  if (email !== undefined) {
    await invitations.removeOf(email)
    // A repetition no longer knows the address.
    await eraseLetters(records, userId, email)
  }
  // The user first, so that they can't sign in again.
  const wasThere = await users.remove(userId)
  const ended = await sessions.endAllOf(userId)
  await links.endAllOf(userId)
  await (await PendingSignIns.open(records, clock)).endAllOf(userId)
  await (await records.table(factorsTable)).remove(userId)
  await (await records.table(oidcLinksTable)).remove(userId)
  await (await records.table(ownershipsTable)).remove(userId)
  await eraseWords(await openCommentWords(records), 'authorId', userId)
  for (const agencyId of owned) await contacts.remove(agencyId)
  await eraseLetters(records, userId, email)
  await emptyOutbox(outbox)
  await records.scrub()
  return { wasThere, sessions: ended }
}
