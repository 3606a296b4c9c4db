/**
 * A disk that fills up: refused commands, continuing reads, and recovery without a restart once there is room.
 *
 * @module-tag long
 */
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ApiClient } from '../../http/client.ts'
import { png } from '../../features/media/test/helpers.ts'
import { brand, owner, testServer, type TestServer } from '../server.ts'
import { canMount, folder, postsOf, ready, smallDisk, writePosts, type Disk } from './helpers.ts'

const noRoom = "There is no room left on this server's disk. Nothing was changed; please tell its operator."

/** A server with some of its files on a disk of its own. */
async function serverWith(disk: Disk, names: readonly string[]): Promise<TestServer> {
  const dataDir = await folder()
  for (const name of names) await symlink(join(disk.path, name), join(dataDir, name))
  return startedOn(dataDir)
}
async function startedOn(dataDir: string): Promise<TestServer> {
  const server = await testServer({ DATA_DIR: dataDir })
  onTestFinished(() => server.close())
  return server
}
const signIn = async (caller: ApiClient) =>
  caller.ask('login', { body: { email: (await caller.callOrThrow('getUser')).email, password: 'correct horse' } })

describe.skipIf(!canMount || process.env['TEST_SHAPE'] === 'distributed')('A full disk', () => {
  it('makes commands answer 503 while reads continue; no acknowledged write is lost, and commands work again once there is room [S90]', async () => {
    const disk = await smallDisk(32)
    const dataDir = join(disk.path, 'data')
    await mkdir(dataDir)
    const server = await startedOn(dataDir)
    const caller = await owner(server)
    const where = await brand(caller)
    const { acknowledged } = await writePosts(caller, where, 20)
    await disk.fill()
    const { acknowledged: more, refusal } = await writePosts(caller, where, 10_000)
    expect(refusal).toEqual({ status: 503, text: noRoom, retryAfter: '60' })
    acknowledged.push(...more)
    expect((await postsOf(caller, where.clientId)).toSorted()).toEqual(acknowledged.toSorted())
    expect((await caller.ask('getPostHistory', { params: { id: acknowledged[0] ?? '' } })).status).toBe(200)
    expect(
      await caller.ask('uploadImage', { body: new Blob([new Uint8Array(png(300, 300))], { type: 'image/png' }) }),
    ).toMatchObject({ status: 503, text: expect.stringContaining('disk is full') })

    await disk.free()
    await expect.poll(async () => (await writePosts(caller, where, 1)).refusal).toBeNull()
    await expect.poll(() => ready(server)).toBe('200 ready')
    expect(await postsOf(caller, where.clientId)).toHaveLength(acknowledged.length + 1)
    const again = await server.restart()
    onTestFinished(() => again.close())
    const returned = new ApiClient(again.url)
    returned.cookie = caller.cookie
    expect(await postsOf(returned, where.clientId)).toHaveLength(acknowledged.length + 1)
  })

  it('under the records refuses new sign-ins; signed-in users can continue or sign out', async () => {
    const disk = await smallDisk(8)
    const server = await serverWith(disk, ['records.db', 'records.db-wal'])
    const caller = await owner(server)
    const where = await brand(caller)
    await disk.fill()
    let refusal = await signIn(caller)
    for (let tries = 0; refusal.status === 200 && tries < 2_000; tries++) refusal = await signIn(caller)
    expect(refusal).toMatchObject({ status: 503, text: noRoom })
    expect((await writePosts(caller, where, 3)).refusal).toBeNull()
    const { email } = await caller.callOrThrow('getUser')
    expect(await caller.ask('logout')).toMatchObject({ status: 302 })
    expect(caller.cookie).toBe('socialai=')
    await disk.free()
    await expect
      .poll(async () => (await caller.ask('login', { body: { email, password: 'correct horse' } })).status)
      .toBe(200)
  })

  it('under the views loses no write; /readyz names the store without room, and the views catch up once there is room', async () => {
    const disk = await smallDisk(16)
    const server = await serverWith(disk, ['views.db', 'views.db-wal'])
    const caller = await owner(server)
    const where = await brand(caller)
    await writePosts(caller, where, 5)
    await disk.fill()
    const before = (await postsOf(caller, where.clientId)).length
    let written = 0
    while ((await ready(server)) === '200 ready' && written < 10_000) {
      expect((await writePosts(caller, where, 1, 'y'.repeat(2_000))).refusal).toBeNull()
      written += 1
    }
    expect(await ready(server)).toMatch(
      /^503 .*is failing: There is no room left on the disk for \S+views\.db\. Make room; no restart is needed\.$/m,
    )
    expect((await postsOf(caller, where.clientId)).length).toBeGreaterThanOrEqual(before)
    await disk.free()
    await expect.poll(() => ready(server)).toBe('200 ready')
    await expect.poll(async () => (await postsOf(caller, where.clientId)).length).toBe(before + written)
  })
})
