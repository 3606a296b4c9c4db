/** The audit's command line on a running server, which runs the commands itself because it has the files open. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { throughServer } from '../admin/client.ts'
import { memberOf } from '../../testing/members.ts'
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
  folder = await temporaryFolder('audit')
})
afterAll(async () => {
  await server.remove()
  await removeFolder(folder)
})

async function run(...args: readonly string[]) {
  const [output, warned] = [[] as string[], [] as string[]]
  const code = await throughServer(server.dataDir, 'audit', args, {
    screen: { write: (text) => output.push(text) },
    errors: { write: (text) => warned.push(text) },
  })
  return { code, text: output.join(''), warned: warned.join('') }
}

it('It prints the history of a post while the server serves requests', async () => {
  const { code, text } = await run('history', past.postIds[0] ?? '')
  expect(code).toBe(0)
  expect(text).toContain('PostApproved')
  expect((await past.caller.ask('listClients')).status).toBe(200)
})

it('It exports a verifiable file, no faster than it is read', async () => {
  const { id } = await past.caller.callOrThrow('getAgency')
  const { code, text } = await run('export', '--agency', id)
  expect(code).toBe(0)
  const jwks = JSON.parse((await past.caller.get('/.well-known/jwks.json')).text)
  expect((await verifyFile(bytesOf(text), jwks)).problems).toEqual([])
})

it('It signs a checkpoint to keep elsewhere, and verifies the log with it', async () => {
  const { text } = await run('checkpoint')
  const file = join(folder, 'kept')
  await writeFile(file, text)
  expect(await run('verify', '--checkpoint', file)).toMatchObject({ code: 0, warned: '' })
})

it('It signs out an erased user immediately', async () => {
  const person = new ApiClient(server.url)
  const { id } = await person.callOrThrow('register', {
    body: { email: 'gone@example.com', password: 'correct horse' },
  })
  expect(await run('erase-user', id)).toMatchObject({ code: 0, text: expect.stringContaining('1 session') })
  expect((await person.ask('getUser')).status).toBe(401)
})

it('It erases a member and nothing of the agency; of its owner it asks for a transfer first', async () => {
  const member = await memberOf(server, past.caller, 'writer')
  const { id: memberId } = await member.caller.callOrThrow('getUser')
  const { email: contact } = await past.caller.callOrThrow('getAgency')
  const { id: ownerId } = await past.caller.callOrThrow('getUser')
  expect(await run('erase-user', ownerId)).toMatchObject({ code: 1, text: expect.stringContaining('Transfer') })
  expect((await past.caller.callOrThrow('getUser')).id).toBe(ownerId)
  expect(await run('erase-user', memberId)).toMatchObject({ code: 0, text: expect.stringContaining('1 session') })
  expect((await past.caller.callOrThrow('getAgency')).email).toBe(contact)
  const { members } = await past.caller.callOrThrow('getTeam')
  expect(members.find(({ isMe }) => !isMe)).toMatchObject({ name: 'Former member', email: null })
  await past.caller.callOrThrow('removeMember', { params: { id: member.memberId }, body: { links: 'kept' } })
  const { people } = await past.caller.callOrThrow('getAuditAbout')
  expect(people.at(-1)).toEqual({ id: member.memberId, name: null, isFormer: true })
})

it('It reports wrong usage as an error, and needs a stopped server for a new key', async () => {
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
    warned: 'Stop the server first: a running server keeps signing with the key that it started with.\n',
  })
})

it('It erases the people of a client by their address, and needs one of id and address', async () => {
  expect(await run('erase-reviewer')).toMatchObject({ code: 2 })
  const email = 'reviewer@example.com'
  const { caller, clientId } = past
  await caller.callOrThrow('addContact', { params: { id: clientId }, body: { name: 'Nora', email } })
  expect(await run('erase-reviewer', '--email', email)).toMatchObject({
    code: 0,
    text: expect.stringContaining('Erased the name, the address and the words'),
  })
  expect(await caller.callOrThrow('listContacts', { params: { id: clientId } })).toEqual([])
  expect(await run('erase-reviewer', '--email', email)).toMatchObject({
    code: 0,
    text: expect.stringContaining('There is no such reviewer'),
  })
})
