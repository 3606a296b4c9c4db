import { stat, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { throughServer } from './client.ts'
import { openAdminSocket, type AdminSocket, type Program } from './server.ts'

let folder: string
let admin: AdminSocket | null = null
const log = pino({ level: 'silent' })

beforeEach(async () => {
  folder = await temporaryFolder('admin')
})
afterEach(async () => {
  await admin?.close()
  admin = null
  await removeFolder(folder)
})

async function open(program: Program): Promise<void> {
  admin = await openAdminSocket(folder, { echo: program }, log)
}
async function ask(program: string, args: readonly string[] = [], signal?: AbortSignal) {
  const output: string[] = []
  const code = await throughServer(folder, program, args, {
    screen: { isTTY: true, write: (text) => output.push(text) },
    ...(signal && { signal }),
  })
  return { code, output: output.join('') }
}

it('A program runs in the server, and the client returns its output and its exit code', async () => {
  await open(async (args, { screen }) => {
    screen.write(`${args.join('+')} on a ${screen.isTTY ? 'terminal' : 'pipe'}\n`)
    return 7
  })
  expect(await ask('echo', ['one', 'two'])).toEqual({ code: 7, output: 'one+two on a terminal\n' })
})

it("Only the folder's owner can open the admin socket [S86]", async () => {
  await open(async () => 0)
  expect((await stat(join(folder, 'admin.sock'))).mode & 0o777).toBe(0o600)
})

it('A missing or crashed server is reported', async () => {
  expect((await ask('echo')).code).toBeNull()
  await writeFile(join(folder, 'admin.sock'), 'left by a crash')
  expect((await ask('echo')).code).toBeNull()
  await open(async () => 0)
  expect((await ask('echo')).code).toBe(0)
})

it('Interrupting the client stops the program in the server', async () => {
  const interrupted = new AbortController()
  let stopped = false
  await open(async (_, { screen, signal }) => {
    screen.write('begun')
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    stopped = true
    return 130
  })
  const output: string[] = []
  const code = throughServer(folder, 'echo', [], {
    screen: {
      write: (text) => {
        output.push(text)
        interrupted.abort()
      },
    },
    signal: interrupted.signal,
  })
  expect(await code).toBe(130)
  await expect.poll(() => stopped).toBe(true)
})

it('A server that stops aborts its programs, and their clients get the exit code', async () => {
  let begun = false
  await open(async (_, { signal }) => {
    begun = true
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    return 130
  })
  const asked = ask('echo')
  await expect.poll(() => begun).toBe(true)
  await admin?.close()
  admin = null
  expect((await asked).code).toBe(130)
})

it(
  'A client that sends no request, or reads no output, does not keep a server from stopping',
  { tags: 'long' },
  async () => {
    let said = 0
    await open(async (_, { screen, signal }) => {
      while (!signal.aborted) {
        screen.write('é'.repeat(10_000))
        said += 1
        await screen.taken()
      }
      return 130
    })
    const silent = createConnection(join(folder, 'admin.sock'))
    const deaf = createConnection(join(folder, 'admin.sock')).pause()
    const body = JSON.stringify({ args: [], isTTY: false })
    const head = 'POST /programs/echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    deaf.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
    silent.write(head)
    await expect.poll(() => said).toBeGreaterThan(0)
    let before = 0
    // The program writes until the socket's buffer is full.
    await expect.poll(() => before === (before = said)).toBe(true)
    const gone = Promise.all([once(silent.resume(), 'close'), once(deaf, 'close')])
    await admin?.close()
    admin = null
    deaf.resume()
    await gone
  },
)

it('A character split across two chunks is decoded correctly', async () => {
  const long = 'aé漢😀'.repeat(100_000)
  await open(async (_, { screen }) => {
    screen.write(long)
    await screen.taken()
    return 0
  })
  expect((await ask('echo')).output === long).toBe(true)
})

it('A failing program and an unknown one return an error sentence', async () => {
  await open(() => Promise.reject(new Error('The disk is full')))
  expect(await ask('echo')).toEqual({ code: 4, output: 'The disk is full\n' })
  expect(await ask('nothing')).toEqual({ code: 2, output: 'This server has no command nothing.\n' })
})
