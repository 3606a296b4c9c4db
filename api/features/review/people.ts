/** The people behind a client's review links, as the owner sees them, and their erasure. */
import type { Commands } from '../../core/commands.ts'
import { reviewLinkStream } from '../../core/load.ts'
import type { Handlers } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import type { Contacts } from '../contacts/contacts.ts'
import { firstOf } from '../history/scope.ts'
import type { Erased } from './erase.ts'
import type { ReviewRecords } from './records.ts'

export interface ReviewPeoplePorts {
  readonly commands: Commands
  readonly clientContacts: Pick<Contacts, 'get'>
  readonly reviewRecords: Pick<ReviewRecords, 'people'>
  readonly eraseReviewer: (who: Erased) => Promise<unknown>
}

/** As a dictionary sorts. */
const { compare: byName } = new Intl.Collator('en', { numeric: true })

export function reviewPeopleHandlers(ports: ReviewPeoplePorts): Handlers<'listReviewers' | 'eraseReviewer'> {
  const { commands, clientContacts, eraseReviewer } = ports
  const { people } = ports.reviewRecords

  async function found(agencyId: string, id: string): Promise<Erased | null> {
    const reviewer = await people.get(id)
    if (reviewer) return reviewer.agencyId === agencyId ? { id } : null
    const contact = await clientContacts.get(id)
    return contact?.agencyId === agencyId ? { contactId: id } : null
  }

  return {
    async listReviewers({ agencyId, params: { id }, loadAgency }) {
      const first = await firstOf(commands.ports.events, reviewLinkStream(id))
      const clientId = first?.metadata.clientId
      const { clients } = await loadAgency()
      if (first?.metadata.agencyId !== agencyId || clientId === undefined || !(clientId in clients))
        throw notFound('This link')
      const reviewers = await people.ofLink(id)
      const body = reviewers.map(({ id: reviewerId, name, contactId, at: since }) => ({
        id: reviewerId,
        name,
        contactId,
        since,
      }))
      return { body: body.toSorted((a, b) => byName(a.name, b.name)) }
    },

    async eraseReviewer({ agencyId, params: { id } }) {
      const who = await found(agencyId, id)
      if (!who) throw notFound('This reviewer')
      await eraseReviewer(who)
      return {}
    },
  }
}
