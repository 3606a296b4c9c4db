/** Assembles the API and the background processes from the stores and views of a composition root. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Checkpoints } from '../features/audit/checkpoints.ts'
import { Past } from '../features/history/past.ts'
import { Signer } from '../features/audit/signing.ts'
import { agencyAsShown } from '../features/agency/as-shown.ts'
import { agenciesOf } from '../features/agency/agencies-of.ts'
import { openContacts } from '../features/agency/contacts.ts'
import { createApp } from './app.ts'
import { Devices } from '../features/auth/devices.ts'
import { Hashing } from '../features/auth/hashing.ts'
import { AccountLimits } from '../features/auth/account-limits.ts'
import { Factors } from '../features/auth/factors.ts'
import { oidcSettings } from '../features/auth/oidc/config.ts'
import { OidcConsents } from '../features/auth/oidc/consents.ts'
import { OidcLinks } from '../features/auth/oidc/links.ts'
import { OidcProvider } from '../features/auth/oidc/provider.ts'
import { PendingSignIns } from '../features/auth/pending-sign-ins.ts'
import { accountComposers } from '../features/auth/account-letters.ts'
import { MailedLinks } from '../features/auth/mailed-links.ts'
import { SecurityLog } from '../features/auth/security-log.ts'
import { Sessions, type SessionSecrets } from '../features/auth/sessions.ts'
import { SignInThrottle, type Limits } from '../features/auth/throttle.ts'
import { Users } from '../features/auth/users.ts'
import { stripeSettings } from '../features/billing/config.ts'
import { Customers } from '../features/billing/customers.ts'
import { stripePayments } from '../features/billing/stripe.ts'
import { billingWebhook } from '../features/billing/webhook.ts'
import type { CleanupStack } from '../runtime/cleanup-stack.ts'
import { openBudgets, type Budgets } from '../features/usage/budgets.ts'
import { systemClock, type Clock } from '../core/clock.ts'
import type { Config } from '../runtime/config.ts'
import type { ReadModels } from '../runtime/read-models.ts'
import { edgeTimeouts, type EdgeTimeouts } from '../http/edge-timeouts.ts'
import { Memberships } from '../http/memberships.ts'
import { RequestLimits } from '../http/request-limits.ts'
import { Uploads } from '../http/uploads.ts'
import { fromLog, inTurn, newest } from '../core/read-your-writes.ts'
import type { Commands } from '../core/commands.ts'
import { createCommands } from '../features/commands.ts'
import type { Listening } from '../runtime/listen.ts'
import { Letters } from '../features/mail/letters.ts'
import { mailSettings } from '../features/mail/config.ts'
import { openMail } from '../features/mail/mail.ts'
import { PostOffice } from '../features/mail/post-office.ts'
import { guardedFetch } from '../features/media/guarded-fetch.ts'
import { createImages } from '../features/media/images.ts'
import { openImageQuota } from '../features/media/quota.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { createConnect } from '../networks/connect.ts'
import { Connections } from '../networks/connections.ts'
import { createQuota } from '../networks/quota.ts'
import { TokenCipher } from '../networks/token-cipher.ts'
import { Vault } from '../networks/vault.ts'
import { LiveUpdates } from '../features/live-updates/live-updates.ts'
import { PositionTokens } from '../features/live-updates/positions.ts'
import { keepFor } from '../features/posts/images.ts'
import { OutcomeLooks } from '../features/posts/outcome-looks.ts'
import { freeSlots } from '../features/posts/free-slot.ts'
import { startProcesses } from './processes.ts'
import { closeToOthers, readSecrets } from '../runtime/secrets.ts'
import { openNetworks, type NetworksWithSandbox } from './mount-sandbox.ts'
import type { Stores } from '../runtime/stores.ts'
import { productVersion } from '../runtime/version.ts'
import { Invitations } from '../features/team/invitations.ts'
import { openAiSettings } from '../features/writer/config.ts'
import { createOpenAiWriter } from '../features/writer/openai.ts'
import type { Writer } from '../features/writer/port.ts'
import { createTemplateWriter } from '../features/writer/template.ts'

export interface Options {
  readonly log: Logger
  /** The folder of the built web app. */
  readonly webRoot: string
  readonly clock?: Clock
  readonly limits?: Partial<Limits>
  readonly timeouts?: EdgeTimeouts
  readonly hashing?: Hashing
}

interface Parts extends Options {
  readonly config: Config
  readonly stores: Stores
  readonly readModels: ReadModels
  readonly listening: Listening
  readonly metrics: Metrics
}

/** The parts shared by API and processes. */
export interface Core
  extends
    Required<Pick<Parts, 'config' | 'stores' | 'readModels' | 'listening' | 'metrics' | 'log' | 'clock'>>,
    NetworksWithSandbox {
  readonly commands: Commands
  readonly sessions: Sessions
  readonly devices: Devices
  readonly sessionSecrets: SessionSecrets
  readonly securityLog: SecurityLog
  readonly cipher: TokenCipher
  readonly vault: Vault
  readonly letters: Letters
  readonly images: ReturnType<typeof createImages>
  readonly imageQuota: Awaited<ReturnType<typeof openImageQuota>>
  readonly budgets: Budgets
  readonly writer: Writer
  readonly signer: Signer
  readonly checkpoints: Checkpoints
  readonly requestLimits: RequestLimits
}

/** @throws ConfigError for a missing secret, StoreUnavailable when another process holds the sandbox's file */
export async function assemble(
  { config, stores, readModels, listening, metrics, log, clock = systemClock, timeouts = edgeTimeouts }: Parts,
  cleanup: CleanupStack,
): Promise<Core> {
  const { events, records, media } = stores
  const { own, publicUrl } = listening
  const wereOpen = await closeToOthers(config)
  if (wereOpen.length > 0)
    log.warn(
      { files: wereOpen },
      'Removed the right of other users of this machine to read these key files. If you do not trust those users, renew the keys',
    )
  const secrets = await readSecrets(config)
  const sessionSecrets: SessionSecrets = [secrets.session, ...(config.SESSION_SECRETS_OLD ?? [])]
  const sessions = await Sessions.open(records, clock, sessionSecrets, config.SESSION_IDLE_DAYS)
  const securityLog = new SecurityLog(log, secrets.session)
  cleanup.add(() => securityLog.close())
  const images = createImages({
    store: media,
    publicUrl,
    fetch: guardedFetch({ allowPrivate: config.IMAGES_FROM_PRIVATE_NETWORKS }),
  })
  const imageQuota = await openImageQuota(records, config.IMAGES_MOST_MB)
  const budgets = await openBudgets({ records, clock, log }, config)
  cleanup.add(() => budgets.close())
  const requestLimits = new RequestLimits(config.REQUESTS_PER_MINUTE)
  const sandboxed = openNetworks({
    config,
    clock,
    sessions,
    images,
    own,
    publicUrl,
    requestLimits,
    bodyMs: timeouts.bodyMs,
  })
  cleanup.add(() => sandboxed.sandbox?.close())
  const cipher = new TokenCipher(secrets.encryption)
  const vault = await Vault.open(records, cipher)
  const letters = await Letters.open(records, cipher, clock)
  const commands = createCommands({
    events,
    clock,
    freeSlot: freeSlots(() => readModels.views),
    keepImage: keepFor(images, imageQuota),
    logBudget: budgets.log,
    agencyAsShown: agencyAsShown(() => readModels.views),
    quota: createQuota({ networks: sandboxed.networks, vault, views: readModels.views }),
  })
  const signer = await Signer.open(secrets.signing)
  const checkpoints = await Checkpoints.open(records, signer)
  const ai = openAiSettings(config)
  const writer = ai ? createOpenAiWriter(ai) : createTemplateWriter({ random: Math.random })
  return {
    ...sandboxed,
    config,
    stores,
    readModels,
    listening,
    metrics,
    log,
    clock,
    commands,
    sessions,
    sessionSecrets,
    devices: new Devices(sessionSecrets),
    securityLog,
    cipher,
    vault,
    letters,
    images,
    imageQuota,
    budgets,
    writer,
    signer,
    checkpoints,
    requestLimits,
  }
}

const sweepEveryMs = 3_600_000

interface Serving extends Pick<Options, 'webRoot' | 'limits' | 'timeouts' | 'hashing'> {
  /** The folder for mail without an SMTP server, as in `Working`. */
  readonly outbox?: string
}

/**
 * Serves the API and the web app. Its cleanup ends the streams that never end on their own, so it must run before the
 * server's cleanup.
 */
export async function serveApi(
  core: Core,
  { webRoot, limits, timeouts = edgeTimeouts, hashing = new Hashing(), outbox }: Serving,
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
  const liveUpdates = await LiveUpdates.open({
    events,
    sessions,
    members: {
      changed: (agencyId) => commands.forgetRecentAgency(agencyId),
      scopeOf: async (agencyId, userId) => (await memberships.member(agencyId, userId))?.clients ?? null,
    },
    log,
    positions: new PositionTokens(core.sessionSecrets),
    visible: readModels.waitFor,
  })
  cleanup.add(() => liveUpdates.close())
  const connect = await createConnect({ commands, networks, vault, cipher, records, clock })
  const customers = await Customers.open(records)
  const stripe = stripeSettings(config)
  const payments = stripe && stripePayments(stripe)
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
    factors: await Factors.open(records, clock, cipher, hashing),
    pendingSignIns,
    oidcConsents,
    oidcLinks: await OidcLinks.open(records, clock),
    oidc: signOn && new OidcProvider(signOn, listening.publicUrl),
    accountLimits: new AccountLimits(),
    mailedLinks,
    postOffice,
    mails: outbox !== undefined || mailSettings(config) !== null,
    contacts: await openContacts(records),
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
      core.letters.sweep(),
      connect.sweep(),
      budgets.sweep(),
    ]).catch((error: unknown) => log.warn({ err: error }, 'Could not delete expired records'))
  sweep()
  const sweeping = setInterval(sweep, sweepEveryMs)
  cleanup.add(() => clearInterval(sweeping))
}

interface Working extends Pick<Options, 'hashing'> {
  /** Whether no other process does this work. */
  readonly alone: boolean
  /** The folder for mail without an SMTP server; without one, letters stay in the records. */
  readonly outbox?: string
}

/** Runs the background processes. */
export async function work(core: Core, { alone, outbox, hashing }: Working, cleanup: CleanupStack): Promise<void> {
  const { stores, readModels, metrics, commands, networks, vault, clock } = core
  const { events, records } = stores
  const connections = await Connections.open({ commands, networks, vault, records, clock })
  const { views, waitFor } = readModels
  const composers = accountComposers(await Users.open(records, clock, hashing), await MailedLinks.open(records, clock))
  const mail = await openMail(core.config, outbox ?? null)
  await startProcesses({ ...core, events, views, waitFor, records, connections, mail, composers, alone }, cleanup)
  const waiting = { waiting: true } as const
  metrics.queue(
    () => readModels.views.duePosts.count(waiting),
    () => readModels.views.duePosts.count({ ...waiting, dueAt: { lt: clock.now() } }),
  )
}
