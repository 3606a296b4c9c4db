/** JSON bodies are UTF-8: everything else is refused in a sentence, and nothing is altered without a word. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from './client.ts'
import { owner, testServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let caller: ApiClient
beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
})
afterAll(() => server.remove())

async function send(type: string, body: Uint8Array<ArrayBuffer>) {
  const headers = { 'Content-Type': type, Cookie: caller.cookie }
  const response = await fetch(`${server.url}/api/clients`, { method: 'POST', headers, body })
  return `${response.status} ${response.headers.get('content-type')?.includes('problem') ? ((await response.json()) as { detail: string }).detail : await response.text()}`
}
const named = (bytes: readonly number[]) =>
  Uint8Array.from([...Buffer.from('{"name":"'), ...bytes, ...Buffer.from('"}')])

describe('A JSON body', () => {
  it('with broken UTF-8 is refused and creates nothing [S29]', async () => {
    expect(await send('application/json', named([0xff, 0xfe]))).toMatch(/^400 .*not valid UTF-8/)
    expect(await caller.callOrThrow('listClients')).toEqual([])
  })
  it('in another charset is refused', async () => {
    expect(await send('application/json; charset=utf-16', named([0x61]))).toMatch(/^415 .*UTF-8/)
  })
  it('in UTF-8 is taken, with its charset named or not', async () => {
    expect(await send('application/json; charset="UTF-8"', named([0xc3, 0xa9]))).toMatch(/^201/)
    expect(await send('application/json', named([0xc3, 0xa8]))).toMatch(/^201/)
  })
})
