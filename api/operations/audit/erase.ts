/** Takes a person's data out of everything. Events hold none: what was done stays verifiable, by a former user. */
import { agencyIdOf } from '../../core/agency-id.ts'
import { openContacts } from '../../features/agency/contacts.ts'
import { MailedLinks } from '../../features/auth/mailed-links.ts'
import { Sessions } from '../../features/auth/sessions.ts'
import { Users } from '../../features/auth/users.ts'
import type { Clock } from '../../core/clock.ts'
import { emptyOutbox } from '../../features/mail/outbox.ts'
import type { Records } from '../../records/port.ts'

export interface Erased {
  /** Whether there was such a person; what was left of an earlier try is taken out all the same. */
  readonly wasThere: boolean
  readonly sessions: number
}

/** Can be interrupted and repeated. Afterwards the bytes are in no file of the embedded records either, nor in a letter. */
export async function eraseUser(records: Records, clock: Clock, userId: string, outbox: string): Promise<Erased> {
  const users = await Users.open(records, clock)
  const sessions = await Sessions.open(records, clock, ['nothing is sealed here'])
  const links = await MailedLinks.open(records, clock)
  const contacts = await openContacts(records)
  // First who could come back in.
  const wasThere = await users.remove(userId)
  const ended = await sessions.endAllOf(userId)
  await links.endAllOf(userId)
  await contacts.remove(agencyIdOf(userId))
  await emptyOutbox(outbox)
  await records.scrub()
  return { wasThere, sessions: ended }
}
