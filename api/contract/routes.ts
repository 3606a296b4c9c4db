/** All routes. Separate from the contract's other exports, so that a bundle without routes stays free of them. */
import { accountRoutes } from './account.ts'
import { agencyRoutes } from './agency.ts'
import { analyticsRoutes } from './analytics.ts'
import { approvalRoutes } from './approvals.ts'
import { attentionRoutes } from './attention.ts'
import { auditRoutes } from './audit.ts'
import { authRoutes } from './auth.ts'
import { billingRoutes } from './billing.ts'
import { clientRoutes } from './clients.ts'
import { contactRoutes } from './contacts.ts'
import { commentRoutes } from './comments.ts'
import { factorRoutes } from './factors.ts'
import { generateRoutes } from './generate.ts'
import { importRoutes } from './import.ts'
import { mediaRoutes } from './media.ts'
import { invitationRoutes } from './invitations.ts'
import { liveUpdatesRoutes } from './live-updates.ts'
import { membershipRoutes } from './memberships.ts'
import { oidcRoutes } from './oidc.ts'
import { passkeyRoutes } from './passkeys.ts'
import { postHistoryRoutes } from './post-history.ts'
import { postRoutes } from './posts.ts'
import { receiptRoutes } from './receipts.ts'
import { reviewCommentRoutes } from './review-comments.ts'
import { reviewLinkRoutes } from './review-links.ts'
import { reviewRoutes } from './review.ts'
import { scheduleRoutes } from './schedules.ts'
import { sessionRoutes } from './sessions.ts'
import { teamRoutes } from './team.ts'
import { usageRoutes } from './usage.ts'

export const routes = {
  ...authRoutes,
  ...accountRoutes,
  ...sessionRoutes,
  ...factorRoutes,
  ...passkeyRoutes,
  ...oidcRoutes,
  ...agencyRoutes,
  ...attentionRoutes,
  ...clientRoutes,
  ...contactRoutes,
  ...postRoutes,
  ...postHistoryRoutes,
  ...reviewRoutes,
  ...receiptRoutes,
  ...reviewLinkRoutes,
  ...reviewCommentRoutes,
  ...approvalRoutes,
  ...commentRoutes,
  ...scheduleRoutes,
  ...importRoutes,
  ...generateRoutes,
  ...mediaRoutes,
  ...analyticsRoutes,
  ...billingRoutes,
  ...liveUpdatesRoutes,
  ...usageRoutes,
  ...teamRoutes,
  ...invitationRoutes,
  ...membershipRoutes,
  ...auditRoutes,
}
export type Routes = typeof routes
export type RouteName = keyof Routes
export type TeamRouteName = keyof typeof teamRoutes | keyof typeof invitationRoutes | keyof typeof membershipRoutes
