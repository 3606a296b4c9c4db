/** The people behind a client's review links, as the owner sees them, and their erasure. */
import type { Commands } from '../../core/commands.ts'
import { reviewLinkStream } from '../../core/load.ts'
import type { Handlers } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import type { Users } from '../auth/users.ts'
import type { CommentWordsTable } from '../comments/words.ts'
import type { Contacts } from '../contacts/contacts.ts'
import { firstOf } from '../history/scope.ts'
import type { Erased } from './erase.ts'
import type { ReviewRecords } from './records.ts'
import { reviewerOf } from './reviewers.ts'

export interface ReviewPeoplePorts {
  readonly commands: Commands
  readonly clientContacts: Pick<Contacts, 'get'>
  readonly reviewRecords: Pick<ReviewRecords, 'people' | 'notes' | 'tokens'>
  readonly commentWords: Pick<CommentWordsTable, 'find'>
  readonly users: Pick<Users, 'get'>
  readonly eraseReviewer: (who: Erased) => Promise<unknown>
}

/** As a dictionary sorts. */
const { compare: byName } = new Intl.Collator('en', { numeric: true })

export function reviewPeopleHandlers(ports: ReviewPeoplePorts): Handlers<'listReviewers' | 'eraseReviewer'> {
  const { commands, clientContacts, commentWords, users, eraseReviewer } = ports
  const { people, notes, tokens } = ports.reviewRecords

  async function found(agencyId: string, id: string): Promise<Erased | null> {
    const reviewer = await people.get(id)
    if (reviewer) return reviewer.agencyId === agencyId ? { id } : null
    const contact = await clientContacts.get(id)
    if (contact) return contact.agencyId === agencyId ? { contactId: id } : null
    if (await isFormerContact(agencyId, id)) return { contactId: id }
    return (await hasWritten(agencyId, id)) ? { id } : null
  }

  /** A contact who was removed, and of whom a name or words are left. */
  async function isFormerContact(agencyId: string, contactId: string): Promise<boolean> {
    const ofAgency = (each: { readonly agencyId: string }) => each.agencyId === agencyId
    if ((await people.ofContact(contactId)).some(ofAgency)) return true
    for (const token of (await tokens.ofContact(contactId)).filter(ofAgency))
      if (await hasWritten(agencyId, reviewerOf(token) ?? contactId)) return true
    return false
  }

  /** Members have comments too, and are erased by the operator. */
  async function hasWritten(agencyId: string, reviewerId: string): Promise<boolean> {
    const written = [...(await notes.ofReviewer(reviewerId)), ...(await commentWords.find('authorId', reviewerId))]
    return written.some((each) => each.agencyId === agencyId) && (await users.get(reviewerId)) === null
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
