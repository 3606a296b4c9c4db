/** The review link's commands: they need the agency's standing and its roster, and what their caller knows. */
import { standingOf } from '../../../domain/agency/state.ts'
import { reviewLinkDecider } from '../../../domain/review-link/decider.ts'
import { AggregateScope } from '../../core/aggregates.ts'
import type { CommandHandler } from '../../core/command-handler.ts'
import type { ReviewLinkCommands, ReviewLinkFacts } from '../../core/commands.ts'
import { loadAgency, loadReviewLink, reviewLinkStream } from '../../core/load.ts'

const noFacts: ReviewLinkFacts = { contactsExist: false, postsExist: false, open: 0, mails: false }

export const reviewLinkCommands = (handler: CommandHandler): ReviewLinkCommands => ({
  reviewLink: (linkId, command, { clientId, ...by }, facts = noFacts) => {
    const scope = new AggregateScope(handler.streams)
    return handler.handle({
      stream: reviewLinkStream(linkId),
      decider: reviewLinkDecider,
      command,
      by,
      clientId,
      scope,
      contextOf: async (_, now) => {
        const { state: agency } = await loadAgency(scope, by.agencyId)
        return { now, standing: standingOf(agency, now), clientExists: clientId in agency.clients, ...facts }
      },
    })
  },
  loadReviewLink: (linkId, from = handler.streams) => loadReviewLink(from, linkId),
})
