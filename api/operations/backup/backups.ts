/** The backups of an installation: makes them and keeps the newest ones. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { Instant } from '../../../domain/core/event.ts'
import { openedHere } from '../../../domain/event-store/sqlite.ts'
import type { Clock } from '../../core/clock.ts'
import { ConfigError, type Config } from '../../runtime/config.ts'
import type { Job } from './copy.ts'
import { diskSentence, onDisk } from './disk.ts'
import { databases, databasesIn, imagesFolder, logFile, unfinished } from './files.ts'
import {
  backupsIn,
  folderOf,
  hasEvents,
  isOfFuture,
  isSameLog,
  nameOf,
  newestIn,
  readManifest,
  type Listed,
} from './manifest.ts'
import { CantBackUp, snapshot } from './snapshot.ts'
import { productVersion } from '../../runtime/version.ts'

export interface Made extends Listed {
  readonly bytes: number
  readonly removed: readonly Listed[]
  /** Made while the clock was ahead. They are not counted and never removed. */
  readonly ofFuture: readonly Listed[]
  /** Folders of earlier backups with files that could not be removed. */
  readonly left: readonly string[]
}

export interface Backups {
  /**
   * @throws CantBackUp, StoreUnavailable while another process has the data open, the signal's reason on abort; a
   * partial backup is then removed
   */
  make(signal: AbortSignal): Promise<Made>
  /** When the newest was made; null without one. Ignores those dated in the future, made while the clock was wrong. */
  newest(): Promise<Instant | null>
}

/** What is backed up. */
export interface Source {
  /** @throws CantBackUp when there is nothing to back up */
  check(): Promise<void>
  /** Keeps other processes out of the folder, until the returned function is called. @throws CantBackUp */
  hold(folder: string): () => void
  /** Copies all data, verifies the copies, and writes the manifest last. @throws as `make` */
  copy(job: Omit<Job, 'dataDir'>, signal: AbortSignal): Promise<unknown>
  /** The hash of the log's first event; null if unknown. */
  first(): string | null
}

const data: readonly string[] = [...databases, imagesFolder, 'secrets', 'outbox', 'views.db']

/** The backups of a data folder. @throws ConfigError for a folder that is, or lies in, the data to back up */
export function openBackups(config: Pick<Config, 'DATA_DIR' | 'BACKUP_DIR' | 'BACKUPS_KEPT'>, clock: Clock): Backups {
  const folder = folderOf(config)
  const [within = ''] = relative(resolve(config.DATA_DIR), resolve(folder)).split(sep)
  if (within === '' || data.includes(within))
    throw new ConfigError(`BACKUP_DIR: ${folder} is part of the data in DATA_DIR. Choose another folder.`)
  return keepBackups(folder, config.BACKUPS_KEPT, clock, {
    async check() {
      if (!(await databasesIn(config.DATA_DIR)).includes(logFile))
        throw new CantBackUp(`There is no event log in ${config.DATA_DIR}. Set DATA_DIR to the folder of your data.`)
    },
    // No other process has the data open.
    hold: () => () => undefined,
    copy: (job, signal) => snapshot({ ...job, dataDir: config.DATA_DIR }, signal),
    first: () => knownHere(join(config.DATA_DIR, logFile)),
  })
}

/** Backups in a folder. @param kept how many stay */
export function keepBackups(folder: string, kept: number, clock: Clock, source: Source): Backups {
  let isUnderWay = false

  async function make(signal: AbortSignal): Promise<Made> {
    await source.check()
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const release = source.hold(folder)
    try {
      return await makeAlone(signal)
    } finally {
      release()
    }
  }

  async function makeAlone(signal: AbortSignal): Promise<Made> {
    await sweep(folder)
    const at = clock.now()
    const into = join(folder, nameOf(at))
    const aside = into + unfinished
    const earlier = (await backupsIn(folder)).at(-1)?.folder ?? null
    await mkdir(aside, { mode: 0o700 })
    try {
      await source.copy({ into: aside, earlier, at, version: await productVersion() }, signal)
      await rename(aside, into)
    } catch (error) {
      await rm(aside, { recursive: true, force: true })
      throw error
    }
    await onDisk(folder)
    const manifest = await readManifest(into)
    const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0)
    const own = (await backupsIn(folder)).filter((one) => isSameLog(one.manifest.log, manifest.log))
    const ofFuture = own.filter((one) => isOfFuture(one.at, at))
    const made = { folder: into, at, manifest }
    const removed = superfluous(
      own.filter((one) => !ofFuture.includes(one)),
      made,
      kept,
    )
    await prune(removed)
    return { ...made, bytes, removed, ofFuture, left: await sweep(folder) }
  }

  return {
    async make(signal) {
      if (isUnderWay) throw new CantBackUp('Another backup is running already.')
      isUnderWay = true
      try {
        return await make(signal)
      } catch (error) {
        const sentence = diskSentence(error)
        throw sentence === null ? error : new CantBackUp(sentence)
      } finally {
        isUnderWay = false
      }
    },
    newest: () => newestIn(folder, clock.now(), source.first()),
  }
}

/** The hash of the log's first event, if this process has the log open. */
function knownHere(file: string): string | null {
  const [hash] =
    openedHere(file)?.prepare("SELECT json_extract(metadata, '$.hash') FROM events ORDER BY position LIMIT 1").get() ??
    []
  return typeof hash === 'string' ? hash : null
}

/**
 * Removes what is half made or half removed. Returns what can't be removed, such as files of another user: it must not
 * prevent backups.
 */
async function sweep(folder: string): Promise<readonly string[]> {
  const left: string[] = []
  for (const name of await readdir(folder)) {
    if (!name.endsWith(`Z${unfinished}`)) continue
    const path = join(folder, name)
    await rm(path, { recursive: true, force: true }).catch(() => left.push(path))
  }
  return left
}

/**
 * The newest backup without a flaw is kept, however many flawed ones follow.
 * Backups of an empty log are removed first, and never replace one with events.
 */
function superfluous(all: readonly Listed[], made: Listed, kept: number): readonly Listed[] {
  const full = all.filter(hasEvents)
  const sound = full.findLast(({ manifest }) => manifest.problems.length === 0)
  const inTurn = [...all.filter((one) => !hasEvents(one)), ...(hasEvents(made) ? full : [])]
  return inTurn.slice(0, Math.max(0, all.length - kept)).filter((each) => each.folder !== made.folder && each !== sound)
}

/** Renames them for `sweep`: a half-removed backup must not look complete. */
async function prune(removed: readonly Listed[]): Promise<void> {
  for (const each of removed) await rename(each.folder, each.folder + unfinished)
}
