import type { reviewCommentRoutes } from '../../contract/review-comments.ts'
import type { reviewLinkRoutes } from '../../contract/review-links.ts'
import type { Handlers } from '../../http/handler.ts'
import { reviewLinkHandlers, type ReviewLinkPorts } from './links.ts'
import { reviewPeopleHandlers, type ReviewPeoplePorts } from './people.ts'
import { publicReviewHandlers, type PublicReviewPorts } from './public.ts'

export const reviewHandlers = (
  ports: ReviewLinkPorts & ReviewPeoplePorts & PublicReviewPorts,
): Handlers<keyof typeof reviewLinkRoutes | keyof typeof reviewCommentRoutes | 'listOwnReceipts'> => ({
  ...reviewLinkHandlers(ports),
  ...reviewPeopleHandlers(ports),
  ...publicReviewHandlers(ports),
})
