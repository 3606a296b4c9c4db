/** Builds the web server's routes from the parts of the composition root. */
import express, { type Express, type Request, type RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { Views } from '../../projections/registry.ts'
import { agencyHandlers } from '../features/agency/routes.ts'
import type { Contacts } from '../features/agency/contacts.ts'
import type { Ownerships } from '../features/agency/ownerships.ts'
import { agencyReplies } from '../features/agency/reply.ts'
import type { Customers } from '../features/billing/customers.ts'
import type { Budgets } from '../features/usage/budgets.ts'
import type { Payments } from '../features/billing/port.ts'
import { billingHandlers } from '../features/billing/routes.ts'
import type { Checkpoints } from '../features/audit/checkpoints.ts'
import type { Past } from '../features/history/past.ts'
import { auditorHandlers } from '../features/audit/auditor.ts'
import { auditHandlers } from '../features/audit/routes.ts'
import type { Signer } from '../features/audit/signing.ts'
import { analyticsHandlers } from '../features/analytics/routes.ts'
import { userAccountHandlers } from '../features/auth/account.ts'
import type { AccountLimits } from '../features/auth/account-limits.ts'
import type { Devices } from '../features/auth/devices.ts'
import type { Hashing } from '../features/auth/hashing.ts'
import type { MailedLinks } from '../features/auth/mailed-links.ts'
import { addressHandlers } from '../features/auth/address.ts'
import { factorHandlers } from '../features/auth/factor-routes.ts'
import type { Factors } from '../features/auth/factors.ts'
import type { PendingSignIns } from '../features/auth/pending-sign-ins.ts'
import type { OidcConsents } from '../features/auth/oidc/consents.ts'
import type { OidcLinks } from '../features/auth/oidc/links.ts'
import type { OidcProvider } from '../features/auth/oidc/provider.ts'
import { oidcHandlers } from '../features/auth/oidc/routes.ts'
import { PasskeyParty } from '../features/auth/passkey-party.ts'
import { passkeyHandlers } from '../features/auth/passkey-routes.ts'
import { passkeySignInHandlers } from '../features/auth/passkey-sign-in.ts'
import { secondStepHandlers } from '../features/auth/second-step.ts'
import { authHandlers } from '../features/auth/routes.ts'
import type { SecurityLog } from '../features/auth/security-log.ts'
import { sessionHandlers } from '../features/auth/session-routes.ts'
import type { Sessions } from '../features/auth/sessions.ts'
import type { SignInThrottle } from '../features/auth/throttle.ts'
import type { Users } from '../features/auth/users.ts'
import { accountHandlers } from '../features/clients/accounts.ts'
import { approvalPolicyHandlers } from '../features/clients/approval-policy.ts'
import type { ContactBook } from '../features/contacts/contacts.ts'
import { contactHandlers } from '../features/contacts/routes.ts'
import { clientHandlers } from '../features/clients/routes.ts'
import { commentHandlers } from '../features/comments/routes.ts'
import type { CommentWordsTable } from '../features/comments/words.ts'
import type { Clock } from '../core/clock.ts'
import type { Newest } from '../core/read-your-writes.ts'
import type { AppendedEvent } from '../core/command-handler.ts'
import type { Commands } from '../core/commands.ts'
import { bind } from '../http/bind.ts'
import type { MembershipOf, Memberships } from '../http/memberships.ts'
import { cookieSettings } from '../http/cookies.ts'
import {
  answerErrors,
  followedLink,
  knownHost,
  notFoundAsJson,
  oneLoopbackName,
  sameSite,
  securityHeaders,
  untraced,
} from '../http/guard.ts'
import { healthRoutes } from '../runtime/health-routes.ts'
import type { EdgeTimeouts } from '../http/edge-timeouts.ts'
import { JsonBodies } from '../http/json-body.ts'
import { metricsRoutes } from '../runtime/metrics-routes.ts'
import { openApiText } from '../http/openapi.ts'
import { notFound } from '../http/problem.ts'
import { OutgoingBodies } from '../http/outgoing.ts'
import type { RequestLimits } from '../http/request-limits.ts'
import type { Uploads } from '../http/uploads.ts'
import { identified } from '../http/request-id.ts'
import { webApp } from '../http/web-app.ts'
import type { Config } from '../runtime/config.ts'
import { sourceOf } from '../core/source.ts'
import type { LetterBox } from '../features/mail/letter-record.ts'
import type { PostOffice } from '../features/mail/post-office.ts'
import type { Images } from '../features/media/images.ts'
import type { ImageQuota } from '../features/media/quota.ts'
import { mediaHandlers, mediaRoutes } from '../features/media/routes.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Connect } from '../networks/connect.ts'
import type { Networks } from '../networks/port.ts'
import type { LiveUpdates } from '../features/live-updates/live-updates.ts'
import { liveUpdatesHandlers } from '../features/live-updates/routes.ts'
import type { Vault } from '../networks/vault.ts'
import { attentionHandlers } from '../features/posts/attention.ts'
import { nextSlotHandlers } from '../features/posts/next-slot.ts'
import { calendarHandlers } from '../features/posts/calendar.ts'
import { deliveryHandlers } from '../features/posts/delivery.ts'
import { receiptHandlers, receiptsFrom } from '../features/audit/receipts.ts'
import { historyHandlers } from '../features/posts/history.ts'
import type { OutcomeLooks } from '../features/posts/outcome-looks.ts'
import { postHandlers } from '../features/posts/routes.ts'
import type { ReviewLimits } from '../features/review/limits.ts'
import type { ReviewRecords } from '../features/review/records.ts'
import type { Erased } from '../features/review/erase.ts'
import { reviewHandlers } from '../features/review/routes.ts'
import { scheduleHandlers } from '../features/schedules/routes.ts'
import { teamHandlers } from '../features/team/routes.ts'
import type { Invitations } from '../features/team/invitations.ts'
import { usageHandlers } from '../features/usage/routes.ts'
import { generateHandlers } from '../features/writer/generate.ts'
import type { Writer } from '../features/writer/port.ts'

export interface AppPorts {
  readonly commands: Commands
  readonly memberships: Memberships
  readonly views: Views
  readonly waitFor: (appendedEvents: readonly AppendedEvent[], timeoutMs: number) => Promise<boolean>
  readonly users: Users
  readonly sessions: Sessions
  readonly throttle: SignInThrottle
  readonly accountLimits: AccountLimits
  readonly securityLog: SecurityLog
  readonly devices: Devices
  readonly mailedLinks: MailedLinks
  readonly factors: Factors
  readonly pendingSignIns: PendingSignIns
  readonly oidcConsents: OidcConsents
  readonly oidcLinks: OidcLinks
  /** Null: single sign-on is not set up. */
  readonly oidc: OidcProvider | null
  readonly factorThrottle: SignInThrottle
  readonly postOffice: PostOffice
  readonly letters: LetterBox
  /** Whether letters leave by mail, or into a folder; else an operator reads them. */
  readonly mails: boolean
  readonly contacts: Contacts
  readonly clientContacts: ContactBook
  readonly reviewRecords: ReviewRecords
  readonly reviewLimits: ReviewLimits
  readonly eraseReviewer: (who: Erased) => Promise<unknown>
  readonly hashing: Hashing
  readonly commentWords: CommentWordsTable
  readonly invitations: Invitations
  readonly ownerships: Ownerships
  readonly agenciesOf: (userId: string) => Promise<readonly MembershipOf[]>
  readonly newest: Newest
  readonly liveUpdates: LiveUpdates
  readonly connect: Connect
  readonly vault: Vault
  readonly customers: Customers
  /** Null: card payments are not set up. */
  readonly payments: Payments | null
  readonly billingWebhook: RequestHandler
  readonly networks: Networks
  readonly outcomeLooks: OutcomeLooks
  readonly writer: Writer
  readonly signer: Signer
  readonly checkpoints: Checkpoints
  readonly past: Past
  readonly images: Images
  readonly imageQuota: ImageQuota
  readonly uploads: Uploads
  readonly requestLimits: RequestLimits
  readonly timeouts: EdgeTimeouts
  readonly budgets: Budgets
  readonly config: Config
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Logger
  readonly publicUrl: string
  /** The product's version. */
  readonly version: string
  readonly trustProxy: boolean
  /** The folder of the built web app. */
  readonly webRoot: string
  /** The sandbox networks' pages; null if all networks are real. */
  readonly sandbox: RequestHandler | null
  /** Sentences on why the server can't serve yet; empty when ready. */
  readonly notReady: () => readonly string[]
}

/** Its callback, below it, is called from the provider's site. */
const signOnPath = /^\/api\/auth\/oidc\/?$/i

export function createApp(ports: AppPorts): Express {
  const { publicUrl, webRoot, log } = ports
  const cookies = cookieSettings(publicUrl)
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', 'simple')
  if (ports.trustProxy) app.set('trust proxy', 1)

  app.use(identified(ports.metrics.answered))
  app.use(securityHeaders(publicUrl.startsWith('https:')))
  app.use(knownHost(ports.config, publicUrl))
  app.use(oneLoopbackName(publicUrl))
  // The sandbox overrides the security policy set above. Before the API, because sandbox requests need none of its
  // routes.
  if (ports.sandbox) app.use('/sandbox', ports.sandbox)
  app.use(['/api/reviews', '/review'], untraced)
  app.use('/api/logout', followedLink('Follow the link to sign out.'))
  app.use(signOnPath, followedLink('Choose single sign-on on the page of this server.'))
  const { bodyMs, stallMs } = ports.timeouts
  const outgoing = new OutgoingBodies({ stallMs })
  const bodies = new JsonBodies(bodyMs)
  const { requestLimits } = ports
  // Before the API's JSON parser: Stripe's signature covers the raw bytes.
  app.use('/api/billing/webhook', async (request, _response, next) => {
    await requestLimits.count(null, request.ip ?? '', false)
    next()
  })
  app.use(ports.billingWebhook)
  const refused = (request: Request) => requestLimits.count(null, request.ip ?? '', false)
  const hasFactor = (userId: string) => ports.factors.hasAny(userId)
  const known = { ...ports, agencyReply: agencyReplies({ ...ports, hasFactor, hasPayments: ports.payments !== null }) }
  const reviewerName = async (id: string) => (await ports.reviewRecords.people.get(id))?.name ?? null
  const receipts = receiptsFrom({ ...ports, reviewerName })
  const signing = { ...ports, cookies, passkeyParty: new PasskeyParty(publicUrl) }
  const api = express.Router({ caseSensitive: true })
  bind(
    api,
    {
      ...authHandlers(signing),
      ...secondStepHandlers(signing),
      ...passkeySignInHandlers(signing),
      ...factorHandlers(signing),
      ...passkeyHandlers(signing),
      ...oidcHandlers(signing),
      ...addressHandlers(ports),
      ...userAccountHandlers(ports),
      ...sessionHandlers(ports),
      ...agencyHandlers(known),
      ...billingHandlers(known),
      ...clientHandlers(ports),
      ...accountHandlers(ports),
      ...approvalPolicyHandlers(ports),
      ...contactHandlers(ports),
      ...reviewHandlers({ ...ports, receipts }),
      ...commentHandlers(ports),
      ...postHandlers(ports),
      ...scheduleHandlers(ports),
      ...historyHandlers(ports),
      ...receiptHandlers(receipts),
      ...deliveryHandlers({ ...ports, reads: ports.past.shortReads }),
      ...calendarHandlers(ports),
      ...attentionHandlers(ports),
      ...nextSlotHandlers(ports),
      ...generateHandlers(ports),
      ...mediaHandlers(ports),
      ...analyticsHandlers(ports),
      ...liveUpdatesHandlers(ports),
      ...auditHandlers(ports),
      ...auditorHandlers(ports),
      ...usageHandlers(ports),
      ...teamHandlers(ports),
    },
    { ...ports, hasFactor, reached: (agencyId) => ports.liveUpdates.reachedFor(agencyId), cookies, outgoing },
    { every: sameSite(new URL(publicUrl).origin, refused), json: (route, userOf) => bodies.of(route, userOf) },
  )
  const document = openApiText(ports.version)
  api.get('/api/openapi.json', async (request, response) => {
    await requestLimits.countFile(request.ip ?? '', document.length)
    outgoing.send(response.type('json'), sourceOf(request.ip ?? ''), document)
  })
  api.use('/api', async (request) => {
    await requestLimits.count(null, request.ip ?? '', false)
    throw notFound()
  })
  app.use(api)

  app.use(healthRoutes(ports.notReady))
  app.use(metricsRoutes(ports.metrics, ports.config))
  // Files and pages count against the address. The API counts its own requests, and a health check must not be refused.
  app.use(async (request, _response, next) => {
    await requestLimits.countFile(request.ip ?? '', 0)
    next()
  })
  app.get('/.well-known/jwks.json', (_, response) => void response.json(ports.signer.jwks))
  app.use(mediaRoutes(ports))
  for (const each of webApp({ webRoot, publicUrl, cookieName: cookies.name, signOn: ports.oidc?.name ?? null }))
    app.use(each)
  app.use(() => {
    throw notFound()
  })
  app.use('/api/auth/user', notFoundAsJson)
  app.use(answerErrors(log))
  return app
}
