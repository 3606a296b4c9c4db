/**
 * A disk that fails beneath a running server: ext4 aborts its journal, as it does where the disk refuses a write.
 * `mount -o remount,abort` does that without a broken disk (Linux 6.18, Documentation/admin-guide/ext4.rst). A loop
 * device that becomes smaller ends in a kernel bug (`ext4_mb_use_inode_pa`, seen on 6.18.44), after which no other
 * file system of the machine is synchronized.
 *
 * @module-tag long
 */
import { execFileSync } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ApiClient } from '../../http/client.ts'
import { brand, owner } from '../server.ts'
import { canLoop, folder, postsOf, running, writePosts } from './helpers.ts'

/** A disk in a file. */
async function diskIn(image: string, at: string): Promise<void> {
  await mkdir(at, { recursive: true })
  const device = execFileSync('losetup', ['--find', '--show', image]).toString().trim()
  execFileSync('mount', [device, at])
  onTestFinished(() => {
    execFileSync('umount', ['-l', at])
    execFileSync('losetup', ['-d', device])
  })
}

describe.skipIf(!canLoop || process.env['TEST_SHAPE'] === 'distributed')('A disk that fails', () => {
  it('loses no acknowledged write: commands get a 503, reads are served from memory, and the server runs until it is stopped [S92]', async () => {
    const [image, kept] = [join(await folder(), 'disk'), join(await folder(), 'disk')]
    execFileSync('truncate', ['-s', '64M', image])
    execFileSync('mkfs.ext4', ['-q', image], { stdio: 'ignore' })
    const mounted = join(await folder(), 'mounted')
    await diskIn(image, mounted)
    const server = await running(join(mounted, 'data'), { LOG_LEVEL: 'silent' })
    const caller = await owner(server)
    const where = await brand(caller)
    const { acknowledged } = await writePosts(caller, where, 30)
    // What is on it at this moment is what a power cut would leave.
    await copyFile(image, kept)
    execFileSync('mount', ['-o', 'remount,abort', mounted])

    const { acknowledged: more, refusal } = await writePosts(caller, where, 1_000)
    expect(more).toEqual([])
    expect(refusal).toMatchObject({
      status: 503,
      text: 'The data store is not available right now. Nothing was changed; please try again.',
    })
    expect((await postsOf(caller, where.clientId)).toSorted()).toEqual(acknowledged.toSorted())
    expect(await server.kill('SIGTERM')).toBe(0)

    const again = join(await folder(), 'again')
    await diskIn(kept, again)
    const returned = await running(join(again, 'data'))
    const later = new ApiClient(returned.url)
    later.cookie = caller.cookie
    expect((await postsOf(later, where.clientId)).toSorted()).toEqual(acknowledged.toSorted())
    await returned.kill('SIGTERM')
  }, 90_000)
})
