/** Erases a reviewer's name, address and words. Events contain none: the history says that a former reviewer acted. */
import type { Clock } from '../../core/clock.ts'
import type { Records } from '../../records/port.ts'
import { eraseWords, openCommentWords } from '../comments/words.ts'
import { contactsTable, type StoredContact } from '../contacts/contacts.ts'
import { eraseLettersAbout } from '../mail/letter-table.ts'
import { emptyOutbox } from '../mail/outbox.ts'
import { ErasedPeople } from './erased.ts'
import { ReviewNotes } from './notes.ts'
import { reviewerOf, Reviewers } from './reviewers.ts'
import { reviewTokensTable, tokensOfContact, type ReviewToken } from './tokens.ts'
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
  const erased = await ErasedPeople.open(records, clock)
  const people = await Reviewers.open(records, clock, erased)
  const notes = await ReviewNotes.open(records, erased)
  const tokens = await records.table<ReviewToken>(reviewTokensTable)
  const contacts = await records.table<StoredContact>(contactsTable)
  const email = 'email' in who ? who.email.toLowerCase() : undefined
  const named = 'id' in who ? await people.get(who.id) : null
  const contactId = 'contactId' in who ? who.contactId : named?.contactId
  const withAddress = email === undefined ? [] : await contacts.find('email', email, maxFound)
  const contactIds = contactId ? [contactId] : withAddress.map(({ id }) => id)
  const reviewerIds = new Set('id' in who ? [who.id] : [])
  // Requests under way see the marks, so that nothing comes back behind the look-ups.
  for (const id of [...contactIds, ...reviewerIds]) await erased.mark(id)
  for (const contactId of contactIds) {
    for (const { id } of await people.ofContact(contactId)) reviewerIds.add(id)
    // Of notes and words without a person too.
    for (const token of await tokensOfContact(tokens, contactId)) reviewerIds.add(reviewerOf(token) ?? contactId)
  }
  for (const id of reviewerIds) await erased.mark(id)
  const addresses = new Set(email === undefined ? [] : [email])
  for (const contactId of contactIds) {
    const address = (await contacts.get(contactId))?.record.email
    if (address !== undefined) addresses.add(address)
  }
  const eraseLetters = async () => {
    for (const address of addresses) await eraseLettersAbout(records, address, verdictLetterKind)
    if (addresses.size === 0) await eraseLettersAbout(records, undefined, verdictLetterKind)
  }
  const eraseWritten = async () => {
    for (const id of reviewerIds) {
      await notes.erase(id)
      for (const erase of elsewhere) await erase(records, id)
    }
  }
  // A repetition no longer knows the address.
  await eraseLetters()
  await eraseWritten()
  // The contact ahead of the person: a contact's link would bring the name back.
  for (const id of contactIds) await contacts.remove(id)
  const found = contactIds.length + (named ? 1 : 0)
  for (const id of reviewerIds) await people.erase(id)
  // What was written meanwhile: a process may have ended before it undid it.
  await eraseWritten()
  await eraseLetters()
  await emptyOutbox(outbox)
  await records.scrub()
  return found
}
