/** What the people of a client do through a review link, without an account. */
import { noBrand, standingOf } from '../../../domain/agency/state.ts'
import type { Views } from '../../../projections/registry.ts'
import type { ReviewingAgency } from '../../contract/index.ts'
import { sourceOf } from '../../core/source.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import type { Asker, Hashing } from '../auth/hashing.ts'
import type { Users } from '../auth/users.ts'
import type { CommentWordsTable } from '../comments/words.ts'
import type { Past } from '../history/past.ts'
import type { Images } from '../media/images.ts'
import type { PostOffice } from '../mail/post-office.ts'
import { actingReviewer, foundLink, notOver, openLink, type AccessPorts, type FoundLink } from './access.ts'
import { reviewerCommentHandlers } from './comments.ts'
import { codeMail } from './letters.ts'
import { ownReceiptHandlers, type OwnReceipts } from './receipts.ts'
import { reviewedPosts } from './shown-posts.ts'
import { verdictHandlers } from './verdicts.ts'

export interface PublicReviewPorts extends AccessPorts, OwnReceipts {
  readonly views: Pick<Views, 'postCards' | 'reviews' | 'reviewLinks'>
  readonly images: Pick<Images, 'publicUrlOf'>
  readonly commentWords: CommentWordsTable
  readonly past: Pick<Past, 'shortReads'>
  readonly users: Pick<Users, 'nameForOthers' | 'withEmail'>
  readonly postOffice: Pick<PostOffice, 'send' | 'tell'>
  readonly publicUrl: string
  readonly mails: boolean
  readonly hashing: Hashing
}

type Names =
  | 'lookAtReview'
  | 'openReview'
  | 'nameReviewer'
  | 'askReviewCode'
  | 'unlockReview'
  | 'giveVerdict'
  | 'holdReviewedPost'
  | 'listReviewComments'
  | 'commentAsReviewer'
  | 'listOwnReceipts'
  | 'editReviewComment'
  | 'removeReviewComment'

export function publicReviewHandlers(ports: PublicReviewPorts): Handlers<Names> {
  const { commands, clock, views, images, users, postOffice, mails, hashing, reviewLimits } = ports
  const { people, locks } = ports.reviewRecords
  const posts = reviewedPosts({ ...ports, people, reads: ports.past.shortReads })

  async function isPasscode(linkId: string, passcode: string, asker: Asker): Promise<boolean> {
    const hash = await locks.passcodeHash(linkId)
    return hash !== null && hashing.verify(asker, hash, passcode)
  }

  const agencyOf = ({ agency }: FoundLink): ReviewingAgency => {
    const { logoHash, color } = agency.brand ?? noBrand
    return { name: agency.name, logoUrl: logoHash === null ? null : images.publicUrlOf(logoHash), color }
  }

  const issuerOf = async ({ token }: FoundLink) => {
    const link = await views.reviewLinks.get(token.linkId)
    return link ? users.nameForOthers(link.issuedBy) : 'A member of the agency'
  }

  return {
    async lookAtReview(ask) {
      const found = await foundLink(ports, ask)
      const { over, isLocked, terms, contact, reviewerId, agency, verified } = found
      if (over) return { body: { state: over, agency: agencyOf(found) } }
      if (isLocked) {
        const needs = terms.lock === 'code' ? 'code' : 'passcode'
        const address = needs === 'code' && contact ? shortened(contact.email) : null
        return { body: { state: 'locked', agency: agencyOf(found), needs, address } }
      }
      const [page, issuedBy, reviewer] = await Promise.all([
        posts.page(found, ask.body.cursor),
        issuerOf(found),
        reviewerId === null ? null : people.get(reviewerId),
      ])
      return {
        body: {
          state: 'open',
          agency: agencyOf(found),
          clientName: agency.clients[terms.clientId]?.name ?? '',
          timeZone: agency.timeZone,
          issuedBy,
          expiresAt: terms.expiresAt,
          may: [...terms.may],
          you: { id: reviewer?.id ?? null, name: reviewer?.name ?? contact?.name ?? null, verified },
          canVerify: mails && contact !== null && verified !== 'code',
          isPaused: standingOf(agency, clock.now()) !== 'good',
          ...page,
        },
      }
    },

    async openReview(ask) {
      const found = await openLink(ports, ask)
      const { token, reviewerId, contact } = found
      const seen = await posts.versions(found, ask.body.seen)
      if (reviewerId !== null && (contact || (await people.get(reviewerId))))
        await people.saw(await actingReviewer(ports, found), seen)
      const by = {
        actor: { type: 'reviewer', id: reviewerId ?? token.linkId },
        agencyId: token.agencyId,
        clientId: token.clientId,
        correlationId: ask.requestId,
      } as const
      accepted(await commands.reviewLink(token.linkId, { type: 'RecordReviewLinkUse' }, by))
      return {}
    },

    async nameReviewer(ask) {
      const found = await openLink(ports, ask)
      const { token, session, verified } = found
      if (token.contactId !== null)
        throw new Problem(403, 'link-is-personal', 'This link is for one person, whose name the agency knows.')
      const reviewerId = await people.named(token, ask.body.name)
      const of = { reviewerId, verified, isUnlocked: session?.isUnlocked ?? false }
      return { body: { session: await people.begin(token, of) } }
    },

    async askReviewCode(ask) {
      const { token, contact, agency } = await notOver(ports, ask)
      if (!contact)
        throw new Problem(409, 'code-for-contacts', 'This link is for everyone, and codes go to contacts only.')
      if (!mails)
        throw new Problem(409, 'no-mail-server', `No code can be mailed from here. Please contact ${agency.name}.`)
      await reviewLimits.mailing(token.id, token.agencyId)
      const code = await locks.newCode(token.id, token.clientId)
      const message = codeMail(contact.email, code, { agencyName: agency.name })
      const letter = { kind: 'review code', about: [token.id], to: contact.email, content: { message }, again: true }
      await postOffice.send(letter)
      return {}
    },

    async unlockReview(ask) {
      const { body } = ask
      const found = await notOver(ports, ask)
      const { token, terms, session, verified } = found
      const attempt = await reviewLimits.trying(token.linkId)
      const byPasscode = 'passcode' in body
      const asker = { source: sourceOf(ask.address), isKnown: false }
      const isRight = byPasscode
        ? terms.lock === 'passcode' && (await isPasscode(token.linkId, body.passcode, asker))
        : token.contactId !== null && (await locks.isCode(token.id, body.code))
      if (!isRight)
        throw byPasscode
          ? new Problem(403, 'wrong-passcode', 'That passcode is wrong.')
          : new Problem(403, 'wrong-code', 'That code is wrong or over. Ask for a new one.')
      await attempt.isRight()
      const of = {
        reviewerId: found.reviewerId,
        isUnlocked: byPasscode || (session?.isUnlocked ?? false),
        verified: byPasscode ? verified : ('code' as const),
      }
      return { body: { session: await people.begin(token, of) } }
    },

    ...verdictHandlers({ ...ports, posts }),
    ...reviewerCommentHandlers({ ...ports, posts }),
    ...ownReceiptHandlers({ ...ports, posts }),
  }
}

/** `n…@example.com` */
const shortened = (email: string) => `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`
