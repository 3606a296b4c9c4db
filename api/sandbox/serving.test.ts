/** The connectors' tests rely on this: every request is recorded as it was sent. */
import { expect, it } from 'vitest'
import { freshSandbox, png } from './test/raw.ts'
import { redirectUri } from './test/serving.ts'

const raw = freshSandbox()
const { ask } = raw
const app = { client_id: 'app', client_secret: 'secret' }

it('The sandbox records the requests to the networks, with parsed bodies and counted files, but not admin requests', async () => {
  const scope = 'pages_show_list,pages_manage_posts'
  const code =
    (await raw.consent('/facebook/v25.0/dialog/oauth', { scope }, ['Blue Cup'])).searchParams.get('code') ?? ''
  const short = await ask('/facebook/v25.0/oauth/access_token', { form: { ...app, redirect_uri: redirectUri, code } })
  const long = await ask('/facebook/v25.0/oauth/access_token', {
    form: { ...app, grant_type: 'fb_exchange_token', fb_exchange_token: String(short.body['access_token']) },
  })
  const pages = await ask('/facebook/v25.0/me/accounts?fields=id,access_token', {
    key: String(long.body['access_token']),
  })
  const [id, key] = [String(pages.body['data']?.[0]?.['id']), String(pages.body['data']?.[0]?.['access_token'])]
  const before = raw.sandbox.requests().length
  await raw.sandbox.plan('facebook', 'Blue Cup', { kind: 'slow' })
  const data = new FormData()
  data.set('published', 'false')
  data.set('source', new Blob([png], { type: 'image/png' }), 'a.png')
  await ask(`/facebook/v25.0/${id}/photos?a=b`, { key, data })
  await ask('/x/2/tweets', { key: 'k', json: { text: 'hi' } })
  await ask('/')
  expect(raw.sandbox.requests().slice(before)).toMatchObject([
    {
      method: 'POST',
      path: `/facebook/v25.0/${id}/photos`,
      query: { a: 'b' },
      headers: { authorization: `Bearer ${key}` },
      body: { published: 'false', source: { name: 'a.png', type: 'image/png', bytes: png.length } },
    },
    // Without a valid token no body is read.
    { method: 'POST', path: '/x/2/tweets', query: {}, headers: { authorization: 'Bearer k' }, body: null },
  ])
})
