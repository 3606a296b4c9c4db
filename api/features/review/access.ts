/** Who opens a review link, and what they have proved: from the token and session of a request. */
import type { Agency } from '../../../domain/agency/state.ts'
import type { ReviewLinkTerms } from '../../../domain/review-link/commands.ts'
import { whyReviewOver } from '../../../domain/review-link/decider.ts'
import type { Clock } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import { sourceOf } from '../../core/source.ts'
import { Problem } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import type { ContactRecord, Contacts } from '../contacts/contacts.ts'
import type { ReviewLimits } from './limits.ts'
import type { ReviewRecords } from './records.ts'
import { reviewerOf, type ReviewSession } from './reviewers.ts'
import type { ReviewToken } from './tokens.ts'

export interface AccessPorts {
  readonly commands: Commands
  readonly clock: Clock
  readonly clientContacts: Pick<Contacts, 'get'>
  readonly reviewRecords: ReviewRecords
  readonly reviewLimits: ReviewLimits
}

export interface Asked {
  readonly body: { readonly token: string; readonly session?: string | undefined }
  readonly address: string
}

/** A link that is known, whether or not it still shows anything. */
export interface FoundLink {
  readonly token: ReviewToken
  readonly terms: ReviewLinkTerms
  readonly agency: Agency
  /** Null: the token is for everyone, or its contact was removed. */
  readonly contact: ContactRecord | null
  readonly session: ReviewSession | null
  readonly over: 'revoked' | 'expired' | null
  readonly isLocked: boolean
  /** Null: the person has given no name yet. */
  readonly reviewerId: string | null
  readonly verified: ReviewSession['verified']
}

/** @throws Problem 404 for a token that is none, 429 */
export async function foundLink(ports: AccessPorts, { body, address }: Asked): Promise<FoundLink> {
  const { commands, clock, clientContacts, reviewRecords, reviewLimits } = ports
  const { tokens, people } = reviewRecords
  const token = await tokens.find(body.token)
  if (!token) {
    await reviewLimits.unknown(sourceOf(address))
    throw problemOf({ reason: 'link-unknown' })
  }
  await reviewLimits.known(token.linkId)
  const [{ state: link }, { state: agency }] = await Promise.all([
    commands.loadReviewLink(token.linkId),
    commands.loadAgency(token.agencyId),
  ])
  if (!link.issued) throw problemOf({ reason: 'link-unknown' })
  const session = body.session === undefined ? null : await people.session(body.session, token)
  const contact = token.contactId === null ? null : await clientContacts.get(token.contactId)
  const why = whyReviewOver(link, clock.now())
  // A removed client's posts are shown no longer, and neither is the link of a removed contact.
  const isWithdrawn = !(token.clientId in agency.clients) || (token.contactId !== null && contact === null)
  const { lock } = link.issued
  const verified = session?.verified ?? 'named'
  return {
    token,
    terms: link.issued,
    agency,
    contact,
    session,
    over: why?.reason === 'link-revoked' || isWithdrawn ? 'revoked' : why ? 'expired' : null,
    isLocked: lock === 'code' ? verified !== 'code' : lock === 'passcode' && !session?.isUnlocked,
    reviewerId: reviewerOf(token) ?? session?.reviewerId ?? null,
    verified,
  }
}

/** The same, for what is only done through an open link. @throws Problem 403 */
export async function openLink(ports: AccessPorts, asked: Asked): Promise<FoundLink> {
  const found = await notOver(ports, asked)
  if (found.isLocked) throw new Problem(403, 'link-locked', 'This link is locked. Open it again.')
  return found
}

/** The same, for what opens a locked link. @throws Problem 403 */
export async function notOver(ports: AccessPorts, asked: Asked): Promise<FoundLink> {
  const found = await foundLink(ports, asked)
  if (found.over === 'revoked') throw problemOf({ reason: 'link-revoked' })
  if (found.over === 'expired') throw problemOf({ reason: 'link-expired', expiresAt: found.terms.expiresAt })
  return found
}

/** Records the person with the first act. @throws Problem 403 for a person without a name, or one who is erased */
export async function actingReviewer({ reviewRecords: { people } }: AccessPorts, found: FoundLink): Promise<string> {
  const { reviewerId, contact, token } = found
  const isKnown = reviewerId !== null && (await people.get(reviewerId)) !== null
  // The session of an erased person has a name no longer.
  if (reviewerId === null || (!isKnown && !contact)) throw new Problem(403, 'name-needed', 'Say who you are first.')
  if (isKnown) await people.mustNotBeErased({ id: reviewerId, contactId: token.contactId })
  else if (contact) await people.add(token, reviewerId, contact.name)
  return reviewerId
}
