import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from '../../http/client.ts'
import { owner, testServer, type TestServer } from '../../testing/server.ts'
import { CantStore } from '../../core/cant-store.ts'
import { png } from './test/helpers.ts'

let server: TestServer
let caller: ApiClient
beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
})
afterAll(() => server.remove())

const blob = (bytes: Buffer, type: string) => new Blob([new Uint8Array(bytes)], { type })
const upload = (bytes: Buffer, type = 'image/png', headers: Readonly<Record<string, string>> = {}) =>
  caller.ask('uploadImage', { body: blob(bytes, type), headers })

describe('a server that cannot write images', () => {
  it('answers 503 with an explanation, and stores images again once it can', async () => {
    const folder = join(server.dataDir, 'media')
    await rename(folder, `${folder}-away`)
    try {
      const { status, text, headers } = await upload(png(91, 91))
      expect({ status, text }).toEqual({
        status: 503,
        text: "The image was not stored: this server can't keep images just now. Please try again later.",
      })
      expect(headers.get('retry-after')).toBe('60')
    } finally {
      await rename(`${folder}-away`, folder)
    }
    expect((await upload(png(91, 91))).status).toBe(201)
  })
  it('reports a full disk as such', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    expect(new CantStore(full).message).toBe(
      "The image was not stored, because this server's disk is full. Tell its operator.",
    )
  })
})
