/** Writes files that survive a power failure, readable only by their owner. */
import { createHash } from 'node:crypto'
import { constants, createReadStream, type Dirent } from 'node:fs'
import { chmod, copyFile, open, readdir, stat } from 'node:fs/promises'

/** File names are durable only once their folder is. A system that can't sync folders doesn't need it. */
export async function onDisk(path: string): Promise<void> {
  if (process.platform === 'win32' && (await stat(path)).isDirectory()) return
  const opened = await open(path, 'r')
  await opened.sync().finally(() => opened.close())
}

/** A copy with its own blocks, or a copy-on-write clone. */
export async function copied(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  await chmod(to, 0o600)
  await onDisk(to)
}

export async function factsOf(path: string): Promise<{ readonly size: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const part of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = part as Buffer
    hash.update(bytes)
    size += bytes.length
  }
  return { size, sha256: hash.digest('hex') }
}

export const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null

const unlessMissing =
  <T>(none: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return none
    throw error
  }

/** In bytes; 0 for a missing file. @throws for any other error, which must not look like a missing file */
export const sizeOf = (path: string): Promise<number> => stat(path).then(({ size }) => size, unlessMissing(0))

/** Empty for a missing folder. @throws for any other error, which must not look like a missing folder */
export const entriesIn = (folder: string): Promise<readonly Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch(unlessMissing([]))

/** A sentence about the disk's error for an operator; null for any other error. */
export function diskSentence(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error)) return null
  const at =
    'path' in error && typeof error.path === 'string'
      ? ` at ${'dest' in error && typeof error.dest === 'string' ? error.dest : error.path}`
      : ''
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return `There is no room left on the disk${at}.`
  if (error.code === 'EROFS') return `The disk can only be read${at}.`
  if (error.code === 'EACCES' || error.code === 'EPERM') return `This user may not read or write there${at}.`
  if (error.code === 'ENOTDIR') return `A file is in the place of a folder${at}.`
  if (error.code === 'EIO') return `The disk can't be read or written${at}: it may be failing.`
  return null
}
