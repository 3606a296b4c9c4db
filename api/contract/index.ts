/** All routes and types of the API, as data. Browser-safe. */
import './messages.ts'

export { routes, type RouteName, type Routes, type TeamRouteName } from './routes.ts'
export { maxBodyBytesOf } from './route.ts'
export type {
  Access,
  Body,
  Params,
  Reply,
  ReplyAs,
  Route,
  SearchParams,
  SentBody,
  SentQuery,
  ViewName,
} from './route.ts'
export {
  attentionKinds,
  attentionShown,
  type Attention,
  type AttentionAct,
  type AttentionConnection,
  type AttentionKind,
  type AttentionPost,
  type NextUp,
} from './attention.ts'
export type { AuditCheckpoint, AuditFound, AuditorAbout, AuditorLink, AuditPerson, AuditPost } from './audit.ts'
export {
  changeEmailBody,
  changePasswordBody,
  confirmEmailBody,
  forgotPasswordBody,
  resetPasswordBody,
} from './account.ts'
export { loginBody, ownNameBody, registerBody, type User } from './auth.ts'
export {
  givenRoles,
  isAtLeast,
  isForAllClients,
  mayManage,
  memberRoles,
  type ClientScope,
  type GivenRole,
  type MemberRole,
  type OwnApproval,
} from '../../domain/agency/roles.ts'
export type { PostStep, PostSteps } from './approval-steps.ts'
export type { Receipt, ReceiptStatement } from './receipts.ts'
export { codeBody, passwordProof, type Factors, type SignInMethods } from './factors.ts'
export { agencyBody, agencyBrandBody, agencyChangesBody, type Agency, type DashboardFigures } from './agency.ts'
export { type Invoice } from './billing.ts'
export { type Client, type ProfileChoice, type SocialAccount } from './clients.ts'
export { maxVariants, rewrites, type Rewrite, type WritingEvent } from './generate.ts'
export { contactBody, type ClientContact } from './contacts.ts'
export {
  importColumns,
  maxImportBytes,
  maxImportRows,
  type ImportColumn,
  type ImportHeader,
  type ImportPlaces,
  type ImportReply,
  type ImportRow,
} from './import.ts'
export { type CommentedVersion, type PostComment, type PostComments } from './comments.ts'
export { maxGroupPosts, maxImageBytes, maxPasskeys } from './limits.ts'
export type { UploadedImage } from './media.ts'
export type { Change, ChangeCounts, ChangeKind, ChangesMessage } from './live-updates.ts'
export {
  newPostBody,
  type Attempt,
  calendarSpans,
  type CalendarDays,
  type CalendarEntry,
  type CalendarSpan,
  type CalendarTile,
  type CommentedEntry,
  type HistoryEntry,
  type Post,
  type PostCard,
  type PostDelivery,
  type PostGroup,
} from './post-schemas.ts'
export { maxSearchCharacters, type PostCounts } from './post-lists.ts'
export type { PostOrigin } from '../../projections/posts/view.ts'
export type { SignOnOutcome } from './oidc.ts'
export { addPasskeyBody, renamePasskeyBody, type Passkey } from './passkeys.ts'
export type { ReviewComment } from './review-comments.ts'
export {
  newReviewLinkBody,
  type IssuedReviewLink,
  type ReviewedPost,
  type ReviewingAgency,
  type Reviewer,
  type ReviewLink,
  type ReviewSeen,
} from './review-links.ts'
export { maxReviewedAtOnce } from './review.ts'
export type { Schedule, ScheduleSlot } from './schedules.ts'
export type { SessionShown } from './sessions.ts'
export { weekOf, type WeekTime } from './week.ts'
export { contentTooLongSentence, priceSentence, problemSentence } from './post-problems.ts'
export { subscriptionSentence } from './standing.ts'
export { defaultTone } from './tone.ts'
export { inviteBody, type InvitationSeen, type InvitedMember, type TeamInvitation } from './invitations.ts'
export type { AgencyMembership } from './memberships.ts'
export { memberChangesBody, type MemberRemoval, type Team, type TeamMember } from './team.ts'
export type { Usage } from './usage.ts'
export {
  analyticsPageSize,
  analyticsSorts,
  maxAnalyticsDays,
  maxAnalyticsRows,
  type AnalyticsPeriod,
  type AnalyticsPost,
  type AnalyticsRecord,
  type AnalyticsSort,
  type MetricSums,
} from './analytics.ts'
export {
  clientChangesSchema,
  clientLimit,
  clientProfileSchema,
  defaultBrandColor,
} from '../../domain/agency/commands.ts'
export {
  defaultPostsPerWeek,
  accountChangesSchema,
  newAccountSchema,
  type PreferredTime,
  type ScheduleRules,
} from '../../domain/client/commands.ts'
export type { AnsweredPolicy, ApprovalPolicy, ApprovalStep } from '../../domain/core/approval-policy.ts'
export {
  approverRoles,
  maxApprovalSteps,
  maxReminderHours,
  maxReminders,
  type ApproverRole,
} from '../../domain/core/approval-limits.ts'
export { contentTooLong } from '../../domain/core/content-limits.ts'
export { priceOf, problemsWith, type ImageFacts, type PostProblem, type Price } from '../../domain/core/preflight.ts'
export { marksIn, type MarkKind } from '../../domain/core/marks.ts'
export { segmentsOf } from '../../domain/core/segments.ts'
export { textLength, textLimits } from '../../domain/core/text-limits.ts'
export { platforms, type Platform } from '../../domain/core/values.ts'
export { contentSchema, type Delivery, type PostStatus } from '../../domain/post/commands.ts'
export type { Ability } from '../../domain/post/state-table.ts'
export { excerptOf } from './excerpt.ts'
