/** The built web app as the server hands it out. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testServer, type TestServer } from './testing.ts'

let server: TestServer
let webRoot: string

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'web-'))
  await mkdir(join(webRoot, 'assets'))
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>SocialAI</title>')
  await writeFile(join(webRoot, 'assets', 'app-abc.js'), 'export {}')
  server = await testServer({}, { webRoot })
})
afterAll(async () => {
  await server.remove()
  await rm(webRoot, { recursive: true })
})

const get = (path: string) => fetch(server.url + path)

it.each(['/', '/clients', '/clients/0195a000-0000-7000-8000-000000000001?tab=posts', '/nowhere'])('%s is the app', async (path) => {
  const response = await get(path)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('<title>SocialAI</title>')
  expect(response.headers.get('cache-control')).toBe('no-cache')
})
it('a built file is kept for ever', async () => {
  expect((await get('/assets/app-abc.js')).headers.get('cache-control')).toContain('immutable')
})
it('a file of an earlier build is a 404, not the page in disguise', async () => {
  const response = await get('/assets/app-old.css')
  expect(response.status).toBe(404)
  expect(await response.text()).toBe("This doesn't exist.")
})
it('every page comes with a policy that runs no foreign and no inline script', async () => {
  const policy = (await get('/')).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  expect(policy).toContain("frame-ancestors 'none'")
})
it.each(['/healthz', '/readyz'])('%s says how it is', async (path) => {
  expect((await get(path)).status).toBe(200)
})
