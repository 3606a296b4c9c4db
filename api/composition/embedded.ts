/** The composition root of the embedded shape: everything in one process on SQLite files. */
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openEmbeddedEventStore } from '../../domain/event-store/embedded.ts'
import { StoreUnavailable, type EventStore } from '../../domain/event-store/port.ts'
import type { Projector } from '../../projections/core/projector.ts'
import { openEmbeddedReadStore } from '../../projections/read-store/embedded.ts'
import type { Views } from '../../projections/registry.ts'
import { assemble, type Options } from './assemble.ts'
import { serveApi } from './serve-api.ts'
import { work } from './work.ts'
import { adminPrograms } from './programs.ts'
import { openAdminSocket } from '../operations/admin/server.ts'
import { openBackups } from '../operations/backup/backups.ts'
import { startDaily, type DailyConfig } from '../operations/backup/daily.ts'
import { isThere } from '../operations/backup/disk.ts'
import { restoringFolder } from '../operations/backup/restore.ts'
import { CleanupStack, withCleanup } from '../runtime/cleanup-stack.ts'
import { ConfigError, type Config } from '../runtime/config.ts'
import { networkNames } from '../contract/network-names.ts'
import { startLocalReadModels, mustNotBeAhead } from '../runtime/read-models.ts'
import type { Commands } from '../core/commands.ts'
import { listen } from '../runtime/listen.ts'
import { openMediaFolder } from '../features/media/folder.ts'
import { Metrics } from '../runtime/metrics.ts'
import { openEmbeddedRecords } from '../records/embedded.ts'
import { storesOf, withinBounds, type Stores } from '../runtime/stores.ts'

export type { Options }

export interface EmbeddedOptions extends Options {
  /** Replaces the files in DATA_DIR. */
  readonly openStores?: () => Promise<Stores>
  readonly daily?: Partial<DailyConfig>
  /** How long the start waits for views that are behind the log. */
  readonly servesAfterMs?: number
}

export interface Running {
  /** The public address, without a slash at the end. */
  readonly url: string
  /** The local address, without a slash at the end. */
  readonly localUrl: string
  readonly dataDir: string
  /** The names of the networks replaced by the sandbox. */
  readonly sandboxed: readonly string[]
  readonly commands: Commands
  readonly views: Views
  readonly projector: Projector
  /** Finishes accepted work, then closes every store. */
  close(): Promise<void>
}

/**
 * @throws StoreUnavailable when another process has the data folder or the views do not belong to its log, ConfigError
 * for a missing secret
 */
export async function startEmbedded(config: Config, options: EmbeddedOptions): Promise<Running> {
  await makeFolder(config.DATA_DIR)
  if (await isThere(join(config.DATA_DIR, restoringFolder)))
    throw new ConfigError(
      `A restore to ${config.DATA_DIR} was interrupted. Run npm run restore again, then start the server.`,
    )
  const metrics = new Metrics()
  return withCleanup(async (cleanup) => {
    const opened = await (options.openStores?.() ?? openFiles(config.DATA_DIR))
    const stores: Stores = {
      ...opened,
      events: metrics.measured(opened.events),
      records: withinBounds(opened.records, options.log),
    }
    cleanup.add(() => stores.close())
    await mustNotBeAhead(stores, await remedyFor(stores))
    const readModels = await startLocalReadModels({ ...stores, log: options.log, servesAfterMs: options.servesAfterMs })
    cleanup.add(() => readModels.stop())
    const afterServing = new CleanupStack()
    cleanup.add(() => afterServing.end())
    const listening = await listen(config, options.timeouts)
    cleanup.add(() => listening.close())
    metrics.projections(() => readModels.projector.health, options.clock)
    const core = await assemble({ ...options, config, stores, readModels, listening, metrics }, afterServing)
    const outbox = join(config.DATA_DIR, 'outbox')
    await serveApi(core, options, cleanup)
    // Started last, so that they stop first: they publish to the sandbox, which this server serves.
    await work(core, { ...options, alone: true, outbox }, cleanup)
    const backups = openBackups(config, core.clock)
    // Other stores than files are backed up by a command.
    if (config.BACKUP === 'daily' && !options.openStores) {
      const daily = startDaily({
        backups,
        clock: core.clock,
        log: options.log,
        ...(options.daily ? { config: options.daily } : {}),
      })
      cleanup.add(() => daily.stop())
    }
    metrics.backups(() => backups.newest())
    const admin = await openAdminSocket(
      config.DATA_DIR,
      adminPrograms(core, readModels.projector, backups),
      options.log,
    )
    cleanup.add(() => admin.close())
    return {
      url: listening.publicUrl,
      localUrl: listening.own,
      dataDir: config.DATA_DIR,
      sandboxed: core.sandboxed.map((platform) => networkNames[platform]),
      commands: core.commands,
      views: readModels.views,
      projector: readModels.projector,
    }
  })
}

async function makeFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) =>
    cantUse('DATA_DIR: ', dataDir, error),
  )
}

function cantUse(name: string, folder: string, error: unknown): never {
  throw new ConfigError(
    `${name}${folder} can't be used as a folder (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'})`,
  )
}

/** The remedy for views that are ahead of their log. With an empty log, a rebuild would delete the views too. */
const remedyFor = async ({ events }: Stores): Promise<string> =>
  (await events.head()) === null
    ? 'The log is empty: it was lost, or DATA_DIR names the wrong folder. Restore the newest backup with `npm run restore -- latest --replace`.'
    : 'Rebuild them with `npm run projections -- rebuild --all`, then start again.'

/**
 * Opens a data folder's stores, creating them where missing. @throws StoreUnavailable while another process has the
 * folder, or when a part is missing or damaged
 */
export async function openFiles(dataDir: string): Promise<Stores> {
  const cleanup = new CleanupStack()
  const kept = <T extends { close(): Promise<void> }>(store: T): T => {
    cleanup.add(() => store.close())
    return store
  }
  try {
    const events = kept(await openEmbeddedEventStore(join(dataDir, 'events.db')))
    await mustHaveRecords(events, join(dataDir, 'records.db'))
    return storesOf({
      events,
      store: kept(await openEmbeddedReadStore(join(dataDir, 'views.db'))),
      records: kept(await openEmbeddedRecords(join(dataDir, 'records.db'))),
      media: kept(
        await openMediaFolder(join(dataDir, 'media')).catch((error: unknown) =>
          cantUse('', join(dataDir, 'media'), error),
        ),
      ),
    })
  } catch (error) {
    await cleanup.end().catch(() => {})
    throw error
  }
}

/** Refuses to start without records: without users and connections, a fresh file would only hide the loss. */
async function mustHaveRecords(events: EventStore, file: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size > 0 || (await events.head()) === null) return
  throw new StoreUnavailable(
    `${file} is missing or empty, but there is an event log: no user could sign in, and no account would be connected. Put it back, or restore the newest backup with npm run restore.`,
  )
}
