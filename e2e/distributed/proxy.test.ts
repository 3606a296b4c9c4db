/** The composition's proxy behind a TLS proxy that sends X-Forwarded-For, as the README prescribes. */
import { expect, test } from '@playwright/test'
import { ApiClient } from '../../api/http/client.ts'
import { testServer, type TestServer } from '../../api/testing/server.ts'
import { hasNginx, startNginx, type Proxy } from './nginx.ts'

const [owner, stranger] = ['198.51.100.4', '203.0.113.7']
const email = 'ada@northstar.example'
const password = 'correct horse'

test.describe('Behind nginx with ops/nginx.conf', () => {
  test.skip(!hasNginx, 'nginx is not installed')

  let server: TestServer
  let proxy: Proxy
  test.beforeAll(async () => {
    server = await testServer({ TRUST_PROXY: 'true', METRICS_TOKEN: 'm'.repeat(20) })
    proxy = await startNginx(Number(new URL(server.localUrl).port))
  })
  test.afterAll(async () => {
    await proxy?.close()
    await server?.remove()
  })

  /** @param chain X-Forwarded-For of the proxy in front: the client's claim, then the address that the proxy saw */
  const signIn = (chain: string, given: string) =>
    new ApiClient(proxy.url).ask('login', { body: { email, password: given }, headers: { 'X-Forwarded-For': chain } })

  test("a stranger's wrong passwords lock out the stranger, not the owner", async () => {
    await new ApiClient(proxy.url).callOrThrow('register', { body: { email, password } })
    for (let attempt = 0; attempt < 10; attempt++) expect((await signIn(stranger, 'guessed')).status).toBe(401)
    expect((await signIn(stranger, 'guessed')).status).toBe(429)
    expect((await signIn(owner, password)).status).toBe(200)
  })

  test("a forged X-Forwarded-For address does not count as the client's address", async () => {
    expect((await signIn(`${owner}, ${stranger}`, 'guessed')).status).toBe(429)
    for (let attempt = 0; attempt < 10; attempt++) await signIn(`${stranger}, 192.0.2.${attempt}, ${owner}`, 'guessed')
    expect((await signIn(`192.0.2.99, ${owner}`, 'guessed')).status).toBe(429)
  })

  test("each request has an id: the client's own if it sent one", async () => {
    const numbered = await new ApiClient(proxy.url).fetch('GET', '/healthz', undefined, {
      'X-Request-Id': 'front-12345678',
    })
    const plain = await new ApiClient(proxy.url).get('/healthz')
    expect(numbered.headers.get('X-Request-Id')).toBe('front-12345678')
    // nginx' own are 32 hexadecimal digits; the API's would have dashes.
    expect(plain.headers.get('X-Request-Id')).toMatch(/^[0-9a-f]{32}$/)
  })

  test('the public can read /healthz, and neither /readyz nor /metrics', async () => {
    const caller = new ApiClient(proxy.url)
    expect((await caller.get('/healthz')).status).toBe(200)
    for (const path of ['/readyz', '/metrics']) {
      const { status } = await caller.fetch('GET', path, undefined, { Authorization: `Bearer ${'m'.repeat(20)}` })
      expect([path, status]).toEqual([path, 404])
    }
  })
})
