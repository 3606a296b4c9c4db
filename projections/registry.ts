/** All projections of the product, and typed reads of their views. */
import { agencyProjection } from './agency/projection.ts'
import type { AgencyView } from './agency/view.ts'
import { analyticsProjection } from './analytics/projection.ts'
import type { AnalyticsView } from './analytics/view.ts'
import { approvalPoliciesProjection } from './approval-policies/projection.ts'
import type { ApprovalPoliciesView } from './approval-policies/view.ts'
import { approvalRemindersProjection } from './approval-reminders/projection.ts'
import type { ApprovalReminderView } from './approval-reminders/view.ts'
import { auditorLinksProjection } from './auditor-links/projection.ts'
import type { AuditorLinkView } from './auditor-links/view.ts'
import { calendarProjection } from './calendar/projection.ts'
import type { CalendarView } from './calendar/view.ts'
import { clientsProjection } from './clients/projection.ts'
import type { ClientView } from './clients/view.ts'
import type { Projection } from './core/projection.ts'
import { viewReader, type LiveCollections, type ViewReader } from './core/views.ts'
import { duePostsProjection } from './due-posts/projection.ts'
import type { DuePostView } from './due-posts/view.ts'
import { figuresDueProjection } from './figures-due/projection.ts'
import type { FiguresDueView } from './figures-due/view.ts'
import { membersProjection } from './members/projection.ts'
import type { MemberView } from './members/view.ts'
import { metricsProjection } from './metrics/projection.ts'
import type { MetricsView } from './metrics/view.ts'
import { plannedPostsProjection } from './planned-posts/projection.ts'
import type { PlannedPostView } from './planned-posts/view.ts'
import { postMonthsProjection } from './post-months/projection.ts'
import type { PostMonthView } from './post-months/view.ts'
import { postCardsProjection } from './posts/cards.ts'
import { postsProjection } from './posts/projection.ts'
import type { PostCardView, PostView } from './posts/view.ts'
import type { ReadStore } from './read-store/port.ts'
import { reviewLinksProjection } from './review-links/projection.ts'
import type { ReviewLinkView } from './review-links/view.ts'
import { reviewsProjection } from './reviews/projection.ts'
import type { ReviewView } from './reviews/view.ts'
import { schedulesProjection } from './schedules/projection.ts'
import type { ScheduleView } from './schedules/view.ts'
import { socialAccountsProjection } from './social-accounts/projection.ts'
import type { SocialAccountView } from './social-accounts/view.ts'
import { streamsProjection } from './streams/projection.ts'
import type { StreamView } from './streams/view.ts'
import { usageProjection } from './usage/projection.ts'
import type { UsageView } from './usage/view.ts'

export const projections: readonly Projection[] = [
  agencyProjection,
  clientsProjection,
  socialAccountsProjection,
  postsProjection,
  postCardsProjection,
  calendarProjection,
  analyticsProjection,
  metricsProjection,
  duePostsProjection,
  figuresDueProjection,
  schedulesProjection,
  plannedPostsProjection,
  postMonthsProjection,
  usageProjection,
  auditorLinksProjection,
  approvalPoliciesProjection,
  approvalRemindersProjection,
  reviewLinksProjection,
  reviewsProjection,
  membersProjection,
  streamsProjection,
]

export interface Views {
  readonly agency: ViewReader<AgencyView>
  readonly members: ViewReader<MemberView>
  readonly clients: ViewReader<ClientView>
  readonly socialAccounts: ViewReader<SocialAccountView>
  readonly posts: ViewReader<PostView>
  readonly postCards: ViewReader<PostCardView>
  readonly calendar: ViewReader<CalendarView>
  readonly analytics: ViewReader<AnalyticsView>
  readonly metrics: ViewReader<MetricsView>
  readonly duePosts: ViewReader<DuePostView>
  readonly figuresDue: ViewReader<FiguresDueView>
  readonly usage: ViewReader<UsageView>
  readonly schedules: ViewReader<ScheduleView>
  readonly plannedPosts: ViewReader<PlannedPostView>
  readonly postMonths: ViewReader<PostMonthView>
  readonly auditorLinks: ViewReader<AuditorLinkView>
  readonly approvalPolicies: ViewReader<ApprovalPoliciesView>
  readonly approvalReminders: ViewReader<ApprovalReminderView>
  readonly reviewLinks: ViewReader<ReviewLinkView>
  readonly reviews: ViewReader<ReviewView>
  readonly streams: ViewReader<StreamView>
}

export function viewsOf(store: ReadStore, live: LiveCollections): Views {
  return {
    agency: viewReader(store, live, agencyProjection),
    members: viewReader(store, live, membersProjection),
    clients: viewReader(store, live, clientsProjection),
    socialAccounts: viewReader(store, live, socialAccountsProjection),
    posts: viewReader(store, live, postsProjection),
    postCards: viewReader(store, live, postCardsProjection),
    calendar: viewReader(store, live, calendarProjection),
    analytics: viewReader(store, live, analyticsProjection),
    metrics: viewReader(store, live, metricsProjection),
    duePosts: viewReader(store, live, duePostsProjection),
    figuresDue: viewReader(store, live, figuresDueProjection),
    usage: viewReader(store, live, usageProjection),
    schedules: viewReader(store, live, schedulesProjection),
    plannedPosts: viewReader(store, live, plannedPostsProjection),
    postMonths: viewReader(store, live, postMonthsProjection),
    auditorLinks: viewReader(store, live, auditorLinksProjection),
    approvalPolicies: viewReader(store, live, approvalPoliciesProjection),
    approvalReminders: viewReader(store, live, approvalRemindersProjection),
    reviewLinks: viewReader(store, live, reviewLinksProjection),
    reviews: viewReader(store, live, reviewsProjection),
    streams: viewReader(store, live, streamsProjection),
  }
}
