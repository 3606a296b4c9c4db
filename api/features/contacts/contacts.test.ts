import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from '../../http/client.ts'
import { memberOf } from '../../testing/members.ts'
import { owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let caller: ApiClient
let clientId: string
let otherId: string

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  clientId = (await caller.callOrThrow('addClient', { body: { name: 'Blue Cup' } })).id
  otherId = (await caller.callOrThrow('addClient', { body: { name: 'Red Pan' } })).id
})
afterAll(() => server.remove())

const of = (id = clientId) => caller.callOrThrow('listContacts', { params: { id } })
const add = (name: string, email: string, id = clientId, by = caller) =>
  by.ask('addContact', { params: { id }, body: { name, email }, headers: { Accept: 'application/problem+json' } })
const typeOf = ({ text }: { readonly text: string }) => (JSON.parse(text) as { readonly type?: string }).type

describe("A client's contacts", () => {
  it('are listed by name, and an address is once in a client', async () => {
    expect((await add('Nora Lind', ' Nora@Example.com ')).status).toBe(201)
    expect((await add('Ann Berg', 'ann@example.com')).status).toBe(201)
    expect(await of()).toMatchObject([
      { name: 'Ann Berg', email: 'ann@example.com' },
      { name: 'Nora Lind', email: 'nora@example.com' },
    ])
    expect(typeOf(await add('Nora', 'nora@example.com'))).toBe('/problems/contact-listed-twice')
    expect((await add('Nora Lind', 'nora@example.com', otherId)).status).toBe(201)
    expect(await of(otherId)).toHaveLength(1)
  })

  it('are created once by a key', async () => {
    const headers = { 'Idempotency-Key': 'contact-1' }
    const asked = { params: { id: clientId }, body: { name: 'Kim', email: 'kim@example.com' }, headers }
    const first = await caller.callOrThrow('addContact', asked)
    expect(await caller.callOrThrow('addContact', asked)).toEqual(first)
    expect((await caller.ask('addContact', { ...asked, body: { ...asked.body, name: 'Tim' } })).status).toBe(409)
  })

  it('are removed with their name and address, and can be added again', async () => {
    const [ann] = await of()
    const remove = (id: string) => caller.callOrThrow('removeContact', { params: { id, contactId: ann?.id ?? '' } })
    await remove(otherId)
    expect(await of()).toContainEqual(ann)
    await remove(clientId)
    await remove(clientId)
    expect((await of()).map(({ name }) => name)).not.toContain('Ann Berg')
    expect((await add('Ann Berg', 'ann@example.com')).status).toBe(201)
  })

  it('are no members of the agency [S224]', async () => {
    const { caller: manager, email } = await memberOf(server, caller, 'manager', [clientId])
    expect(typeOf(await add('Ada', email.toUpperCase()))).toBe('/problems/contact-is-member')
    expect((await add('Lea', 'lea@example.com', clientId, manager)).status).toBe(201)
  })

  it('are seen and changed by managers of the client alone [S225]', async () => {
    const { caller: writer } = await memberOf(server, caller, 'writer')
    const { caller: elsewhere } = await memberOf(server, caller, 'manager', [otherId])
    const stranger = await owner(server)
    for (const [by, status] of [
      [writer, 403],
      [elsewhere, 404],
      [stranger, 404],
    ] as const) {
      expect((await by.ask('listContacts', { params: { id: clientId } })).status).toBe(status)
      expect((await add('Eve', 'eve@example.com', clientId, by)).status).toBe(status)
    }
  })

  it.each([
    [{ name: ' ', email: 'a@example.com' }, 'Name: Required'],
    [{ name: 'x'.repeat(81), email: 'a@example.com' }, 'Name: A name has at most 80 characters'],
    [{ name: 'a\u0000b', email: 'a@example.com' }, "Name: The name has an invisible character that can't be stored"],
    [{ name: 'Ann', email: 'ann' }, 'Email: Enter a valid email'],
  ])('have a name and an address: %j', async (body, sentence) => {
    const { status, text } = await caller.ask('addContact', { params: { id: clientId }, body })
    expect({ status, text }).toEqual({ status: 400, text: sentence })
  })

  it('are twenty at most', async () => {
    const { id } = await caller.callOrThrow('addClient', { body: { name: 'Full House' } })
    for (let index = 0; index < 20; index++) expect((await add('Ann', `ann-${index}@example.com`, id)).status).toBe(201)
    expect(typeOf(await add('Ann', 'one-more@example.com', id))).toBe('/problems/contact-limit-reached')
    expect(await of(id)).toHaveLength(20)
  })
})
