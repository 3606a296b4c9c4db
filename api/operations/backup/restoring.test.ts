/**
 * A server's start after a restore of the log, the views, or both, from different days.
 *
 * @module-tag long
 */
import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as projections from '../../bin/commands/projections.ts'
import { run } from '../../bin/test/run.ts'
import { ApiClient } from '../../http/client.ts'
import { owner, testServer, type TestServer } from '../../testing/server.ts'

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
  /** Copies the file like a backup tool while no server runs. */
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
  const rebuild = async () => (await run(projections, ['rebuild', '--all'], { DATA_DIR: server.dataDir })).code

  it('with older views shows everything in the log', async () => {
    await add('Before')
    await keep('views.db')
    await add('After')
    await restore('views.db')
    await restart()
    expect(await names()).toEqual(['After', 'Before'])
  })

  it('with an older log refuses views that are ahead of it, until they are rebuilt', async () => {
    await add('Before')
    await keep('events.db')
    await add('Lost')
    await restore('events.db')
    await expect(restart()).rejects.toThrow(
      /^The read models are ahead of the event log \(clients.*\), .*Nothing was started\. Rebuild them with `npm run projections -- rebuild --all`/,
    )
    // No request is served meanwhile: new events would make the mismatch undetectable.
    await expect(restart()).rejects.toMatchObject({ name: 'StoreUnavailable' })
    expect(await rebuild()).toBe(0)
    await restart()
    expect(await names()).toEqual(['Before'])
    await add('Again')
    expect(await names()).toEqual(['Again', 'Before'])
  }, 30_000)
})
