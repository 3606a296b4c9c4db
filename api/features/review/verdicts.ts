/** What reviewers decide about posts: approve, ask for changes, hold. */
import { memberOf } from '../../../domain/agency/team-state.ts'
import type { PostCommand } from '../../../domain/post/commands.ts'
import type { ReviewAbility } from '../../../domain/review-link/commands.ts'
import type { Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import { actingReviewer, openLink, type AccessPorts, type FoundLink } from './access.ts'
import type { Users } from '../auth/users.ts'
import type { PostOffice } from '../mail/post-office.ts'
import type { NoteRef } from './notes.ts'
import { forClients } from './refusals.ts'
import type { ReviewedPosts } from './shown-posts.ts'
import { tellOfReview } from './verdict-letters.ts'

interface Ports extends AccessPorts {
  readonly posts: ReviewedPosts
  readonly users: Pick<Users, 'withEmail'>
  readonly publicUrl: string
  readonly postOffice: Pick<PostOffice, 'tell'>
  /** Without a mail server there are no codes. */
  readonly mails: boolean
}

type Verdict = Extract<PostCommand, { type: 'GiveVerdict' | 'HoldByReviewer' }>
type Asking = Parameters<Handlers<'holdReviewedPost'>['holdReviewedPost']>[0]

export function verdictHandlers(ports: Ports): Handlers<'giveVerdict' | 'holdReviewedPost'> {
  const { commands, posts, reviewRecords, users, mails } = ports
  const { notes } = reviewRecords

  /** @throws Problem 403, 404, 409 */
  async function act(
    ask: Pick<Asking, 'requestId' | 'visible' | 'address'> & { readonly body: Asking['body'] },
    needs: ReviewAbility,
    commandOf: (
      by: Pick<Verdict, 'reviewerId' | 'linkId' | 'verified'>,
      note: NoteRef,
      found: FoundLink,
    ) => Verdict | Promise<Verdict>,
  ) {
    const found = await openLink(ports, ask)
    const { token, terms, verified } = found
    const { postId, note: text } = ask.body
    if (!terms.may.includes(needs)) throw new Problem(403, 'not-by-this-link', "This link doesn't allow that.")
    // Before the record of the person: a post of another client leaves no trace.
    await posts.one(found, postId)
    const reviewerId = await actingReviewer(ports, found)
    const { agencyId, clientId, linkId } = token
    const note = await notes.put({ postId, agencyId, clientId, reviewerId, text })
    const by = { actor: { type: 'reviewer', id: reviewerId }, agencyId, correlationId: ask.requestId } as const
    const outcome = await commands.post(postId, await commandOf({ reviewerId, linkId, verified }, note, found), by)
    if ('refused' in outcome) {
      await notes.remove(note)
      const { agency, contact } = found
      throw outcome.refused.reason === 'code-needed' && (contact === null || !mails)
        ? new Problem(409, 'code-needed', `Approvals by this link can't count here. Please contact ${agency.name}.`)
        : forClients(problemOf(outcome.refused), agency)
    }
    if (outcome.appended === 0) await notes.remove(note)
    else await tellOfReview(ports, { linkId, agencyId, clientId, agency: found.agency }, postId)
    await ask.visible(outcome.appendedEvents)
    return { body: await posts.one({ ...found, reviewerId }, postId) }
  }

  return {
    giveVerdict: (ask) =>
      act(ask, 'approve', async (by, note, { contact, agency }) => {
        const { verdict, seenHash, seenVersion } = ask.body
        // A contact may have become a member since: members are no client.
        const user = contact && (await users.withEmail(contact.email))
        const enteredBy = contact === null || (user && memberOf(agency.team, user.id)) ? null : contact.enteredBy
        return { type: 'GiveVerdict', verdict, seenHash, seenVersion, enteredBy, ...by, ...note }
      }),

    holdReviewedPost: (ask) => act(ask, 'hold', (by, note) => ({ type: 'HoldByReviewer', ...by, ...note })),
  }
}
