/** One copy of a data folder: of all its databases at the very same moment, while whoever has them goes on. */
import { fork } from 'node:child_process'
import { on } from 'node:events'
import { statfs, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openedHere, SqliteFile } from '../../../domain/event-store/sqlite.ts'
import type { Job } from './copy.ts'
import type { Said } from './copying.ts'
import { databasesIn } from './manifest.ts'

/** The backup was not made, for a reason that somebody can do something about. The message is fit for an operator. */
export class CantBackUp extends Error {
  override readonly name = 'CantBackUp'
}

/** Left free for the server itself, which needs room for what people do next. */
const leftFree = 64 * 1024 * 1024

/**
 * Fills `job.into`. Answers the images that are damaged, and left out.
 * @throws CantBackUp; StoreUnavailable while another process has the files; whatever the signal aborts with
 */
export async function snapshot(job: Job, signal: AbortSignal): Promise<readonly string[]> {
  const present = (await databasesIn(job.dataDir)).map((name) => join(job.dataDir, name))
  const own: SqliteFile[] = []
  try {
    const files = present.map((path) => openedHere(path) ?? opened(path, own))
    await mustFit(present, job.into)
    // Without a pause in between: each is as it was at the same moment, as after a crash, which every part of this can go on from.
    const letGo = keepStill(files)
    return await copying(job, signal, letGo)
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
  const letGo = () => {
    for (const end of ends.splice(0)) end()
  }
  try {
    for (const file of files) ends.push(file.keepStill())
    return letGo
  } catch (error) {
    letGo()
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
      `There is no room for it: ${megabytes(needed)} must be free, and ${megabytes(bavail * bsize)} are. Make room, or set BACKUP_DIR to a folder on another disk.`,
    )
}

export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`

async function copying(job: Job, signal: AbortSignal, letGo: () => void): Promise<readonly string[]> {
  let isStill = true
  const release = () => {
    if (!isStill) return
    isStill = false
    letGo()
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
  // As it was built it needs nothing; as it was written it needs what runs such files.
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
  throw new CantBackUp(last !== null && 'failed' in last ? last.failed : 'The program that copies ended in the middle.')
}
