/**
 * Stores images as files named by their hash: written to a temporary name and renamed, so that no name stands for half
 * an image.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import PQueue from 'p-queue'
import { factsOf } from './image.ts'
import { CantStore } from '../../core/cant-store.ts'
import { isHash, NotAnImage, type MediaStore, type StoredImage } from './port.ts'

const unfinished = '.part'
const maxRemembered = 10_000
/** The limit on images held in memory while their hash is verified. */
const wholeAtOnce = 2
const streamBufferBytes = 64 * 1024

interface Verified {
  readonly image: StoredImage
  /** The verified file's inode, size and change time. */
  readonly stamp: string
}

/** Opens or creates the folder, for its owner and one process alone. Deletes half-written files of a crash. */
export async function openMediaFolder(folder: string): Promise<MediaStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) if (name.endsWith(unfinished)) await unlink(join(folder, name))
  const verified = new Map<string, Verified>()
  const whole = new PQueue({ concurrency: wholeAtOnce })

  const stampOf = async (hash: string): Promise<string | null> => {
    const found = await stat(join(folder, hash)).catch(nothingThere)
    return found && `${found.ino}/${found.size}/${found.mtimeMs}`
  }

  /** Reads the bytes and verifies their hash; null when they don't match. */
  async function load(hash: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; image: StoredImage } | null> {
    if (!isHash(hash)) return null
    const stamp = await stampOf(hash)
    const bytes = stamp === null ? null : await readFile(join(folder, hash)).catch(nothingThere)
    const image = bytes && factsOf(bytes)
    if (stamp === null || !bytes || image?.hash !== hash) return null
    if (verified.size >= maxRemembered) verified.clear()
    verified.set(hash, { image, stamp })
    return { bytes, image }
  }

  async function describe(hash: string): Promise<StoredImage | null> {
    const known = verified.get(hash)
    if (known && known.stamp === (await stampOf(hash))) return known.image
    return whole.add(async () => (await load(hash))?.image ?? null)
  }

  return {
    async put(bytes) {
      const image = factsOf(bytes)
      if (!image) throw new NotAnImage()
      if (!(await describe(image.hash))) await writeDurably(folder, image.hash, bytes).catch(cantStore)
      return image
    },
    describe,
    read: async (hash) => (await load(hash))?.bytes ?? null,
    async stream(hash, { start, end }) {
      return (await describe(hash))
        ? createReadStream(join(folder, hash), { start, end, highWaterMark: streamBufferBytes })
        : null
    },
    close: () => Promise.resolve(),
  }
}

async function writeDurably(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const aside = join(folder, `${randomUUID()}${unfinished}`)
  try {
    await synced(aside, bytes)
    await rename(aside, join(folder, name))
  } catch (error) {
    await unlink(aside).catch(nothingThere)
    throw error
  }
  // Syncs the folder, so that the file's name survives a power failure.
  const directory = await open(folder, 'r')
  await directory.sync().finally(() => directory.close())
}

async function synced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

function cantStore(error: unknown): never {
  throw error instanceof Error && 'code' in error ? new CantStore(error) : error
}

function nothingThere(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
