/** The people who review by links: their names are records, events have their ids. */
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Instant } from '../../../domain/core/event.ts'
import type { verifications } from '../../../domain/post/commands.ts'
import { idFromKey } from '../../core/agency-id.ts'
import { later, type Clock } from '../../core/clock.ts'
import { Problem } from '../../http/problem.ts'
import type { Records, RecordTable } from '../../records/port.ts'
import { removeAll } from '../../records/remove-all.ts'
import type { ErasedPeople } from './erased.ts'
import { digestOf, type ReviewToken } from './tokens.ts'

export interface ReviewerRecord {
  readonly id: string
  readonly linkId: string
  readonly agencyId: string
  readonly clientId: string
  /** Null: a link for everyone. */
  readonly contactId: string | null
  readonly name: string
  /** The version of each post that was shown last, of the newest 100. */
  readonly seen: Readonly<Record<string, number>>
  /** When the person last commented on a post, of the newest 20. Absent in records of earlier versions. */
  readonly commented?: Readonly<Record<string, Instant>>
  readonly at: Instant
}

/** What a person has proved about a link. */
export interface ReviewSession {
  /** SHA-256 of the session's token. */
  readonly id: string
  readonly linkId: string
  readonly clientId: string
  /** The token that it was opened with: another one's session is none. */
  readonly tokenId: string
  /** Null: the person has given no name yet. */
  readonly reviewerId: string | null
  readonly isUnlocked: boolean
  readonly verified: (typeof verifications)[number]
  readonly expiresAt: Instant
}

export const formerReviewer = 'Former reviewer'
const maxNamed = 100
const maxSessions = 1_000
const maxSeen = 100
const maxCommented = 20
const sessionMs = 14 * 86_400_000

/** Of the contact whose token it is; null for a token for everyone. */
export const reviewerOf = ({ linkId, agencyId, contactId }: ReviewToken): string | null =>
  contactId === null ? null : idFromKey(agencyId, 'reviewer', `${linkId} ${contactId}`)

export class Reviewers {
  private constructor(
    private readonly records: RecordTable<ReviewerRecord>,
    private readonly sessions: RecordTable<ReviewSession>,
    private readonly clock: Clock,
    private readonly erased: ErasedPeople,
  ) {}

  static async open(records: Records, clock: Clock, erased: ErasedPeople): Promise<Reviewers> {
    return new Reviewers(
      await records.table<ReviewerRecord>({ table: 'reviewers', indexed: ['linkId', 'clientId', 'contactId'] }),
      await records.table<ReviewSession>({
        table: 'review_sessions',
        indexed: ['linkId', 'clientId', 'reviewerId', 'expiresAt'],
      }),
      clock,
      erased,
    )
  }

  async get(id: string): Promise<ReviewerRecord | null> {
    return (await this.records.get(id))?.record ?? null
  }

  async nameOf(id: string): Promise<string> {
    return (await this.get(id))?.name ?? formerReviewer
  }

  async ofContact(contactId: string): Promise<readonly ReviewerRecord[]> {
    return this.records.find('contactId', contactId, 1_000)
  }

  /** The people who have acted through a link. */
  async ofLink(linkId: string): Promise<readonly ReviewerRecord[]> {
    return this.records.find('linkId', linkId, 2 * maxNamed)
  }

  /** With the first act of a contact. @throws Problem 403 for one who is erased meanwhile */
  async add(token: ReviewToken, id: string, name: string): Promise<ReviewerRecord> {
    const { linkId, agencyId, clientId, contactId } = token
    const record = { id, linkId, agencyId, clientId, contactId, name, seen: {}, at: this.clock.now() }
    await this.records.insert(record)
    await this.mustNotBeErased(record)
    return (await this.get(id)) ?? record
  }

  /** Removes the record of a person who is erased meanwhile. @throws Problem 403 */
  async mustNotBeErased({ id, contactId }: Pick<ReviewerRecord, 'id' | 'contactId'>): Promise<void> {
    for (const erasedId of [id, contactId]) await this.erased.undoIf(erasedId, () => this.records.remove(id))
  }

  /** A person on a link for everyone. @throws Problem 429 for the 101st of a link */
  async named(token: ReviewToken, name: string): Promise<string> {
    const found = await this.records.find('linkId', token.linkId, maxNamed)
    if (found.length >= maxNamed) throw tooManyPeople()
    return (await this.add(token, uuidv7(), name)).id
  }

  /** Keeps the newest version of each post. */
  saw(id: string, seen: Readonly<Record<string, number>>): Promise<void> {
    return this.#change(id, (known) => ({ ...known, seen: newest(known.seen, seen, maxSeen) }))
  }

  commentedOn(id: string, postId: string): Promise<void> {
    const now = { [postId]: this.clock.now() }
    return this.#change(id, (known) => ({ ...known, commented: newest(known.commented ?? {}, now, maxCommented) }))
  }

  async #change(id: string, change: (known: ReviewerRecord) => ReviewerRecord): Promise<void> {
    for (;;) {
      const found = await this.records.get(id)
      if (found === null) return
      const next = change(found.record)
      if (JSON.stringify(next) === JSON.stringify(found.record)) return
      if (await this.records.replace(next, found.version)) return
    }
  }

  /** Returns the session's token. The 1,001st of a link ends one without a name, or the oldest. */
  async begin(
    { id: tokenId, linkId, clientId, expiresAt }: ReviewToken,
    of: Pick<ReviewSession, 'reviewerId' | 'isUnlocked' | 'verified'>,
  ): Promise<string> {
    const open = await this.sessions.find('linkId', linkId, maxSessions)
    if (open.length >= maxSessions) await this.sessions.remove(open.toSorted(leastMissed)[0]?.id ?? '')
    const token = randomBytes(32).toString('base64url')
    const latest = later(this.clock.now(), sessionMs)
    await this.sessions.put({
      ...of,
      id: digestOf(token),
      linkId,
      clientId,
      tokenId,
      expiresAt: latest < expiresAt ? latest : expiresAt,
    })
    return token
  }

  /** Null for an unknown one, for one that is over, and for one of another token. */
  async session(token: string, of: ReviewToken): Promise<ReviewSession | null> {
    const session = (await this.sessions.get(digestOf(token)))?.record
    return session?.tokenId === of.id && session.expiresAt > this.clock.now() ? session : null
  }

  /** Removes a person, whose name is in no record any more. */
  async erase(id: string): Promise<void> {
    await removeAll(this.sessions, 'reviewerId', id)
    await this.records.remove(id)
  }

  async removeOf(clientId: string): Promise<void> {
    await removeAll(this.sessions, 'clientId', clientId)
    await removeAll(this.records, 'clientId', clientId)
  }

  async sweep(): Promise<void> {
    await this.sessions.removeBefore('expiresAt', this.clock.now())
  }
}

/** Puts each at the end of the list, which begins with the posts that are the longest ago and are dropped first. */
function newest<T>(known: Readonly<Record<string, T>>, added: Readonly<Record<string, T>>, max: number) {
  const kept = Object.entries(known).filter(([postId]) => !(postId in added))
  return Object.fromEntries([...kept, ...Object.entries(added)].slice(-max)) as Readonly<Record<string, T>>
}

/** Sessions without a name first, then those that end first. */
const leastMissed = (one: ReviewSession, other: ReviewSession) =>
  Number(one.reviewerId !== null) - Number(other.reviewerId !== null) || (one.expiresAt < other.expiresAt ? -1 : 1)

const tooManyPeople = () =>
  new Problem(429, 'too-many', 'As many people as one link takes have used it already. Ask the agency for another one.')
