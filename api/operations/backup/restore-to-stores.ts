/**
 * Restores a backup into an empty EventStoreDB and an empty MongoDB, as a move of the installation in the backup. All
 * files are verified first, so that a damaged backup changes nothing. A mark in MongoDB keeps processes from starting
 * until everything is there.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Screen } from '../../../projections/progress.ts'
import { move, type Moved, type Origin, type Target } from '../move/move.ts'
import { factsOf } from './disk.ts'
import { lockIn } from './lock.ts'
import { imagesFolder } from './files.ts'
import type { FileFacts, Manifest } from './manifest.ts'
import { bring, CantRestore, endSessions, mustBeSound } from './restore.ts'

interface Asked {
  readonly from: string
  readonly manifest: Manifest
  readonly to: Target
  readonly withoutDamagedImages: boolean
  readonly screen: Screen
  readonly signal: AbortSignal
}

/** Opens the log and the records in a folder, and the images in another one. */
export type OpenOrigin = (
  dataDir: string,
  media: string,
  images: readonly string[],
) => Promise<Origin & { close(): Promise<void> }>

/** The restore was interrupted after it began to write. */
export class RestoreInterrupted extends Error {
  override readonly name = 'RestoreInterrupted'
}

export interface RestoredToStores extends Moved {
  /** The hashes of images that are damaged in the backup. */
  readonly leftOut: readonly string[]
}

const workName = /^socialai-restore-[0-9a-f]{16}$/
/** A younger copy may still be about to lock itself. */
const minAgeMs = 60_000

/**
 * @throws CantRestore, and MoveRefused for stores that hold something else: nothing was changed. StoreUnavailable,
 * RestoreInterrupted: the same command continues
 */
export async function restoreToStores(
  { from, manifest, to, withoutDamagedImages, screen, signal }: Asked,
  open: OpenOrigin,
): Promise<RestoredToStores> {
  await sweep()
  for (const name of ['events.db', 'records.db'])
    if (!manifest.files.some(({ path }) => path === name))
      throw new CantRestore(
        `The backup in ${from} has no ${name}, and nothing was restored: ${name === 'events.db' ? 'there would be no posts' : 'no user could sign in'}. Choose another backup.`,
      )
  const work = join(tmpdir(), `socialai-restore-${randomBytes(8).toString('hex')}`)
  await mkdir(work, { mode: 0o700 })
  const release = lockIn(work)
  try {
    // Reading a database changes its file, and a backup never changes.
    const copy = join(work, 'copy')
    await mkdir(copy, { mode: 0o700 })
    const [databases, images] = [manifest.files.filter(isDatabase), manifest.files.filter(isImage)]
    const damaged = [
      ...(await bring(from, databases, copy, signal)),
      ...(await damagedOf(from, images, signal)),
      ...(await damagedOf(from, manifest.files.filter(isSecret), signal)),
    ]
    const sound = mustBeSound(from, manifest.files, damaged, withoutDamagedImages)
    endSessions(join(copy, 'records.db'))
    const hashes = sound.filter(isImage).map(({ path }) => basename(path))
    const origin = await open(copy, join(from, imagesFolder), hashes)
    try {
      const moved = await move(origin, to, { screen, signal, backup: manifest.at })
      return { ...moved, leftOut: images.map(({ path }) => basename(path)).filter((hash) => !hashes.includes(hash)) }
    } finally {
      await origin.close()
    }
  } catch (error) {
    throw signal.aborted ? new RestoreInterrupted('The restore was interrupted', { cause: error }) : error
  } finally {
    release?.()
    await rm(work, { recursive: true, force: true })
  }
}

const isImage = ({ path }: FileFacts) => path.startsWith(`${imagesFolder}/`)
const isSecret = ({ path }: FileFacts) => path.startsWith('secrets/')
/** The sandbox's feed has no place in the stores. */
const isDatabase = ({ path }: FileFacts) => path === 'events.db' || path === 'records.db'

async function damagedOf(folder: string, files: readonly FileFacts[], signal: AbortSignal): Promise<readonly string[]> {
  const damaged: string[] = []
  for (const { path, size, sha256 } of files) {
    signal.throwIfAborted()
    const facts = await factsOf(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'EIO') return null
      throw error
    })
    if (facts?.size !== size || facts.sha256 !== sha256) damaged.push(path)
  }
  return damaged
}

/** Removes the copies that killed restores have left behind: their locks are free. */
async function sweep(): Promise<void> {
  for (const name of (await readdir(tmpdir())).filter((one) => workName.test(one))) {
    const left = join(tmpdir(), name)
    const { mtimeMs } = (await stat(left).catch(() => null)) ?? { mtimeMs: Number.POSITIVE_INFINITY }
    if (Date.now() - mtimeMs < minAgeMs) continue
    try {
      const release = lockIn(left)
      if (release === null) continue
      release()
      await rm(left, { recursive: true, force: true })
    } catch {
      // Another user's copy can't be removed, and stays.
    }
  }
}
