/** Assembles the parts that the API and the background processes share, from the stores of a composition root. */
import type { Logger } from 'pino'
import { Checkpoints } from '../features/audit/checkpoints.ts'
import { Signer } from '../features/audit/signing.ts'
import { agencyAsShown } from '../features/agency/as-shown.ts'
import { ContactBook } from '../features/contacts/contacts.ts'
import { Devices } from '../features/auth/devices.ts'
import { Hashing } from '../features/auth/hashing.ts'
import { SecurityLog } from '../features/auth/security-log.ts'
import { ReviewRecords } from '../features/review/records.ts'
import { Sessions, type SessionSecrets } from '../features/auth/sessions.ts'
import { type Limits } from '../features/auth/throttle.ts'
import type { CleanupStack } from '../runtime/cleanup-stack.ts'
import { openBudgets, type Budgets } from '../features/usage/budgets.ts'
import { systemClock, type Clock } from '../core/clock.ts'
import type { Config } from '../runtime/config.ts'
import type { ReadModels } from '../runtime/read-models.ts'
import { edgeTimeouts, type EdgeTimeouts } from '../http/edge-timeouts.ts'
import { RequestLimits } from '../http/request-limits.ts'
import type { Commands } from '../core/commands.ts'
import { createCommands } from '../features/commands.ts'
import type { Listening } from '../runtime/listen.ts'
import { Letters } from '../features/mail/letters.ts'
import { guardedFetch } from '../features/media/guarded-fetch.ts'
import { createImages } from '../features/media/images.ts'
import { openImageQuota } from '../features/media/quota.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { createQuota } from '../networks/quota.ts'
import { TokenCipher } from '../networks/token-cipher.ts'
import { Vault } from '../networks/vault.ts'
import { keepFor } from '../features/posts/images.ts'
import { freeSlots } from '../features/posts/free-slot.ts'
import { closeToOthers, readSecrets } from '../runtime/secrets.ts'
import { openNetworks, type NetworksWithSandbox } from './mount-sandbox.ts'
import type { Stores } from '../runtime/stores.ts'
import { openAiSettings } from '../features/writer/config.ts'
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
  readonly clientContacts: ContactBook
  readonly reviewRecords: ReviewRecords
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
  const clientContacts = await ContactBook.open(records, commands, clock)
  const reviewRecords = await ReviewRecords.open(records, cipher, clock)
  const signer = await Signer.open(secrets.signing)
  const checkpoints = await Checkpoints.open(records, signer)
  const ai = openAiSettings(config)
  const writer = ai
    ? (await import('../features/writer/openai.ts')).createOpenAiWriter(ai)
    : createTemplateWriter({ random: Math.random })
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
    clientContacts,
    reviewRecords,
    images,
    imageQuota,
    budgets,
    writer,
    signer,
    checkpoints,
    requestLimits,
  }
}
