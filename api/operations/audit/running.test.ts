/** The audit's command line on a server that runs: it has the files to itself, and does it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { throughServer } from '../admin/client.ts'
import { ApiClient } from '../../http/client.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { agencyWithPast, bytesOf, type Past } from '../../features/audit/test/helpers.ts'
import { verifyFile } from './verify-file.ts'

let server: TestServer
let past: Past
let folder: string
beforeAll(async () => {
  server = await testServer()
  past = await agencyWithPast(server)
  folder = await mkdtemp(join(tmpdir(), 'audit-'))
})
afterAll(async () => {
  await server.remove()
  await rm(folder, { recursive: true, force: true })
})

async function run(...args: readonly string[]) {
  const [told, warned] = [[] as string[], [] as string[]]
  const code = await throughServer(server.dataDir, 'audit', args, {
    screen: { write: (text) => told.push(text) },
    errors: { write: (text) => warned.push(text) },
  })
  return { code, text: told.join(''), warned: warned.join('') }
}

it('It tells the history of a post, while people go on', async () => {
  const { code, text } = await run('history', past.postIds[0] ?? '')
  expect(code).toBe(0)
  expect(text).toContain('PostApproved')
  expect((await past.caller.ask('listClients')).status).toBe(200)
})

it('It exports what proves itself, no faster than it is taken', async () => {
  const { id } = await past.caller.callOrThrow('getAgency')
  const { code, text } = await run('export', '--agency', id)
  expect(code).toBe(0)
  const jwks = JSON.parse((await past.caller.get('/.well-known/jwks.json')).text)
  expect((await verifyFile(bytesOf(text), jwks)).problems).toEqual([])
})

it('It signs a checkpoint that can be kept elsewhere, and checks the log with it', async () => {
  const { text } = await run('checkpoint')
  const file = join(folder, 'kept')
  await writeFile(file, text)
  expect(await run('verify', '--checkpoint', file)).toMatchObject({ code: 0, warned: '' })
})

it('A person who is erased is signed out there and then', async () => {
  const person = new ApiClient(server.url)
  const { id } = await person.callOrThrow('register', {
    body: { email: 'gone@example.com', password: 'correct horse' },
  })
  expect(await run('erase-user', id)).toMatchObject({ code: 0, text: expect.stringContaining('1 session') })
  expect((await person.ask('getUser')).status).toBe(401)
})

it('What is wrong is told as an error, and a new key wants the server stopped', async () => {
  expect(await run('history', 'nobody')).toEqual({ code: 2, text: '', warned: 'There is no post nobody.\n' })
  expect(await run('verify', '--checkpoint', join(folder, 'missing'))).toMatchObject({ code: 2, text: '' })
  expect(await run('dance')).toMatchObject({
    code: 2,
    text: '',
    warned: expect.stringContaining("unknown command 'dance'"),
  })
  expect(await run('rotate-key')).toEqual({
    code: 3,
    text: '',
    warned: 'Stop the server first: it signs with the key that it began with.\n',
  })
})
