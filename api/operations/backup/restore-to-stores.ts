/**
 * Restores a backup into an empty EventStoreDB and an empty MongoDB, as a move of the installation in the backup. All
 * files are verified first, so that a damaged backup changes nothing. A mark in MongoDB keeps processes from starting
 * until everything is there.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Screen } from '../../../projections/progress.ts'
import { move, type Moved, type Origin, type Target } from '../move/move.ts'
import { factsOf } from './disk.ts'
import { imagesFolder, type FileFacts, type Manifest } from './manifest.ts'
import { bring, endSessions, mustBeSound } from './restore.ts'

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

/** Names its process, so that a later one can tell that it is gone. */
const newWorkName = () => `socialai-restore-${process.pid}-${randomBytes(4).toString('hex')}`

/**
 * @throws CantRestore, and MoveRefused for stores that hold something else: nothing was changed. StoreUnavailable,
 * RestoreInterrupted: the same command continues
 */
export async function restoreToStores(
  { from, manifest, to, withoutDamagedImages, screen, signal }: Asked,
  open: OpenOrigin,
): Promise<RestoredToStores> {
  await sweep()
  // Reading a database changes its file, and a backup never changes.
  const work = join(tmpdir(), newWorkName())
  await mkdir(work, { mode: 0o700 })
  try {
    const [databases, images] = [manifest.files.filter(isDatabase), manifest.files.filter(isImage)]
    const damaged = [
      ...(await bring(from, databases, work, signal)),
      ...(await damagedOf(from, images, signal)),
      ...(await damagedOf(from, manifest.files.filter(isSecret), signal)),
    ]
    const sound = mustBeSound(from, manifest.files, damaged, withoutDamagedImages)
    endSessions(join(work, 'records.db'))
    const hashes = sound.filter(isImage).map(({ path }) => basename(path))
    const origin = await open(work, join(from, imagesFolder), hashes)
    try {
      const moved = await move(origin, to, { screen, signal, backup: manifest.at })
      return { ...moved, leftOut: images.map(({ path }) => basename(path)).filter((hash) => !hashes.includes(hash)) }
    } finally {
      await origin.close()
    }
  } catch (error) {
    throw signal.aborted ? new RestoreInterrupted('The restore was interrupted', { cause: error }) : error
  } finally {
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

/** Removes the copies that killed restores have left behind. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, maker] = /^socialai-restore-(\d+)-[0-9a-f]{8}$/.exec(name) ?? []
    // Another user's copy can't be removed, and stays.
    if (maker !== undefined && !isRunning(Number(maker)))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined)
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
