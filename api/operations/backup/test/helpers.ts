/** An installation with data, and the two command lines as an operator runs them. */
import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '../../../../domain/test/folder.ts'
import * as backup from '../../../bin/commands/backup.ts'
import * as restore from '../../../bin/commands/restore.ts'
import { run, type Ran } from '../../../bin/test/run.ts'
import { throughServer } from '../../admin/client.ts'
import type { ApiClient } from '../../../http/client.ts'
import type { UploadedImage } from '../../../contract/index.ts'
import { png } from '../../../features/media/test/helpers.ts'
import { brand, owner, type TestServer } from '../../../testing/server.ts'
import { compiled } from '../../../../domain/test/compiled.ts'

const commandLines = { backup, restore } as const

/** Runs a backup command line on a data folder. */
export const program = (
  name: keyof typeof commandLines,
  dataDir: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> => run(commandLines[name], args, { DATA_DIR: dataDir, ...env })

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
export const temporary = (): Promise<string> => temporaryFolder('backup')
export const forgotten = (folder: string): Promise<void> => removeFolder(folder)

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

/** Runs it in a process of its own: what another process has locked, this one could open. */
export const inOwnProcess = (
  name: keyof typeof commandLines,
  dataDir: string,
  args: readonly string[],
): Promise<Pick<Ran, 'code' | 'errors'>> =>
  new Promise((resolve) => {
    const env = { ...process.env, DATA_DIR: dataDir, EVENTSTORE_URL: '', MONGODB_URL: '' }
    const given = [compiled('api/bin/command.ts'), name, ...args]
    execFile(process.execPath, given, { env }, (error, _, errors) =>
      resolve({ code: error ? Number(error.code) : 0, errors }),
    )
  })
