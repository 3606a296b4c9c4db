/** Allowed methods of an address, the answers to other methods, and missing bodies. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from './client.ts'
import { routes } from '../contract/index.ts'
import { brand, owner, testServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let caller: ApiClient
beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
})
afterAll(() => server.remove())

const paths = [...new Set(Object.values(routes).map(({ path }) => path))]
const filled = (path: string) => path.replaceAll(/\{\w+\}/g, 'x1')
/** The methods of every route that matches this path: `/api/posts/bulk` also matches `/api/posts/{id}`. */
function methodsAt(path: string): string[] {
  const fits = (route: string) => new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(filled(path))
  const known = new Set<string>(Object.values(routes).flatMap((route) => (fits(route.path) ? [route.method] : [])))
  return ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'].filter(
    (method) => known.has(method === 'HEAD' ? 'GET' : method) || method === 'OPTIONS',
  )
}

describe('a known address', () => {
  it.each(paths)('%s names its methods in the answers to OPTIONS and to a wrong method', async (path) => {
    const allow = methodsAt(path).join(', ')
    const options = await caller.fetch('OPTIONS', filled(path))
    expect({ status: options.status, text: options.text, allow: options.headers.get('allow') }).toEqual({
      status: 204,
      text: '',
      allow,
    })
    for (const method of ['PUT', 'GET', 'POST', 'PATCH', 'DELETE'].filter((each) => !methodsAt(path).includes(each))) {
      const { status, text, headers } = await caller.fetch(method, filled(path))
      expect({ method, status, allow: headers.get('allow') }).toEqual({ method, status: 405, allow })
      expect(text).toMatch(/^This address takes [A-Z, ]+ and OPTIONS only\.$/)
    }
  })

  it.each([
    ['/api/openapi.json', 'GET, HEAD, OPTIONS'],
    ['/api/billing/webhook', 'POST, OPTIONS'],
  ])('%s, outside the contract, does so too', async (path, allow) => {
    expect((await caller.fetch('PUT', path)).headers.get('allow')).toBe(allow)
    expect((await caller.fetch('OPTIONS', path)).headers.get('allow')).toBe(allow)
  })

  it('answers HEAD like GET, without a body', async () => {
    const [head, get] = [await caller.fetch('HEAD', '/api/clients'), await caller.get('/api/clients')]
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      200,
      '',
      get.headers.get('content-length'),
    ])
    expect((await caller.fetch('HEAD', '/api/clients/none')).status).toBe(404)
  })

  it('reports a wrong method as problem+json on request', async () => {
    const { text } = await caller.fetch('PUT', '/api/clients', undefined, { Accept: 'application/problem+json' })
    expect(JSON.parse(text)).toMatchObject({ type: '/problems/wrong-method', title: 'Method not allowed', status: 405 })
  })
})

it('an unknown address is a 404 for any method', async () => {
  for (const method of ['GET', 'PUT', 'POST', 'OPTIONS'])
    expect((await caller.fetch(method, '/api/nothing')).status).toBe(404)
})

describe('a missing body', () => {
  it('is a 400, even where all fields are optional', async () => {
    const { clientId } = await brand(caller)
    const sentence = 'Send a JSON body: this request has none.'
    expect(await caller.fetch('PATCH', `/api/clients/${clientId}`)).toMatchObject({ status: 400, text: sentence })
    expect(
      await caller.fetch('PATCH', `/api/clients/${clientId}`, undefined, { 'Content-Type': 'application/json' }),
    ).toMatchObject({ status: 400, text: sentence })
    expect((await caller.fetch('PATCH', `/api/clients/${clientId}`, {})).status).toBe(200)
    expect(await caller.fetch('POST', '/api/clients')).toMatchObject({ status: 400, text: 'Name: Required' })
  })
})
