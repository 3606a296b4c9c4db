/**
 * `--version` as processes, with nothing set up: no setting is read, and no folder is made.
 *
 * @module-tag long
 */
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { productVersion } from '../runtime/version.ts'
import { compiled } from '../../domain/test/compiled.ts'

let dataDir: string
beforeAll(async () => (dataDir = await temporaryFolder('version')))
afterAll(() => removeFolder(dataDir))

const node = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: 'wrong' } })

describe.concurrent('With --version', () => {
  it.each([
    ['npm start', 'launch.mjs'],
    ['npm run audit', 'launch.mjs', 'audit'],
    ['the embedded server', 'start.ts'],
    ['a process of the distributed shape', 'process.ts', 'worker'],
    ['a process without a role', 'process.ts'],
    ['the sandbox', 'sandbox.ts'],
    ['a command line', 'command.ts', 'backup'],
  ])('%s prints the version and ends', async (_, name, ...args) => {
    const program = name.endsWith('.ts') ? compiled(`api/bin/${name}`) : `api/bin/${name}`
    expect(await node(program, ...args, '--version')).toEqual({ stdout: `${await productVersion()}\n`, stderr: '' })
    expect(await readdir(dataDir)).toEqual([])
  })
})
