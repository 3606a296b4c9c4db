/** The built web app as the server serves it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { productVersion } from '../runtime/version.ts'
import { testServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let webRoot: string

beforeAll(async () => {
  webRoot = await temporaryFolder('web')
  await mkdir(join(webRoot, 'assets'))
  const head = '<title>SocialAI</title><meta property="og:image" content="/og.png"><link rel="canonical" href="/">'
  const theme = `<meta name="color-scheme" content="light dark" />
    <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fff" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#111" />`
  await writeFile(join(webRoot, 'index.html'), `<!doctype html><html lang="en">${head}${theme}</html>`)
  const firstFiles = {
    landing: ['assets/landing.js'],
    signedIn: {
      '/': ['assets/dashboard.js'],
      '/clients/$id': ['assets/client.js'],
      '/calendar': ['assets/calendar.js'],
      '/reset-password': ['assets/reset.js'],
    },
  }
  await writeFile(join(webRoot, '.first-files.json'), JSON.stringify(firstFiles))
  await writeFile(join(webRoot, 'assets', 'app-abc.js'), 'export {}')
  server = await testServer({}, { webRoot })
})
afterAll(async () => {
  await server.remove()
  await removeFolder(webRoot)
})

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => fetch(server.url + path, { headers })
const signedIn = { Cookie: 'socialai=whoever' }

it.each(['/', '/clients', '/clients/0195a000-0000-7000-8000-000000000001?tab=posts', '/nowhere'])(
  '%s serves the app',
  async (path) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('<title>SocialAI</title>')
    expect(response.headers.get('cache-control')).toBe('no-cache')
  },
)
it('shared links have absolute addresses', async () => {
  const page = await (await get('/')).text()
  expect(page).toContain(`property="og:image" content="${server.url}/og.png"`)
  expect(page).toContain(`rel="canonical" href="${server.url}/"`)
})
it('a cached page is not sent again', async () => {
  const etag = (await get('/')).headers.get('etag') ?? ''
  expect((await get('/clients', { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' })).status).toBe(304)
})
it.each([
  ['theme=dark', 'data-theme="dark"', 'content="dark"', ['#111', '#111']],
  ['theme=light', 'data-theme="light"', 'content="light"', ['#fff', '#fff']],
  ['theme=other', 'lang="en">', 'content="light dark"', ['#fff', '#111']],
  ['', 'lang="en">', 'content="light dark"', ['#fff', '#111']],
])('the page for the cookie "%s" has its theme before any script runs [P14.10]', async (cookie, root, scheme, bars) => {
  const response = await get('/', { Cookie: cookie })
  const page = await response.text()
  expect(page).toMatch(new RegExp(`<html [^>]*${root}`))
  expect(page).toContain(`name="color-scheme" ${scheme}`)
  expect([...page.matchAll(/name="theme-color"[^>]*content="([^"]*)"/g)].map(([, color]) => color)).toEqual(bars)
})
it('a page that is cached in one theme is sent again in another', async () => {
  const etag = (await get('/', { Cookie: 'theme=dark' })).headers.get('etag') ?? ''
  const ask = (theme: string) =>
    get('/', { 'If-None-Match': etag, 'Cache-Control': 'max-age=0', Cookie: `theme=${theme}` })
  expect((await ask('dark')).status).toBe(304)
  expect((await ask('light')).status).toBe(200)
})
it.each(['br', 'gzip'])('a page is sent as %s to browsers that accept it', async (encoding) => {
  const response = await get('/', { 'Accept-Encoding': encoding })
  expect(response.headers.get('content-encoding')).toBe(encoding)
  expect(await response.text()).toContain('<title>SocialAI</title>')
})
// What Chromium sends.
it('a page is sent with Brotli to a browser that accepts it beside gzip', async () => {
  const response = await get('/', { 'Accept-Encoding': 'gzip, deflate, br, zstd' })
  expect(response.headers.get('content-encoding')).toBe('br')
})
it('a page is sent with gzip to a browser that refuses Brotli', async () => {
  const response = await get('/', { 'Accept-Encoding': 'gzip, br;q=0' })
  expect(response.headers.get('content-encoding')).toBe('gzip')
})
it("without a session, every page preloads the landing page's files", async () => {
  expect((await get('/clients')).headers.get('link')).toBe('</assets/landing.js>; rel=modulepreload')
})
it("a mailed link's page preloads its files", async () => {
  expect((await get('/reset-password')).headers.get('link')).toBe('</assets/reset.js>; rel=modulepreload')
})
it.each([
  ['/', 'dashboard'],
  ['/clients/7', 'client'],
])('with a session, the page preloads the files of %s and the current user', async (path, file) => {
  const link = (await get(path, signedIn)).headers.get('link') ?? ''
  expect(link).toContain(`</assets/${file}.js>; rel=modulepreload`)
  expect(link).toContain('</api/auth/user>; rel=preload; as=fetch; crossorigin=use-credentials')
})
it.each([
  ['', '', '?view=month'],
  [
    '?month=2026-03&client=0195a000-0000-7000-8000-00000000dead',
    '',
    '?view=month&month=2026-03&client=0195a000-0000-7000-8000-00000000dead',
  ],
  ['?day=2026-03-04', 'week.drafts', '?view=week&day=2026-03-04&drafts=true'],
  ['?view=list', 'week', '?view=list'],
  ['?client=%3E;%20rel', '', '?view=month'],
])('the page of /calendar%s preloads the posts of the kept view %j [P10.9]', async (search, kept, asked) => {
  const Cookie = `${signedIn.Cookie}; calendar=${kept}`
  const link = (await get(`/calendar${search}`, { Cookie })).headers.get('link') ?? ''
  expect(link).toContain(`</api/calendar${asked}>; rel=preload; as=fetch; crossorigin=use-credentials`)
  expect((await get('/calendar')).headers.get('link')).not.toContain('/api/')
})
const dataOf = (response: Response) =>
  [...(response.headers.get('link') ?? '').matchAll(/<(\/api\/[^>]*)>/g)].map(([, path]) => path)
it('the page of the dashboard preloads no list, which a user without an agency would be refused', async () => {
  expect(dataOf(await get('/', signedIn))).toEqual(['/api/auth/user', '/api/agency'])
})
it('the page of the dashboard preloads its lists in a browser that has shown the agency', async () => {
  const lists = ['/api/clients', '/api/dashboard', '/api/attention']
  const Cookie = `${signedIn.Cookie}; agency=open`
  expect(dataOf(await get('/', { Cookie }))).toEqual(['/api/auth/user', '/api/agency', ...lists])
  expect(dataOf(await get('/', { Cookie: 'agency=open' }))).toEqual([])
})
it('a session that is over costs the browser its agency cookie, so that its next page names no list', async () => {
  for (const path of ['/api/auth/user', '/api/agency', '/api/clients']) {
    const refused = await get(path, { Cookie: `${signedIn.Cookie}; agency=open` })
    expect(refused.status).toBe(401)
    expect(refused.headers.getSetCookie()).toEqual(['agency=; Path=/; SameSite=Lax; Max-Age=0'])
    expect((await get(path, signedIn)).headers.getSetCookie()).toEqual([])
  }
  // As the web asks for the user.
  const Cookie = `${signedIn.Cookie}; agency=open`
  const asked = await get('/api/auth/user', { Cookie, Prefer: 'handling=lenient' })
  expect([asked.status, asked.headers.getSetCookie()]).toEqual([204, ['agency=; Path=/; SameSite=Lax; Max-Age=0']])
  expect(dataOf(await get('/', signedIn))).toEqual(['/api/auth/user', '/api/agency'])
})
it('an unknown address preloads nothing', async () => {
  expect((await get('/nowhere', signedIn)).headers.get('link')).toBeNull()
})
it('the list of preloaded files is not public', async () => {
  expect((await get('/.first-files.json')).status).toBe(404)
})
it('a built file is cached forever', async () => {
  expect((await get('/assets/app-abc.js')).headers.get('cache-control')).toContain('immutable')
})
it('a file of an earlier build is a 404, not the page', async () => {
  const response = await get('/assets/app-old.css')
  expect(response.status).toBe(404)
  expect(await response.text()).toBe("This doesn't exist.")
})
it('every page has a policy against foreign and inline scripts [S39]', async () => {
  const policy = (await get('/')).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
})
it.each(['/', '/assets/app-abc.js', '/nothing.png', '/healthz', '/.well-known/jwks.json', '/media/nothing'])(
  '%s has headers against sniffing, framing, referrers, and the use of camera, location or payment',
  async (path) => {
    const { headers } = await get(path)
    expect({
      sniffed: headers.get('x-content-type-options'),
      framed: headers.get('x-frame-options'),
      referrer: headers.get('referrer-policy'),
      opener: headers.get('cross-origin-opener-policy'),
      server: headers.get('x-powered-by'),
    }).toEqual({
      sniffed: 'nosniff',
      framed: 'SAMEORIGIN',
      referrer: 'same-origin',
      opener: 'same-origin',
      server: null,
    })
    for (const feature of ['camera', 'geolocation', 'microphone', 'payment'])
      expect(headers.get('permissions-policy')).toContain(`${feature}=()`)
    // Over http, the header would lock the browser out.
    expect(headers.get('strict-transport-security')).toBeNull()
  },
)
it.each(['/api/auth/user', '/api/nothing', '/api/openapi.json'])(
  '%s has headers against sniffing, framing, referrers and scripts, and none that only pages need',
  async (path) => {
    const { headers } = await get(path)
    expect({
      sniffed: headers.get('x-content-type-options'),
      framed: headers.get('x-frame-options'),
      referrer: headers.get('referrer-policy'),
      read: headers.get('cross-origin-resource-policy'),
      policy: headers.get('content-security-policy'),
      permissions: headers.get('permissions-policy'),
    }).toEqual({
      sniffed: 'nosniff',
      framed: 'SAMEORIGIN',
      referrer: 'same-origin',
      read: 'same-origin',
      policy: "default-src 'none';frame-ancestors 'none'",
      permissions: null,
    })
  },
)
it('over https, HSTS is set', async () => {
  const secure = await testServer({ PUBLIC_URL: 'https://social.example' })
  for (const path of ['/healthz', '/api/auth/user']) {
    const { headers } = await fetch(`${secure.localUrl}${path}`)
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  }
  await secure.remove()
})
it.each(['/healthz', '/readyz'])("%s reports the server's health", async (path) => {
  expect((await get(path)).status).toBe(200)
})
it('/healthz tells the version', async () => {
  expect(await (await get('/healthz')).text()).toBe(`ok ${await productVersion()}`)
})
