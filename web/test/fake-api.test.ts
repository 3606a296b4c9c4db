/** The fake API keeps to the contract: what the contract forbids is a fault, and a fault fails the test. */
import { describe, expect, it } from 'vitest'
import { list, refuse, startFakeApi } from './fake-api.ts'
import { aClient, anAccount, aPost, cardOf, newId } from './things.ts'

const api = startFakeApi()
const base = 'http://localhost'
const ask = (path: string, init?: RequestInit) => fetch(`${base}${path}`, init)
const headers = { 'Content-Type': 'application/json' }
const post = (path: string, body: unknown) => ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
const client = aClient()

describe('The fake API', () => {
  it('answers what the contract allows', async () => {
    const card = cardOf(aPost(anAccount(client.id)))
    api.on('listPosts', () => list([card], { position: 'p0' }))
    const response = await ask(`/api/clients/${client.id}/posts?view=card`)
    expect([response.status, response.headers.get('X-Position'), await response.json()]).toEqual([200, 'p0', [card]])
    expect(api.takeFaults()).toEqual([])
  })

  it.each([
    ['a reply without a field', () => api.on('listClients', () => [{ ...client, name: undefined as never }])],
    ['a reply with an unknown field', () => api.on('listClients', () => [{ ...client, secret: 1 } as typeof client])],
    ['an error that the route does not have', () => api.on('listClients', () => refuse(409, 'No'))],
  ])('finds fault with %s', async (_, answer) => {
    answer()
    expect((await ask('/api/clients')).status).toBe(500)
    expect(api.takeFaults()).toHaveLength(1)
  })

  it('finds fault with a request that the contract forbids', async () => {
    api.on('addClient', () => client)
    expect((await post('/api/clients', { name: '' })).status).toBe(500)
    expect((await post('/api/clients', { name: 'Fjord' })).status).toBe(201)
    expect(api.takeFaults()).toHaveLength(1)
  })

  it('finds fault with a request that no handler answers, and sends it nowhere', async () => {
    expect((await ask(`/api/posts/${newId()}`)).status).toBe(500)
    expect(api.takeFaults()).toHaveLength(1)
  })
})
