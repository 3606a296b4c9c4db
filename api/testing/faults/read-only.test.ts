/**
 * Read-only folders and files, before the start and while the server runs.
 *
 * @module-tag long
 */
import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer } from '../server.ts'
import { canFreeze, onDisk, canMount, folder, postsOf, ready, running, writePosts } from './helpers.ts'

/** Also holds for root. */
function writeProtected(path: string): () => void {
  execFileSync('mount', ['--bind', path, path])
  let isMounted = true
  const end = () => {
    if (isMounted) execFileSync('umount', ['-l', path])
    isMounted = false
  }
  onTestFinished(end)
  execFileSync('mount', ['-o', 'remount,ro,bind', path])
  return end
}

async function withData(): Promise<{
  readonly dataDir: string
  readonly caller: ApiClient
  readonly clientId: string
}> {
  const dataDir = join(await folder(), 'data')
  const server = await testServer({ DATA_DIR: dataDir })
  const caller = await owner(server)
  const where = await brand(caller)
  await writePosts(caller, where, 5)
  await server.close()
  return { dataDir, caller, clientId: where.clientId }
}
const starting = (dataDir: string) => testServer({ DATA_DIR: dataDir })

describe.skipIf(!canMount || process.env['TEST_SHAPE'] === 'distributed')('A server without write permission', () => {
  it.each(['', 'events.db', 'records.db', 'views.db'])(
    'to its folder or file (%s) refuses to start with a reason, and starts once writing is allowed',
    async (name) => {
      const { dataDir, caller, clientId } = await withData()
      const mend = writeProtected(join(dataDir, name))
      await expect(starting(dataDir)).rejects.toThrow(
        new RegExp(
          `^\\S+${name === '' ? 'events.db' : name} can't be written: its disk, its folder or the file itself is read-only\\.$`,
        ),
      )
      mend()
      const server = await starting(dataDir)
      onTestFinished(() => server.close())
      const again = new ApiClient(server.url)
      again.cookie = caller.cookie
      expect(await postsOf(again, clientId)).toHaveLength(5)
    },
  )

  it('to an empty folder refuses to start with a reason', async () => {
    const dataDir = join(await folder(), 'data')
    await mkdir(dataDir)
    writeProtected(dataDir)
    await expect(starting(dataDir)).rejects.toThrow(/^\S+events\.db can't be opened: EROFS: read-only file system/)
  })
})

describe.skipIf(!canFreeze || process.env['TEST_SHAPE'] === 'distributed')(
  'A log that becomes read-only while the server runs',
  () => {
    it('makes commands answer 503 while reads continue; commands work again without a restart once it is writable [S91]', async () => {
      const dataDir = join(await folder(onDisk), 'data')
      const server = await running(dataDir, { LOG_LEVEL: 'silent' })
      const caller = await owner(server)
      const where = await brand(caller)
      const { acknowledged } = await writePosts(caller, where, 5)
      const log = join(dataDir, 'events.db-wal')
      execFileSync('chattr', ['+i', log])
      const mend = () => execFileSync('chattr', ['-i', log])
      try {
        const { refusal } = await writePosts(caller, where, 1)
        expect(refusal).toEqual({
          status: 503,
          text: 'The data store is not available right now. Nothing was changed; please try again.',
          retryAfter: '5',
        })
        expect((await postsOf(caller, where.clientId)).toSorted()).toEqual(acknowledged.toSorted())
      } finally {
        mend()
      }
      expect((await writePosts(caller, where, 1)).refusal).toBeNull()
      expect(await ready(server)).toBe('200 ready')
      expect(await postsOf(caller, where.clientId)).toHaveLength(6)
    })
  },
)
