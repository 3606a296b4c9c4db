/** Review links as the agency sees them: issued, listed, revoked. Each address is shown or mailed once. */
import { v7 as uuidv7 } from 'uuid'
import { maxOpenReviewLinks, type ReviewLinkTerms } from '../../../domain/review-link/commands.ts'
import { reviewLinksProjection } from '../../../projections/review-links/projection.ts'
import type { ReviewLinkView } from '../../../projections/review-links/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { IssuedReviewLink, ReviewLink } from '../../contract/index.ts'
import { idFromKey } from '../../core/agency-id.ts'
import type { Clock } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import { reviewLinkStream } from '../../core/load.ts'
import { mappedInOrder } from '../../core/map-in-order.ts'
import type { Newest } from '../../core/read-your-writes.ts'
import { accepted, type Handlers, type OfAgency } from '../../http/handler.ts'
import { pageOf } from '../../http/paging.ts'
import { notFound, Problem } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import type { Hashing } from '../auth/hashing.ts'
import type { Users } from '../auth/users.ts'
import { mustHaveClient } from '../clients/routes.ts'
import type { ContactRecord, Contacts } from '../contacts/contacts.ts'
import { firstOf } from '../history/scope.ts'
import type { PostOffice } from '../mail/post-office.ts'
import { reviewLink, reviewMail } from './letters.ts'
import type { ReviewLimits } from './limits.ts'
import type { ReviewRecords } from './records.ts'
import { versionOf } from './versions.ts'

export interface ReviewLinkPorts {
  readonly commands: Commands
  readonly views: Pick<Views, 'reviewLinks'>
  readonly newest: Newest
  readonly clock: Clock
  readonly publicUrl: string
  readonly users: Pick<Users, 'nameForOthers'>
  readonly postOffice: Pick<PostOffice, 'send'>
  /** Whether letters leave by mail; else the issuer passes the addresses on. */
  readonly mails: boolean
  readonly clientContacts: Contacts
  readonly reviewRecords: Pick<ReviewRecords, 'tokens' | 'locks'>
  readonly reviewLimits: Pick<ReviewLimits, 'issuing'>
  readonly hashing: Hashing
}

/** For the tokens of a new link: more than it has. */
const maxLinksLookedAt = 20

type Names = 'listReviewLinks' | 'issueReviewLink' | 'revokeReviewLink'

export function reviewLinkHandlers(ports: ReviewLinkPorts): Handlers<Names> {
  const { commands, views, newest, clock, publicUrl, users, postOffice, mails } = ports
  const { clientContacts, reviewRecords, reviewLimits, hashing } = ports
  const { tokens, locks } = reviewRecords

  const shown = async ({ agencyId: _, revokedAt, issuedBy, ...link }: ReviewLinkView): Promise<ReviewLink> => ({
    ...link,
    issuedBy: await users.nameForOthers(issuedBy),
    state: revokedAt !== null ? 'revoked' : link.expiresAt <= clock.now() ? 'expired' : 'open',
  })

  /** Drafts that were never submitted are shown to no client. */
  async function arePosts(agencyId: string, { clientId, scope }: ReviewLinkTerms, from: OfAgency['aggregates']) {
    if (scope.kind !== 'posts') return true
    const found = await mappedInOrder(scope.postIds, (id) => commands.loadPost(id, from))
    return found.every(
      ({ state, head }) =>
        head.agencyId === agencyId && state.clientId === clientId && !state.deleted && versionOf(state) > 0,
    )
  }

  async function contactsOf({ clientId, contacts }: ReviewLinkTerms): Promise<readonly ContactRecord[]> {
    if (contacts.length === 0) return []
    const known = await clientContacts.of(clientId)
    return contacts.flatMap((id) => known.find((contact) => contact.id === id) ?? [])
  }

  /** The first of these links that have ended. The log decides: a view that lags has a new link not yet. */
  async function ended(agencyId: string, linkIds: readonly string[]): Promise<ReadonlySet<string>> {
    const where = { agencyId, revokedAt: null, expiresAt: { gte: clock.now() } }
    const open = new Set((await views.reviewLinks.find({ where, limit: maxOpenReviewLinks })).map(({ id }) => id))
    const others = linkIds.filter((id) => !open.has(id)).slice(0, maxLinksLookedAt)
    const isOver = await mappedInOrder(others, async (id) => {
      const { issued, isRevoked } = (await commands.loadReviewLink(id)).state
      return isRevoked || issued === null || issued.expiresAt <= clock.now()
    })
    return new Set(others.filter((_, index) => isOver[index]))
  }

  async function send(
    linkId: string,
    terms: ReviewLinkTerms,
    contacts: readonly ContactRecord[],
    about: {
      readonly agencyId: string
      readonly agencyName: string
      readonly clientName: string
      readonly issuer: string
    },
  ): Promise<Pick<IssuedReviewLink, 'url' | 'sentTo'>> {
    const of = { linkId, agencyId: about.agencyId, clientId: terms.clientId, expiresAt: terms.expiresAt }
    const sentTo: IssuedReviewLink['sentTo'] = []
    for (const contact of contacts) {
      const link = reviewLink(publicUrl, await tokens.put({ ...of, contactId: contact.id }))
      const message = reviewMail(contact.email, link, { ...about, expiresAt: terms.expiresAt })
      await postOffice.send({ kind: 'review', about: [linkId, contact.id], to: contact.email, content: { message } })
      sentTo.push({ contactId: contact.id, mailed: mails, url: mails ? null : link })
    }
    const url = terms.anyone ? reviewLink(publicUrl, await tokens.put({ ...of, contactId: null })) : null
    return { url, sentTo }
  }

  return {
    async listReviewLinks(ask) {
      const clientId = ask.params.id
      await mustHaveClient(ask, clientId)
      const { cursor } = ask.query
      const query = {
        where: { clientId },
        sort: { field: 'issuedAt', order: 'desc' },
        ...(cursor === undefined ? {} : { cursor }),
      } as const
      return pageOf(views.reviewLinks.each(query), shown)
    },

    async issueReviewLink(ask) {
      const { agencyId, by, me, body, params, session, idempotencyKey, visible } = ask
      const clientId = params.id
      await mustHaveClient(ask, clientId)
      const { passcode, ...rest } = body
      const terms: ReviewLinkTerms = { ...rest, clientId }
      if (terms.lock === 'passcode' && passcode === undefined)
        throw new Problem(400, 'invalid', 'Passcode: Required for this lock')
      const id = idempotencyKey === null ? uuidv7() : idFromKey(agencyId, `issueReviewLink ${clientId}`, idempotencyKey)
      const contacts = await contactsOf(terms)
      const facts = {
        contactsExist: contacts.length === terms.contacts.length,
        postsExist: await arePosts(agencyId, terms, ask.aggregates),
        open: await views.reviewLinks.count({ agencyId, revokedAt: null, expiresAt: { gte: clock.now() } }),
        mails,
      }
      const asker = { source: session.userId, isKnown: true }
      // Before the link, which could not be opened without it.
      const isIssued = async () => (await commands.loadReviewLink(id)).state.issued !== null
      const isNew = !(await isIssued())
      const lock =
        isNew && terms.lock === 'passcode' && passcode !== undefined
          ? { id, clientId, hash: await hashing.hash(asker, passcode), expiresAt: terms.expiresAt }
          : null
      // A repeated request issues nothing, and its letters have left, or wait to.
      const counted = isNew ? await reviewLimits.issuing(agencyId, contacts.length) : null
      if (lock) await locks.setPasscode(lock)
      const outcome = await commands.reviewLink(id, { type: 'IssueReviewLink', ...terms }, { ...by, clientId }, facts)
      if ('refused' in outcome || outcome.appended === 0) await counted?.isNotIssued()
      if (lock && 'refused' in outcome && !(await isIssued())) await locks.removePasscode(id)
      // The same request, sent at once, may have been refused, or accepted, meanwhile.
      if (lock && (await isIssued()) && (await locks.passcodeHash(id)) === null) await locks.setPasscode(lock)
      const { appendedEvents } = accepted(outcome)
      const sought = { id, view: views.reviewLinks, projection: reviewLinksProjection, stream: reviewLinkStream(id) }
      const link = await newest(sought, await visible(appendedEvents))
      if (!link) throw notFound('This link')
      // A removal meanwhile may not have seen the link, whose addresses have not been told to anyone yet.
      const { state: agency } = await commands.loadAgency(agencyId)
      if (!agency.team.members[me.id]) {
        await commands.reviewLink(id, { type: 'RevokeReviewLink' }, { ...by, clientId })
        throw problemOf({ reason: 'not-a-member' })
      }
      const issuer = await users.nameForOthers(session.userId)
      const clientName = agency.clients[clientId]?.name ?? ''
      const about = { agencyId, agencyName: agency.name, clientName, issuer }
      const count = contacts.length + (terms.anyone ? 1 : 0)
      await tokens.makeRoom({ linkId: id, clientIds: Object.keys(agency.clients), count }, (ids) =>
        ended(agencyId, ids),
      )
      return { body: { ...(await shown(link)), ...(await send(id, terms, contacts, about)) } }
    },

    async revokeReviewLink(ask) {
      const { agencyId, by, params, visible } = ask
      const first = await firstOf(commands.ports.events, reviewLinkStream(params.id))
      const clientId = first?.metadata.clientId
      const { clients } = await ask.loadAgency()
      if (first?.metadata.agencyId !== agencyId || clientId === undefined || !(clientId in clients))
        throw notFound('This link')
      const { appendedEvents } = accepted(
        await commands.reviewLink(params.id, { type: 'RevokeReviewLink' }, { ...by, clientId }),
      )
      await locks.removePasscode(params.id)
      await visible(appendedEvents)
      return {}
    },
  }
}
