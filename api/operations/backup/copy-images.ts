/** Copies images into a backup, shares those of an earlier backup, and verifies each by its name. */
import { link, mkdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { factsOf, onDisk } from './disk.ts'
import { imagesFolder } from './files.ts'
import type { FileFacts } from './manifest.ts'

export interface CopiedImages {
  readonly facts: readonly FileFacts[]
  /** Left out. */
  readonly damaged: readonly string[]
}

/**
 * Images never change, so backups share their files with each other, but never with the live data.
 * An image that doesn't match its hash any more is copied from wherever a sound copy exists.
 *
 * @param earlier an earlier backup
 * @param bring writes the image to a new file
 */
export async function copyImages(
  hashes: Iterable<string> | AsyncIterable<string>,
  to: string,
  earlier: string | null,
  bring: (hash: string, file: string) => Promise<void>,
): Promise<CopiedImages> {
  await mkdir(to, { mode: 0o700 })
  const facts: FileFacts[] = []
  const damaged: string[] = []
  for await (const hash of hashes) {
    const file = join(to, hash)
    const size =
      (earlier === null ? null : await linked(join(earlier, imagesFolder, hash), file, hash)) ??
      (await brought(file, hash, bring))
    if (size === null) damaged.push(hash)
    else facts.push({ path: `${imagesFolder}/${hash}`, size, sha256: hash })
  }
  await onDisk(to)
  return { facts, damaged }
}

/** Null without a file to share, or if the file system has no hard links. */
async function linked(from: string, to: string, hash: string): Promise<number | null> {
  const isLinked = await link(from, to).then(
    () => true,
    () => false,
  )
  return isLinked ? sizeOfSound(to, hash) : null
}

async function brought(
  file: string,
  hash: string,
  bring: (hash: string, file: string) => Promise<void>,
): Promise<number | null> {
  await bring(hash, file)
  return sizeOfSound(file, hash)
}

/** Null for a file that doesn't match its hash; it is removed. */
async function sizeOfSound(file: string, hash: string): Promise<number | null> {
  const { size, sha256 } = await factsOf(file)
  if (sha256 === hash) return size
  await unlink(file)
  return null
}
