import { afterAll, beforeAll, expect, it } from 'vitest'
import type { UploadedImage } from '../../contract/index.ts'
import type { ApiClient } from '../../http/client.ts'
import { memberOf } from '../../testing/members.ts'
import { owner, testServer, type TestServer } from '../../testing/server.ts'
import { png } from '../media/test/helpers.ts'

let server: TestServer
let caller: ApiClient
beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
})
afterAll(() => server.remove())

const set = (logoUrl: string | null, color: string | null, by = caller) =>
  by.ask('brandAgency', { body: { logoUrl, color } })
const brand = async () => (await caller.callOrThrow('getAgency')).brand

it("The agency's brand is an uploaded image and a colour", async () => {
  expect(await brand()).toEqual({ logoUrl: null, color: null })
  const body = new Blob([new Uint8Array(png(120, 40))], { type: 'image/png' })
  const { url } = JSON.parse((await caller.ask('uploadImage', { body })).text) as UploadedImage
  expect((await set(url, '#1F6F54')).status).toBe(200)
  expect(await brand()).toEqual({ logoUrl: url, color: '#1f6f54' })
  expect((await set(null, '')).status).toBe(200)
  expect(await brand()).toEqual({ logoUrl: null, color: null })
})

it('An image from elsewhere is no logo, and only admins set the brand [S226]', async () => {
  expect((await set('https://example.com/logo.png', null)).status).toBe(409)
  expect((await set(`${server.url}/media/${'a'.repeat(64)}`, null)).status).toBe(409)
  expect((await set(null, 'red')).status).toBe(400)
  const { caller: manager } = await memberOf(server, caller, 'manager')
  expect((await set(null, '#000000', manager)).status).toBe(403)
})
