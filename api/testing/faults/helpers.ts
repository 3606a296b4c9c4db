/** Disks that fill, wear out or can only be read, and a server as a process of its own that can be killed on them. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import type { ApiClient } from '../../http/client.ts'
import { keepOutput } from '../all-logs.ts'
import { compiled } from '../../../domain/test/compiled.ts'

/** Only root may mount, and not in every container. */
export const canMount =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  tried(() => {
    const at = execFileSync('mktemp', ['-d']).toString().trim()
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at], { stdio: 'ignore' })
      execFileSync('umount', [at])
    } finally {
      execFileSync('rmdir', [at])
    }
  })

/** A folder on a disk: a file system in memory ignores that an open file became immutable. */
export const onDisk = '/var/tmp'

/** Whether a file can be kept from being written although it is open. */
export const canFreeze =
  canMount &&
  tried(() => {
    const at = execFileSync('mktemp', ['-p', onDisk]).toString().trim()
    try {
      execFileSync('chattr', ['+i', at], { stdio: 'ignore' })
      execFileSync('chattr', ['-i', at], { stdio: 'ignore' })
    } finally {
      execFileSync('rm', ['-f', at])
    }
  })

export const canLoop = canMount && tried(() => execFileSync('losetup', ['-f'], { stdio: 'ignore' }))

function tried(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

export async function folder(within = tmpdir()): Promise<string> {
  const made = await temporaryFolder('faults', within)
  onTestFinished(() => removeFolder(made))
  return made
}

/** For all tests of a group, or anew for each. */
export function folderFor(
  before: (work: () => Promise<void>) => void,
  after: ((work: () => Promise<void>) => void) | null,
): { readonly path: string } {
  const made = { path: '' }
  const forget = () => removeFolder(made.path)
  before(async () => {
    made.path = await temporaryFolder('faults')
    if (!after) onTestFinished(forget)
  })
  after?.(forget)
  return made
}

export interface Disk {
  readonly path: string
  /** Leaves no byte free. */
  fill(): Promise<void>
  /** Gives the room back. */
  free(): Promise<void>
}

/** A disk of the given number of megabytes. */
export async function smallDisk(megabytes: number): Promise<Disk> {
  const path = await temporaryFolder('disk')
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])
  onTestFinished(async () => {
    // Lazily: what failed may have left something open.
    execFileSync('umount', ['-l', path])
    await removeFolder(path)
  })
  const filler = join(path, 'filler')
  return {
    path,
    async fill() {
      const file = await open(filler, 'a')
      try {
        for (;;) await file.write(Buffer.alloc(4096))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      } finally {
        await file.close()
      }
    },
    free: () => rm(filler, { force: true }),
  }
}

export interface Child {
  readonly url: string
  readonly output: () => string
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
}

export interface Ended {
  readonly code: number | null
  readonly output: string
}

/** `npm start` on a folder: the running server, or how it ended. The caller stops it. */
export async function launch(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<Child | Ended> {
  const given = {
    ...process.env,
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    BACKUP: 'off',
    EVENTSTORE_URL: '',
    MONGODB_URL: '',
    ...env,
  }
  const child = spawn(process.execPath, [compiled('api/bin/start.ts')], {
    env: given,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  keepOutput(child)
  let output = ''
  const ended = once(child, 'close').then(([code]) => Number(code))
  const url = new Promise<string>((resolve) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      const found = /SocialAI is running on (\S+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
  })
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return Promise.race([
    url.then((at): Child => ({ url: at, output: () => output, kill: end })),
    ended.then((code): Ended => ({ code, output })),
  ])
}

/** Until the test is over at most. */
export async function start(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<Child | Ended> {
  const started = await launch(dataDir, env)
  if ('url' in started) onTestFinished(async () => void (await started.kill('SIGKILL')))
  return started
}

export async function running(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<Child> {
  const started = await start(dataDir, env)
  if ('url' in started) return started
  throw new Error(`It ended with ${started.code}: ${started.output}`)
}

export async function refused(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const started = await start(dataDir, env)
  if (!('url' in started)) return started
  throw new Error(`It started: ${started.output()}`)
}

export interface Writing {
  readonly clientId: string
  readonly accountId: string
}

/**
 * Posts, one after the other, until one is not acknowledged or there are enough: what was acknowledged, and the
 * answer that wasn't.
 */
export async function writePosts(
  caller: ApiClient,
  { clientId, accountId }: Writing,
  most: number,
  content = 'x'.repeat(400),
) {
  const acknowledged: string[] = []
  while (acknowledged.length < most) {
    const { status, text, headers } = await caller.ask('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content },
    })
    if (status !== 201) return { acknowledged, refusal: { status, text, retryAfter: headers.get('retry-after') } }
    acknowledged.push(String((JSON.parse(text) as { id: string }).id))
  }
  return { acknowledged, refusal: null }
}

export const ready = async ({ url }: { readonly url: string }): Promise<string> => {
  const answer = await fetch(`${url}/readyz`, { headers: { connection: 'close' } })
  return `${answer.status} ${await answer.text()}`
}

export const postsOf = async (caller: ApiClient, clientId: string): Promise<readonly string[]> =>
  (await caller.tellAll('listPosts', { params: { id: clientId } })).map(({ id }) => id)

/** Changes bytes of a file, as a failing disk would. */
export async function garble(path: string, at: number, length: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(length, 0xa5), 0, length, at)
  await file.close()
}
