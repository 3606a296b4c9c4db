/** What happens after a backup was restored: the log, what is shown of it, or both, from different days. */
import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiClient } from '../../http/client.ts'
import { owner, testServer, type TestServer } from '../../testing/server.ts'

const rebuilding = fileURLToPath(new URL('../../bin/projections.ts', import.meta.url))

describe.skipIf(process.env['TEST_SHAPE'] === 'distributed')('A server that starts after a restore', () => {
  let server: TestServer
  let caller: ApiClient
  beforeEach(async () => {
    server = await testServer()
    caller = await owner(server)
  })
  afterEach(() => server.remove())

  const file = (name: string) => join(server.dataDir, name)
  const add = (name: string) => caller.callOrThrow('addClient', { body: { name, industry: 'Tea' } })
  const names = async () => (await caller.callOrThrow('listClients')).map(({ name }) => name)
  const restart = async () => {
    server = await server.restart()
    const { cookie } = caller
    caller = new ApiClient(server.url)
    caller.cookie = cookie
  }
  /** As a backup tool would, while nothing runs. */
  const keep = async (name: string) => {
    await server.close()
    await copyFile(file(name), file(`${name}.kept`))
    await restart()
  }
  const restore = async (name: string) => {
    await server.close()
    for (const rest of ['-wal', '-shm']) await rm(file(name + rest), { force: true })
    await rename(file(`${name}.kept`), file(name))
  }
  const rebuild = () =>
    new Promise<number | null>((resolve) => {
      const env = { ...process.env, DATA_DIR: server.dataDir }
      spawn(process.execPath, ['--import', 'tsx', rebuilding, 'rebuild', '--all'], { env, stdio: 'ignore' }).on(
        'close',
        resolve,
      )
    })

  it('with older views shows all that the log has', async () => {
    await add('Before')
    await keep('views.db')
    await add('After')
    await restore('views.db')
    await restart()
    expect(await names()).toEqual(['After', 'Before'])
  })

  it('with an older log does not begin on views that know more than it, until they are made anew', async () => {
    await add('Before')
    await keep('events.db')
    await add('Lost')
    await restore('events.db')
    await expect(restart()).rejects.toThrow(
      /^The read models have more than the event log \(clients.*\), .*Nothing was started\. Make them anew with `npm run projections -- rebuild --all`/,
    )
    // Nobody is let in meanwhile: what they did would bring the log to where nobody can tell any more.
    await expect(restart()).rejects.toMatchObject({ name: 'StoreUnavailable' })
    expect(await rebuild()).toBe(0)
    await restart()
    expect(await names()).toEqual(['Before'])
    await add('Again')
    expect(await names()).toEqual(['Again', 'Before'])
  }, 30_000)
})
