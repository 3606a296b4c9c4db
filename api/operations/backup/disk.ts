/** Files that outlast a power cut, for their owner alone. */
import { createHash } from 'node:crypto'
import { constants, createReadStream, type Dirent } from 'node:fs'
import { chmod, copyFile, open, readdir, stat } from 'node:fs/promises'

/** A folder's names are safe only once the folder is. Where folders can't be synchronised, they needn't be. */
export async function onDisk(path: string): Promise<void> {
  if (process.platform === 'win32' && (await stat(path)).isDirectory()) return
  const opened = await open(path, 'r')
  await opened.sync().finally(() => opened.close())
}

/** A copy with blocks of its own, or as good as that where the file system can tell them apart later. */
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

/** In bytes; 0 where there is none. @throws when that can't be told, which is not the same */
export const sizeOf = (path: string): Promise<number> => stat(path).then(({ size }) => size, unlessMissing(0))

/** Nothing where there is no such folder. @throws when it can't be read, which is not the same */
export const entriesIn = (folder: string): Promise<readonly Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch(unlessMissing([]))

/** What went wrong on the disk, as somebody at a terminal understands it; null when it is something else. */
export function diskSentence(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error)) return null
  const at =
    'path' in error && typeof error.path === 'string'
      ? ` at ${'dest' in error && typeof error.dest === 'string' ? error.dest : error.path}`
      : ''
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return `There is no room left on the disk${at}.`
  if (error.code === 'EROFS') return `The disk can only be read${at}.`
  if (error.code === 'EACCES' || error.code === 'EPERM') return `This user may not read or write there${at}.`
  if (error.code === 'ENOTDIR') return `There is something else where a folder should be${at}.`
  if (error.code === 'EIO') return `The disk can't be read or written${at}: it may be failing.`
  return null
}
