/** Copies a data folder: all its databases at the same moment, while the server keeps running. */
import { fork } from 'node:child_process'
import { on } from 'node:events'
import { statfs, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openedHere, SqliteFile } from '../../../domain/event-store/sqlite.ts'
import type { Job } from './copy.ts'
import type { Said } from './copying.ts'
import { databasesIn } from './files.ts'

/** The backup failed for a reason that an operator can fix. The message is meant for an operator. */
export class CantBackUp extends Error {
  override readonly name = 'CantBackUp'
}

/** Left free for the server, which needs space for new data. */
const leftFree = 64 * 1024 * 1024

/**
 * Fills `job.into`. Returns the damaged images, which are left out.
 * @throws CantBackUp; StoreUnavailable while another process has the files open; the signal's reason on abort
 */
export async function snapshot(job: Job, signal: AbortSignal): Promise<readonly string[]> {
  const present = (await databasesIn(job.dataDir)).map((name) => join(job.dataDir, name))
  const own: SqliteFile[] = []
  try {
    const files = present.map((path) => openedHere(path) ?? opened(path, own))
    await mustFit(present, job.into)
    // All in one synchronous step: the copies are from one moment, as after a crash, from which every component
    // recovers.
    const releaseLock = keepStill(files)
    return await copying(job, signal, releaseLock)
  } finally {
    for (const file of own) file.close()
  }
}

function opened(path: string, own: SqliteFile[]): SqliteFile {
  const file = new SqliteFile(path, { synchronous: 'FULL' })
  own.push(file)
  return file
}

function keepStill(files: readonly SqliteFile[]): () => void {
  const ends: (() => void)[] = []
  const releaseLock = () => {
    for (const end of ends.splice(0)) end()
  }
  try {
    for (const file of files) ends.push(file.keepStill())
    return releaseLock
  } catch (error) {
    releaseLock()
    throw error
  }
}

async function mustFit(files: readonly string[], into: string): Promise<void> {
  const sizes = await Promise.all(
    files
      .flatMap((file) => [file, `${file}-wal`])
      .map((file) =>
        stat(file).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  )
  const needed = sizes.reduce((sum, size) => sum + size, 0) + leftFree
  const { bavail, bsize } = await statfs(into)
  if (bavail * bsize < needed)
    throw new CantBackUp(
      `There is not enough room for the backup: it needs ${megabytes(needed)}, and ${megabytes(bavail * bsize)} are free. Make room, or set BACKUP_DIR to a folder on another disk.`,
    )
}

export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`

async function copying(job: Job, signal: AbortSignal, releaseLock: () => void): Promise<readonly string[]> {
  let isStill = true
  const release = () => {
    if (!isStill) return
    isStill = false
    releaseLock()
  }
  try {
    signal.throwIfAborted()
    return await inAnotherProcess(job, signal, release)
  } finally {
    release()
  }
}

async function inAnotherProcess(job: Job, signal: AbortSignal, onCopied: () => void): Promise<readonly string[]> {
  const program = import.meta.url.replace(/snapshot(\.[jt]s)$/, 'copying$1')
  // The built program needs no loader; the TypeScript source needs tsx.
  const execArgv = program.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : []
  const child = fork(fileURLToPath(program), { execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
  const stop = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop)
  let last: Said | null = null
  try {
    const messages = on(child, 'message', { close: ['disconnect'] })
    child.send(job)
    for await (const [message] of messages) {
      last = message as Said
      if ('isCopied' in last) onCopied()
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
    await ended
  }
  signal.throwIfAborted()
  if (last !== null && 'damagedImages' in last) return last.damagedImages
  throw new CantBackUp(last !== null && 'failed' in last ? last.failed : 'The copying process ended early.')
}
