/** An installation with data, and the two command lines as an operator runs them. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { throughServer } from '../../admin/client.ts'
import type { ApiClient } from '../../../http/client.ts'
import type { UploadedImage } from '../../../contract/index.ts'
import { png } from '../../../features/media/test/helpers.ts'
import { brand, owner, type TestServer } from '../../../testing/server.ts'

export interface Ran {
  readonly code: number
  readonly text: string
  readonly errors: string
}

/** Runs a backup command line on a data folder. */
export const program = (
  name: 'backup' | 'restore',
  dataDir: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> =>
  new Promise((resolve) => {
    const given = { ...process.env, DATA_DIR: dataDir, EVENTSTORE_URL: '', MONGODB_URL: '', ...env }
    execFile(
      process.execPath,
      ['--import', 'tsx', `api/bin/${name}.ts`, ...args],
      { env: given, timeout: 60_000 },
      (error, text, errors) => {
        resolve({ code: error ? Number(error.code) : 0, text, errors })
      },
    )
  })

/** Runs a command in the server that has the folder open. */
export async function byServer(
  dataDir: string,
  name: string,
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly text: string }> {
  const output: string[] = []
  const code = await throughServer(dataDir, name, args, {
    screen: { isTTY: false, write: (text) => output.push(text) },
  })
  return { code, text: output.join('') }
}

export const folderIn = (text: string): string => /^Backed up to (\S+): /m.exec(text)?.[1] ?? ''

/** A folder that is removed after the test file. */
export const temporary = (): Promise<string> => mkdtemp(join(tmpdir(), 'backup-'))
export const forgotten = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

export const upload = async (caller: ApiClient, bytes: Buffer): Promise<UploadedImage> =>
  JSON.parse((await caller.ask('uploadImage', { body: new Blob([new Uint8Array(bytes)], { type: 'image/png' }) })).text)

export interface Kept {
  readonly caller: ApiClient
  readonly clientId: string
  readonly accountId: string
  readonly images: readonly UploadedImage[]
}

/** An owner, a client with a connected account, posts with and without images. */
export async function filled(server: TestServer): Promise<Kept> {
  const caller = await owner(server)
  const { clientId, accountId } = await brand(caller)
  const images = [await upload(caller, png(41, 31, 1)), await upload(caller, png(42, 32, 2))]
  for (const [index, { url }] of images.entries()) {
    await caller.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: `With an image ${index}`, imageUrl: url },
    })
  }
  return { caller, clientId, accountId, images }
}

/** The mode of every file under a folder, by path. */
export async function modesIn(folder: string): Promise<ReadonlyMap<string, number>> {
  const modes = new Map<string, number>()
  for (const path of await readdir(folder, { recursive: true }))
    modes.set(path, (await stat(join(folder, path))).mode & 0o777)
  return modes
}
