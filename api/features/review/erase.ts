/** Erases a reviewer's name, address and words. Events contain none: the history says that a former reviewer acted. */
import type { Clock } from '../../core/clock.ts'
import type { Records } from '../../records/port.ts'
import { eraseWords, openCommentWords } from '../comments/words.ts'
import { contactsTable, type StoredContact } from '../contacts/contacts.ts'
import { eraseLettersAbout } from '../mail/letter-table.ts'
import { emptyOutbox } from '../mail/outbox.ts'
import { ReviewNotes } from './notes.ts'
import { Reviewers } from './reviewers.ts'
import { verdictLetterKind } from './verdict-letters.ts'

/** A reviewer, as the log names them, a contact, or every reviewer and contact with an address. */
export type Erased = { readonly id: string } | { readonly contactId: string } | { readonly email: string }

/** Erases the words of a person in the records of another feature. */
type EraseWords = (records: Records, reviewerId: string) => Promise<void>
export const wordsOfReviewers: readonly EraseWords[] = [
  async (records, reviewerId) => eraseWords(await openCommentWords(records), 'authorId', reviewerId),
]

const maxFound = 10_000

/**
 * Can be interrupted and repeated. Afterwards no file of the embedded records, and no letter, contains the bytes.
 * @returns how many people were found
 */
export async function eraseReviewer(
  records: Records,
  clock: Clock,
  who: Erased,
  outbox: string,
  elsewhere: readonly EraseWords[] = wordsOfReviewers,
): Promise<number> {
  const people = await Reviewers.open(records, clock)
  const notes = await ReviewNotes.open(records)
  const contacts = await records.table<StoredContact>(contactsTable)
  const email = 'email' in who ? who.email.toLowerCase() : undefined
  const named = 'id' in who ? await people.get(who.id) : null
  const contactId = 'contactId' in who ? who.contactId : named?.contactId
  const contactIds =
    email === undefined
      ? contactId
        ? [contactId]
        : []
      : (await contacts.find('email', email, maxFound)).map(({ id }) => id)
  const reviewerIds = new Set('id' in who ? [who.id] : [])
  for (const contactId of contactIds) for (const { id } of await people.ofContact(contactId)) reviewerIds.add(id)
  const addresses = new Set(email === undefined ? [] : [email])
  for (const contactId of contactIds) {
    const address = (await contacts.get(contactId))?.record.email
    if (address !== undefined) addresses.add(address)
  }
  // A repetition no longer knows the address.
  for (const address of addresses) await eraseLettersAbout(records, address, verdictLetterKind)
  if (addresses.size === 0) await eraseLettersAbout(records, undefined, verdictLetterKind)
  for (const id of reviewerIds) {
    await notes.erase(id)
    for (const erase of elsewhere) await erase(records, id)
  }
  // The contact ahead of the person: a contact's link would bring the name back.
  for (const id of contactIds) await contacts.remove(id)
  const found = contactIds.length + (named ? 1 : 0)
  for (const id of reviewerIds) await people.erase(id)
  await emptyOutbox(outbox)
  await records.scrub()
  return found
}
