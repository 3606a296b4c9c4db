/** Serves the API and the web app from the shared parts. */
import { join } from 'node:path'
import { Past } from '../features/history/past.ts'
import { agenciesOf, shownOwned } from '../features/agency/agencies-of.ts'
import { openContacts } from '../features/agency/contacts.ts'
import { openCommentWords } from '../features/comments/words.ts'
import { Ownerships } from '../features/agency/ownerships.ts'
import { createApp } from './app.ts'
import { Hashing } from '../features/auth/hashing.ts'
import { AccountLimits } from '../features/auth/account-limits.ts'
import { Factors } from '../features/auth/factors.ts'
import { oidcSettings } from '../features/auth/oidc/config.ts'
import { OidcConsents } from '../features/auth/oidc/consents.ts'
import { OidcLinks } from '../features/auth/oidc/links.ts'
import { OidcProvider } from '../features/auth/oidc/provider.ts'
import { PendingSignIns } from '../features/auth/pending-sign-ins.ts'
import { MailedLinks } from '../features/auth/mailed-links.ts'
import { SignInThrottle } from '../features/auth/throttle.ts'
import { Users } from '../features/auth/users.ts'
import { stripeSettings } from '../features/billing/config.ts'
import { Customers } from '../features/billing/customers.ts'
import { billingWebhook } from '../features/billing/webhook.ts'
import type { CleanupStack } from '../runtime/cleanup-stack.ts'
import { edgeTimeouts } from '../http/edge-timeouts.ts'
import { Memberships } from '../http/memberships.ts'
import { lacksFactor } from '../http/second-factor.ts'
import { Uploads } from '../http/uploads.ts'
import { fromLog, inTurn, newest } from '../core/read-your-writes.ts'
import { mailSettings } from '../features/mail/config.ts'
import { PostOffice } from '../features/mail/post-office.ts'
import { createConnect } from '../networks/connect.ts'
import { LiveUpdates } from '../features/live-updates/live-updates.ts'
import { PositionTokens } from '../features/live-updates/positions.ts'
import { OutcomeLooks } from '../features/posts/outcome-looks.ts'
import { eraseReviewer } from '../features/review/erase.ts'
import { ReviewLimits } from '../features/review/limits.ts'
import { productVersion } from '../runtime/version.ts'
import { Invitations } from '../features/team/invitations.ts'
import type { Core, Options } from './assemble.ts'

const sweepEveryMs = 3_600_000

type Serving = Pick<Options, 'webRoot' | 'limits' | 'timeouts' | 'hashing'>

/**
 * Serves the API and the web app. Its cleanup ends the streams that never end on their own, so it must run before the
 * server's cleanup.
 */
export async function serveApi(
  core: Core,
  { webRoot, limits, timeouts = edgeTimeouts, hashing = new Hashing() }: Serving,
  cleanup: CleanupStack,
): Promise<void> {
  const {
    config,
    stores,
    readModels,
    listening,
    metrics,
    log,
    clock,
    commands,
    sessions,
    devices,
    cipher,
    vault,
    networks,
    sandbox,
    budgets,
  } = core
  const { events, records } = stores
  const ofUser = agenciesOf(() => readModels.views)
  const memberships = new Memberships({ commands, sessions, agenciesOf: ofUser })
  const invitations = await Invitations.open(records, clock)
  const factors = await Factors.open(records, clock, cipher, hashing)
  const hasFactor = (userId: string) => factors.hasAny(userId)
  const liveUpdates = await LiveUpdates.open({
    events,
    sessions,
    members: {
      changed: (agencyId) => commands.forgetRecentAgency(agencyId),
      async scopeOf(agencyId, userId) {
        const membership = await memberships.inAgency(agencyId, userId)
        return membership && !(await lacksFactor({ clock, hasFactor }, membership)) ? membership.me.clients : null
      },
    },
    log,
    positions: new PositionTokens(core.sessionSecrets),
    visible: readModels.waitFor,
  })
  cleanup.add(() => liveUpdates.close())
  const connect = await createConnect({ commands, networks, vault, cipher, records, clock })
  const customers = await Customers.open(records)
  const stripe = stripeSettings(config)
  const payments = stripe && (await import('../features/billing/stripe.ts')).stripePayments(stripe)
  const postOffice = new PostOffice(core.letters, log)
  cleanup.add(() => postOffice.close())
  const mailedLinks = await MailedLinks.open(records, clock)
  const pendingSignIns = await PendingSignIns.open(records, clock)
  const oidcConsents = await OidcConsents.open(records, clock, cipher)
  const signOn = oidcSettings(config)
  const waitForShown = inTurn(readModels.waitFor, (...asked) => liveUpdates.waitFor(...asked))
  const app = createApp({
    ...core,
    memberships,
    agenciesOf: ofUser,
    ownerships: await Ownerships.open(records, { commands, shownOwned: shownOwned(() => readModels.views), clock }),
    invitations,
    views: readModels.views,
    async waitFor(appendedEvents, timeoutMs) {
      const end = metrics.visible.startTimer()
      const isShown = await waitForShown(appendedEvents, timeoutMs)
      end({ shown: isShown ? 'yes' : 'late' })
      return isShown
    },
    users: await Users.open(records, clock, hashing),
    throttle: new SignInThrottle(devices, limits),
    factorThrottle: new SignInThrottle(devices, limits),
    factors,
    pendingSignIns,
    oidcConsents,
    oidcLinks: await OidcLinks.open(records, clock),
    oidc: signOn && new OidcProvider(signOn, listening.publicUrl),
    accountLimits: new AccountLimits(),
    mailedLinks,
    postOffice,
    mails: mailSettings(config) !== null,
    hashing,
    reviewLimits: new ReviewLimits(),
    eraseReviewer: (who) => eraseReviewer(records, clock, who, join(config.DATA_DIR, 'outbox')),
    contacts: await openContacts(records),
    commentWords: await openCommentWords(records),
    outcomeLooks: new OutcomeLooks(records),
    newest: newest(fromLog(events)),
    past: new Past(events, readModels.views),
    uploads: await Uploads.open(config.UPLOAD_DIR ?? join(config.DATA_DIR, 'uploads')),
    liveUpdates,
    connect,
    customers,
    payments,
    billingWebhook: await billingWebhook({
      bodyMs: timeouts.bodyMs,
      commands,
      customers,
      payments,
      records,
      clock,
      log,
      waitFor: readModels.waitFor,
    }),
    publicUrl: listening.publicUrl,
    version: await productVersion(),
    trustProxy: config.TRUST_PROXY,
    webRoot,
    timeouts,
    sandbox: sandbox?.router ?? null,
    notReady: () => readModels.notReady(),
  })
  listening.serve(app)
  const sweep = () =>
    void Promise.all([
      sessions.sweep(),
      mailedLinks.sweep(),
      pendingSignIns.sweep(),
      oidcConsents.sweep(),
      invitations.sweep(),
      core.reviewRecords.sweep(),
      core.letters.sweep(),
      connect.sweep(),
      budgets.sweep(),
    ]).catch((error: unknown) => log.warn({ err: error }, 'Could not delete expired records'))
  sweep()
  const sweeping = setInterval(sweep, sweepEveryMs)
  cleanup.add(() => clearInterval(sweeping))
}
