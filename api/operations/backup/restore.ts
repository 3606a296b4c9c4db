/** Brings a backup back: everything is copied and checked beside the data first, so that nothing is touched for a backup that isn't whole. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { openedHere, SqliteFile } from '../../../domain/event-store/sqlite.ts'
import type { Instant } from '../../../domain/core/event.ts'
import { copied, factsOf, isThere, onDisk } from './disk.ts'
import { databases, imagesFolder, logFile, nameOf, type FileFacts, type Manifest } from './manifest.ts'

/** While it is there nothing starts: what is beside it may be half of each. */
export const restoringFolder = 'restoring.unfinished'
const replaced = 'replaced-'

/** The name in a folder by which a path leads that lies in it. */
const nameTowards = (folder: string, path: string): string =>
  relative(resolve(folder), resolve(path)).split(sep)[0] ?? ''

/** What is data, of all that is in the folder: backups, and what was moved aside before, stay where they are. @throws CantRestore for backups among the data */
async function dataIn(to: string, backups: readonly string[]): Promise<readonly string[]> {
  for (const one of backups) {
    if ([...databases, imagesFolder, 'secrets'].includes(nameTowards(to, one)))
      throw new CantRestore(`${one} lies among the data that it would replace. Copy it elsewhere first.`)
  }
  const stays = ['backups', restoringFolder, ...backups.map((one) => nameTowards(to, one))]
  return (await readdir(to)).filter((name) => !stays.includes(name) && !name.startsWith(replaced))
}

/** The backup or the target is not as it must be; nothing was changed. */
export class CantRestore extends Error {
  override readonly name = 'CantRestore'
  constructor(
    message: string,
    /** Files of the backup. */
    readonly damaged: readonly string[] = [],
  ) {
    super(message)
  }
}

interface Asked {
  readonly from: string
  /** The folder of all backups, which may lie in `to`. */
  readonly backups: string
  readonly manifest: Manifest
  readonly to: string
  readonly replace: boolean
  readonly withoutDamagedImages: boolean
  readonly now: Instant
  readonly signal: AbortSignal
}

export interface Restored {
  readonly images: number
  readonly leftOut: readonly string[]
  /** Where what was there is now; null when nothing was. */
  readonly aside: string | null
}

/** @throws CantRestore, StoreUnavailable while a server runs there, whatever the signal aborts with; nothing was changed then */
export async function restore({
  from,
  backups,
  manifest,
  to,
  replace,
  withoutDamagedImages,
  now,
  signal,
}: Asked): Promise<Restored> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  const aside = join(to, restoringFolder)
  const wasInterrupted = await isThere(aside)
  const present = await dataIn(to, [from, backups])
  if (present.length > 0 && !replace && !wasInterrupted)
    throw new CantRestore(
      `${to} is not empty. Choose another folder with --to, or say --replace: what is there is moved aside then, not removed.`,
    )
  await mustBeStopped(to)
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { mode: 0o700 })
  try {
    const damaged = await bring(from, manifest.files, aside, signal)
    const images = damaged.filter((path) => path.startsWith(`${imagesFolder}/`))
    if (damaged.length > (withoutDamagedImages ? images.length : 0))
      throw new CantRestore(`The backup in ${from} is not whole any more, and nothing was restored:`, damaged)
    const records = join(aside, 'records.db')
    if (await isThere(records)) endSessions(records)
  } catch (error) {
    // What an earlier try left half-way is no better for it.
    if (!wasInterrupted || present.length === 0) await rm(aside, { recursive: true, force: true })
    throw error
  }
  const old = present.length === 0 ? null : join(to, replaced + nameOf(now))
  if (old !== null) await moveAll(to, present, old)
  const names = await readdir(aside)
  // The log last: it is what a server would begin with.
  await moveAll(
    aside,
    names.sort((one, other) => Number(one === logFile) - Number(other === logFile)),
    to,
  )
  await rm(aside, { recursive: true })
  await onDisk(to)
  const images = await readdir(join(to, imagesFolder))
  const wanted = manifest.files.flatMap(({ path }) => (path.startsWith(`${imagesFolder}/`) ? [basename(path)] : []))
  return { images: images.length, leftOut: wanted.filter((hash) => !images.includes(hash)), aside: old }
}

/** Sessions that were ended since, and links that were used, would be good again. */
function endSessions(file: string): void {
  const records = new SqliteFile(file, { synchronous: 'FULL' })
  try {
    for (const table of ['r_sessions', 'r_mailed_links']) {
      const isThere = records.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get([table])
      if (isThere) records.exec(`DELETE FROM ${table}`)
    }
  } finally {
    records.close()
  }
}

/** @throws StoreUnavailable */
async function mustBeStopped(dataDir: string): Promise<void> {
  const log = join(dataDir, logFile)
  if (!(await isThere(log))) return
  if (openedHere(log)) throw new StoreUnavailable(`A server runs on ${dataDir}`)
  try {
    new SqliteFile(log, { synchronous: 'FULL' }).close()
  } catch (error) {
    // One that is damaged is what a restore is for; one that is in use is not.
    if (error instanceof StoreUnavailable && /is already running/.test(error.message)) throw error
  }
}

/** Copies all files, each checked as it is now. Answers those that aren't what they were. */
async function bring(
  from: string,
  files: readonly FileFacts[],
  to: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  for (const folder of ['secrets', imagesFolder]) await mkdir(join(to, folder), { mode: 0o700 })
  const damaged: string[] = []
  for (const { path, size, sha256 } of files) {
    signal.throwIfAborted()
    const isSame = await copied(join(from, path), join(to, path)).then(
      async () => {
        const facts = await factsOf(join(to, path))
        return facts.size === size && facts.sha256 === sha256
      },
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'EIO') return false
        throw error
      },
    )
    if (isSame) continue
    damaged.push(path)
    await rm(join(to, path), { force: true })
  }
  for (const folder of ['secrets', imagesFolder, '.']) await onDisk(join(to, folder))
  return damaged
}

async function moveAll(from: string, names: readonly string[], to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of names) await rename(join(from, name), join(to, name))
  await onDisk(to)
  await onDisk(dirname(to))
}
