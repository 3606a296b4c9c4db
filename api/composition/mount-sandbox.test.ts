/**
 * Access to the sandbox: absent when not needed, and limited to this server's users on a public address.
 *
 * @module-tag long
 */
import { afterEach, describe, expect, it } from 'vitest'
import { brand, owner, testServer, type TestServer } from '../testing/server.ts'

let server: TestServer | null = null
afterEach(async () => {
  await server?.remove()
  server = null
})

const apps = {
  FACEBOOK_APP_ID: 'a',
  FACEBOOK_APP_SECRET: 'b',
  INSTAGRAM_APP_ID: 'a',
  INSTAGRAM_APP_SECRET: 'b',
  LINKEDIN_CLIENT_ID: 'a',
  LINKEDIN_CLIENT_SECRET: 'b',
}
const production = {
  NODE_ENV: 'production',
  SESSION_SECRET: 's'.repeat(32),
  ENCRYPTION_KEY: 'a'.repeat(64),
  AUDIT_SIGNING_KEY: 'cd'.repeat(32),
}
const pages = [
  '/sandbox/',
  '/sandbox/feeds/facebook/61',
  '/sandbox/x/i/oauth2/authorize?state=s',
  '/sandbox/facebook/v25.0/dialog/oauth?state=s',
]
const statusesOf = (url: string, paths = pages, headers = {}) =>
  Promise.all(
    paths.map(async (path) => (await fetch(url + path, { headers: { connection: 'close', ...headers } })).status),
  )

describe('the sandbox', () => {
  it('is absent when every network is live', async () => {
    server = await testServer({ ...apps, X_CLIENT_ID: 'a', X_CLIENT_SECRET: 'b' })
    expect(server.sandboxed).toEqual([])
    expect(await statusesOf(server.url, ['/sandbox/', '/sandbox/x/2/users/me', '/sandbox/style.css'])).toEqual([
      404, 404, 404,
    ])
  })

  it('is present as long as one network needs it', async () => {
    server = await testServer(apps)
    expect(server.sandboxed).toEqual(['X (Twitter)'])
    expect(await statusesOf(server.url, ['/sandbox/', '/sandbox/x/2/users/me'])).toEqual([200, 401])
  })

  it('shows its pages to everyone on a local machine', async () => {
    server = await testServer()
    expect(await statusesOf(server.url)).toEqual([200, 404, 400, 400])
  })

  it.each([
    ['in production', production],
    ['at a public address', { PUBLIC_URL: 'http://social.example' }],
    ['on every interface', { HOST: '0.0.0.0' }],
  ])('%s shows its pages to signed-in users, and its networks still require keys', async (_, env) => {
    server = await testServer(env)
    const url = 'PUBLIC_URL' in env ? server.localUrl : server.url
    const answer = await fetch(`${url}/sandbox/`)
    expect({ status: answer.status, text: await answer.text() }).toEqual({
      status: 403,
      text: expect.stringContaining('Sign in to SocialAI'),
    })
    expect(await statusesOf(url)).toEqual([403, 403, 403, 403])
    expect(await statusesOf(url, pages, { cookie: 'socialai=forged' })).toEqual([403, 403, 403, 403])
    expect(await statusesOf(url, ['/sandbox/x/2/users/me', '/sandbox/style.css'])).toEqual([401, 200])
    const caller = await owner({ ...server, url })
    expect(await statusesOf(url, pages, { cookie: caller.cookie })).toEqual([200, 404, 400, 400])
    if (url === server.url) expect(await brand(caller, 'linkedin')).toMatchObject({ accountId: expect.any(String) })
  })
})
