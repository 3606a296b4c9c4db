/**
 * Lines of a log for which the disk has no room.
 *
 * @module-tag long
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { png } from '../../features/media/test/helpers.ts'
import { brand, owner } from '../server.ts'
import { canMount, folder, postsOf, smallDisk, writePosts } from './helpers.ts'
import { compiled } from '../../../domain/test/compiled.ts'

describe.skipIf(!canMount || process.env['TEST_SHAPE'] === 'distributed')('A full disk under the log file', () => {
  it('stops no request, and the server logs again once there is room', async () => {
    const logs = await smallDisk(1)
    const dataDir = await folder()
    const out = await open(join(logs.path, 'out'), 'a')
    const env = {
      ...process.env,
      NODE_ENV: 'test',
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      BACKUP: 'off',
      EVENTSTORE_URL: '',
      MONGODB_URL: '',
    }
    const child = spawn(process.execPath, [compiled('api/bin/start.ts')], {
      env,
      stdio: ['ignore', out.fd, out.fd],
    })
    const ended = once(child, 'close')
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await ended
      await out.close()
    })
    const said = () => readFile(join(logs.path, 'out'), 'utf8')
    await expect.poll(said).toMatch(/running on \S+\n/)
    const url = /running on (\S+)\n/.exec(await said())?.[1] ?? ''
    const caller = await owner({ url })
    const where = await brand(caller)
    // The log reports everything that can't be stored.
    await rename(join(dataDir, 'media'), join(dataDir, 'media-away'))
    const failing = async () =>
      (await caller.ask('uploadImage', { body: new Blob([new Uint8Array(png(77, 77))], { type: 'image/png' }) })).status
    await logs.fill()
    for (let at = 0; at < 20; at++) expect(await failing()).toBe(503)
    expect(((await said()).match(/Could not serve a request/g) ?? []).length).toBeLessThan(20)
    expect((await writePosts(caller, where, 3)).refusal).toBeNull()
    expect(await postsOf(caller, where.clientId)).toHaveLength(3)
    await logs.free()
    expect(await failing()).toBe(503)
    await expect.poll(async () => ((await said()).match(/Could not serve a request/g) ?? []).length).toBe(21)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})
