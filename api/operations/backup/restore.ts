/**
 * Restores a backup: all files are copied and verified beside the data first, so that a damaged backup changes nothing.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { openedHere, SqliteFile } from '../../../domain/event-store/sqlite.ts'
import type { Instant } from '../../../domain/core/event.ts'
import { copied, factsOf, isThere, onDisk } from './disk.ts'
import { databases, imagesFolder, logFile } from './files.ts'
import { nameOf, type FileFacts, type Manifest } from './manifest.ts'

/** While this folder exists, no server starts: the data may be half old and half new. */
export const restoringFolder = 'restoring.unfinished'
const replaced = 'replaced-'

/** The name inside `folder` on the way to `path`. */
const nameTowards = (folder: string, path: string): string =>
  relative(resolve(folder), resolve(path)).split(sep)[0] ?? ''

/**
 * The names in the folder that are data: backups, and data moved aside before, stay in place. @throws CantRestore for
 * backups among the data
 */
async function dataIn(to: string, backups: readonly string[]): Promise<readonly string[]> {
  for (const one of backups) {
    if ([...databases, imagesFolder, 'secrets'].includes(nameTowards(to, one)))
      throw new CantRestore(`${one} is inside the data that the restore would replace. Copy it elsewhere first.`)
  }
  const stays = ['backups', restoringFolder, ...backups.map((one) => nameTowards(to, one))]
  return (await readdir(to)).filter((name) => !stays.includes(name) && !name.startsWith(replaced))
}

/** The backup or the target is unsuitable; nothing was changed. */
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
  /** Where the previous data is now; null if there was none. */
  readonly aside: string | null
}

/**
 * @throws CantRestore, StoreUnavailable while a server is running there, the signal's reason on abort; nothing was
 * changed then
 */
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
      `${to} is not empty. Choose another folder with --to, or add --replace: it moves the existing data aside and removes nothing.`,
    )
  await mustBeStopped(to)
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { mode: 0o700 })
  try {
    const damaged = await bring(from, manifest.files, aside, signal)
    mustBeSound(from, manifest.files, damaged, withoutDamagedImages)
    const records = join(aside, 'records.db')
    if (await isThere(records)) endSessions(records)
  } catch (error) {
    // Kept after an interrupted restore: its folder still has to prevent a start.
    if (!wasInterrupted || present.length === 0) await rm(aside, { recursive: true, force: true })
    throw error
  }
  const old = present.length === 0 ? null : join(to, replaced + nameOf(now))
  if (old !== null) await moveAll(to, present, old)
  const names = await readdir(aside)
  // The log last: a server would start with it.
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

/** The files without the damaged ones. @throws CantRestore when more than images is damaged, or images count too */
export function mustBeSound(
  from: string,
  files: readonly FileFacts[],
  damaged: readonly string[],
  withoutDamagedImages: boolean,
): readonly FileFacts[] {
  const images = damaged.filter((path) => path.startsWith(`${imagesFolder}/`))
  if (damaged.length > (withoutDamagedImages ? images.length : 0))
    throw new CantRestore(`The backup in ${from} is damaged, and nothing was restored:`, damaged)
  return files.filter(({ path }) => !damaged.includes(path))
}

/** Otherwise sessions ended since, and links used since, would be valid again, and letters would be sent twice. */
export function endSessions(file: string): void {
  const records = new SqliteFile(file, { synchronous: 'FULL' })
  try {
    for (const table of ['r_sessions', 'r_mailed_links', 'r_sign_ins', 'r_oidc_consents', 'r_letters']) {
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
  if (openedHere(log)) throw new StoreUnavailable(`A server is running on ${dataDir}`)
  try {
    new SqliteFile(log, { synchronous: 'FULL' }).close()
  } catch (error) {
    // A damaged file is the purpose of a restore; a file in use prevents it.
    if (error instanceof StoreUnavailable && /is already running/.test(error.message)) throw error
  }
}

/** Copies the files, and verifies each copy. Returns those that don't match. */
export async function bring(
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
