/** `npm run demo`, then `npm start`, on the built server. */
import { expect, test } from '@playwright/test'
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { ApiClient } from '../api/http/client.ts'
import { freePort } from '../domain/test/free-port.ts'
import { startProcess } from './process.ts'

const runDemo = (dataDir: string, port: number) =>
  promisify(execFile)(process.execPath, [resolve('dist/api/bin/demo/main.js')], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port) },
  })

let folder: string
test.beforeEach(async () => {
  folder = await temporaryFolder('demo')
})
test.afterEach(() => removeFolder(folder))

test('links of published demo posts lead to the running server [P6.1]', async () => {
  const port = await freePort()
  await runDemo(folder, port)
  const server = startProcess(port, folder)
  try {
    await server.ready
    const caller = new ApiClient(server.url)
    await caller.callOrThrow('login', { body: { email: 'demo@northstar.example', password: 'north-star-demo' } })
    const [client] = await caller.callOrThrow('listClients')
    const posts = await caller.callOrThrow('listPosts', { params: { id: client?.id ?? '' } })
    const published = posts.find(({ status }) => status === 'published')
    expect(published?.url).toContain(`${server.url}/sandbox/`)
    expect((await fetch(published?.url ?? '')).status).toBe(200)
  } finally {
    await server.stop()
  }
})

test('a demo on a port in use says so and writes nothing', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => taken.once('listening', listening))
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await expect(runDemo(folder, port)).rejects.toMatchObject({
    stderr: expect.stringContaining('is in use by another program'),
  })
  expect(await readdir(folder)).toEqual([])
  taken.close()
})
