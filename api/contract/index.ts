/** Everything that can be asked of the server, as data. Browser-safe. */
import './messages.ts'
import { agencyRoutes } from './agency.ts'
import { analyticsRoutes } from './analytics.ts'
import { authRoutes } from './auth.ts'
import { billingRoutes } from './billing.ts'
import { clientRoutes } from './clients.ts'
import { mediaRoutes } from './media.ts'
import { newsRoutes } from './news.ts'
import { postRoutes } from './posts.ts'

export const routes = { ...authRoutes, ...agencyRoutes, ...clientRoutes, ...postRoutes, ...mediaRoutes, ...analyticsRoutes, ...billingRoutes, ...newsRoutes }
export type Routes = typeof routes
export type RouteName = keyof Routes

export type { Access, Body, Params, Reply, Route, SearchParams, SentBody, SentQuery } from './route.ts'
export { loginBody, registerBody, type User } from './auth.ts'
export { agencyBody, agencyChangesBody, type Agency, type DashboardFigures } from './agency.ts'
export { type Invoice } from './billing.ts'
export { type Client, type ProfileChoice, type SocialAccount } from './clients.ts'
export { mostImageBytes, type UploadedImage } from './media.ts'
export type { Change, NewsKind, NewsMessage } from './news.ts'
export { newPostBody, type Attempt, type CalendarEntry, type HistoryEntry, type Post, type PostDelivery } from './posts.ts'
export { priceSentence, problemSentence } from './post-problems.ts'
export { subscriptionSentence } from './standing.ts'
export { type AnalyticsRecord } from './analytics.ts'
export { clientChangesSchema, clientLimit, clientProfileSchema, defaultBrandColor } from '../../domain/agency/commands.ts'
export { newAccountSchema } from '../../domain/client/commands.ts'
export { priceOf, problemsWith, type ImageFacts, type PostProblem, type Price } from '../../domain/core/preflight.ts'
export { textLength, textLimits } from '../../domain/core/text-limits.ts'
export { platforms, type Platform } from '../../domain/core/values.ts'
export { contentSchema, type Delivery, type PostStatus } from '../../domain/post/commands.ts'
export type { Ability } from '../../domain/post/state-table.ts'
