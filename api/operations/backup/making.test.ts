/**
 * What prevents a backup, and that a failed one neither removes an earlier one nor looks complete.
 *
 * @module-tag long
 */
import { execFileSync } from 'node:child_process'
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../domain/test/folder.ts'
import { openedHere, SqliteFile } from '../../../domain/event-store/sqlite.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { MovableClock } from '../../core/clock.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { openBackups, type Backups } from './backups.ts'
import { unfinished } from './files.ts'
import { backupsIn } from './manifest.ts'
import { filled, forgotten, program, temporary, type Kept } from './test/helpers.ts'

const never = new AbortController().signal
const canMount = process.getuid?.() === 0 && process.platform === 'linux'

let server: TestServer
let kept: Kept
let elsewhere: string
let clock: MovableClock
let backups: Backups

describe.skipIf(process.env['TEST_SHAPE'] === 'distributed')('A backup', () => {
  beforeAll(async () => {
    server = await testServer()
    kept = await filled(server)
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    elsewhere = await temporary()
    clock = new MovableClock('2026-03-01T10:00:00.000Z')
    backups = openedIn(elsewhere)
  })
  afterEach(() => forgotten(elsewhere))

  const openedIn = (folder: string) =>
    openBackups({ DATA_DIR: server.dataDir, BACKUP_DIR: folder, BACKUPS_KEPT: 3 }, clock)
  const there = async () => (await backupsIn(elsewhere)).map(({ at }) => at.slice(0, 10))
  const isWorking = async () =>
    expect((await kept.caller.ask('listPosts', { params: { id: kept.clientId } })).status).toBe(200)

  it('is one of as many as BACKUPS_KEPT says: the next one replaces the oldest', async () => {
    const removed: string[] = []
    for (let day = 1; day <= 4; day++) {
      removed.push(...(await backups.make(never)).removed.map(({ at }) => at.slice(0, 10)))
      clock.advance(24 * 3_600_000)
    }
    expect(removed).toEqual(['2026-03-01'])
    expect(await there()).toEqual(['2026-03-02', '2026-03-03', '2026-03-04'])
    expect(await readdir(elsewhere)).toHaveLength(3)
    expect((await backups.newest())?.slice(0, 10)).toBe('2026-03-04')
  })

  it("is made though files of an earlier one can't be removed, and names them", async () => {
    const leftover = join(elsewhere, `2026-02-28T10-00-00Z${unfinished}`)
    // A path that is longer than the system takes.
    const nest = 'for (const name of process.argv.slice(1)) { fs.mkdirSync(name); process.chdir(name) }'
    execFileSync(process.execPath, ['-e', nest, leftover, ...Array<string>(25).fill('x'.repeat(200))])
    try {
      for (let day = 1; day <= 4; day++) {
        expect(await backups.make(never)).toMatchObject({ left: [leftover] })
        clock.advance(24 * 3_600_000)
      }
      expect(await there()).toHaveLength(3)
    } finally {
      execFileSync('rm', ['-rf', leftover])
    }
  })

  it('of a clock that was ahead is not counted once the clock is right, and replaces no real one', async () => {
    clock.advance(300 * 24 * 3_600_000)
    for (let day = 1; day <= 2; day++) {
      await backups.make(never)
      clock.advance(24 * 3_600_000)
    }
    const ahead = await there()
    clock.advance(-302 * 24 * 3_600_000)
    for (let day = 1; day <= 4; day++) {
      const { removed, ofFuture } = await backups.make(never)
      expect(ofFuture.map(({ at }) => at.slice(0, 10))).toEqual(ahead)
      expect(removed.map(({ at }) => at.slice(0, 10))).toEqual(day === 4 ? ['2026-03-01'] : [])
      clock.advance(24 * 3_600_000)
    }
    expect(await there()).toEqual(['2026-03-02', '2026-03-03', '2026-03-04', ...ahead])
  })

  it("of another installation in the same folder is left alone, and is not this installation's newest", async () => {
    const other = await testServer()
    const theirs = openBackups({ DATA_DIR: other.dataDir, BACKUP_DIR: elsewhere, BACKUPS_KEPT: 1 }, clock)
    await filled(other)
    const mine = await backups.make(never)
    clock.advance(24 * 3_600_000)
    await theirs.make(never)
    clock.advance(24 * 3_600_000)
    expect((await theirs.make(never)).removed).toHaveLength(1)
    expect(await backups.newest()).toBe(mine.at)
    expect(await there()).toEqual(['2026-03-01', '2026-03-03'])
    expect(await program('restore', join(elsewhere, 'new'), ['latest'], { BACKUP_DIR: elsewhere })).toMatchObject({
      code: 2,
      errors: expect.stringContaining('has backups of several installations. Name the folder'),
    })
    await other.remove()
  })

  describe('of a folder that lost its data', () => {
    let lost: TestServer
    let empty: Backups
    beforeEach(async () => {
      lost = await testServer()
      empty = keeping(lost, 2)
    })
    afterEach(() => lost.remove())
    const keeping = ({ dataDir }: TestServer, kept: number) =>
      openBackups({ DATA_DIR: dataDir, BACKUP_DIR: elsewhere, BACKUPS_KEPT: kept }, clock)
    const made = async (by: Backups) => {
      const { at, manifest } = await by.make(never)
      clock.advance(24 * 3_600_000)
      return { day: at.slice(0, 10), events: manifest.log.events }
    }

    it('never replaces one with events; `latest` skips it, and names it', async () => {
      const real = [await made(backups), await made(backups)]
      const none = [await made(empty), await made(empty), await made(empty)]
      expect(none.map(({ events }) => events)).toEqual([0, 0, 0])
      expect(await there()).toEqual([...real.map(({ day }) => day), '2026-03-05'])
      const { code, text, errors } = await program('restore', join(elsewhere, 'new'), ['latest'], {
        BACKUP_DIR: elsewhere,
      })
      expect({ code, text }).toEqual({
        code: 0,
        text: expect.stringMatching(
          `^Restored the backup of 2026-03-02T\\S+ to \\S+: ${real[1]?.events} events, 2 images\\.\n`,
        ),
      })
      expect(errors).toMatch(/^\S+2026-03-05T\S+ is newer, but its log is empty\. To restore it, name its folder\.\n$/)
    })

    it('is removed first once there are backups with events, before or after it', async () => {
      for (const by of [backups, empty, keeping(server, 2)]) await made(by)
      expect(await there()).toEqual(['2026-03-01', '2026-03-03'])
      await made(empty)
      await filled(lost)
      for (const by of [empty, empty]) await made(by)
      expect(await there()).toEqual(['2026-03-01', '2026-03-03', '2026-03-05', '2026-03-06'])
    })

    it('does not count as the last sound backup', async () => {
      const one = keeping(server, 1)
      for (const by of [one, empty]) await made(by)
      const path = join(server.dataDir, 'media', kept.images[0]?.hash ?? '')
      const before = await overwrite(path, 'x')
      onTestFinished(async () => void (await overwrite(path, before)))
      expect((await one.make(never)).manifest.problems).toHaveLength(1)
      expect(await there()).toEqual(['2026-03-01', '2026-03-03'])
    })
  })

  it.each(['.', 'media', 'media/backups', 'secrets/b', 'events.db'])(
    'is refused for a folder inside the data (%s)',
    (within) => {
      expect(() => openedIn(join(server.dataDir, within))).toThrow(
        /is part of the data in DATA_DIR\. Choose another folder\.$/,
      )
    },
  )

  it('leaves nothing behind when it is interrupted, and the server continues', async () => {
    await backups.make(never)
    const interrupted = new AbortController()
    const making = backups.make(interrupted.signal)
    await expect
      .poll(async () => (await readdir(elsewhere)).some((name) => name.endsWith(unfinished)), { interval: 5 })
      .toBe(true)
    interrupted.abort()
    await expect(making).rejects.toMatchObject({ name: 'AbortError' })
    expect(await readdir(elsewhere)).toHaveLength(1)
    await isWorking()
    await backups.make(never)
    expect(await there()).toHaveLength(2)
  })

  it('that a crash left half made, or half removed, does not count, and the next one removes it', async () => {
    const half = join(elsewhere, `2026-02-28T10-00-00.000Z${unfinished}`)
    await mkdir(half)
    await writeFile(join(half, 'manifest.json'), '{}')
    expect(await backups.newest()).toBeNull()
    expect(await there()).toEqual([])
    await backups.make(never)
    expect(await readdir(elsewhere)).toEqual([expect.stringMatching(/^2026-03-01T10-00-0\d\.\d{3}Z$/)])
  })

  it('is made by one process at a time', async () => {
    const [one, other] = await Promise.allSettled([backups.make(never), backups.make(never)])
    expect([one.status, other]).toEqual([
      'fulfilled',
      {
        status: 'rejected',
        reason: expect.objectContaining({ name: 'CantBackUp', message: 'Another backup is running already.' }),
      },
    ])
  })

  it.skipIf(!canMount)('is not started when the disk has too little room, and reports how much it needs', async () => {
    const disk = await mounted('size=16m')
    await expect(openedIn(disk).make(never)).rejects.toThrow(
      /^There is not enough room for the backup: it needs \d+ MB, and \d+ MB are free\. Make room, or set BACKUP_DIR to a folder on another disk\.$/,
    )
    expect(await readdir(disk)).toEqual([])
    await isWorking()
  })

  it.skipIf(!canMount)('that fills the disk midway removes its own files, and leaves earlier ones intact', async () => {
    // Room for bytes, but not for names: the check of the free space can't detect this.
    const disk = await mounted('size=512m,nr_inodes=40')
    const first = await openedIn(disk).make(never)
    for (let at = 0; at < 40; at++) await writeFile(join(disk, `filler-${at}`), '').catch(() => undefined)
    for (const at of [1, 2, 3]) await rm(join(disk, `filler-${at}`))
    clock.advance(24 * 3_600_000)
    await expect(openedIn(disk).make(never)).rejects.toMatchObject({
      name: 'CantBackUp',
      message: expect.stringMatching(/^There is no room left on the disk at /),
    })
    expect((await readdir(disk)).filter((name) => !name.startsWith('filler'))).toHaveLength(1)
    expect((await program('restore', server.dataDir, [first.folder, '--to', join(elsewhere, 'restored')])).code).toBe(0)
    await isWorking()
  })

  it('takes an image that is damaged here from an earlier backup; an image without a sound copy is left out and named', async () => {
    const [image] = kept.images
    const path = join(server.dataDir, 'media', image?.hash ?? '')
    await backups.make(never)
    const before = await overwrite(path, 'x')
    onTestFinished(async () => void (await overwrite(path, before)))
    clock.advance(1000)
    expect((await backups.make(never)).manifest.problems).toEqual([])
    const alone = join(elsewhere, 'alone')
    const { manifest } = await openedIn(alone).make(never)
    expect(manifest.problems).toEqual([`The image ${image?.hash} is damaged and was left out.`])
    expect((await program('backup', server.dataDir, [], { BACKUP_DIR: join(elsewhere, 'third') })).code).toBe(1)
  })

  it('delays the scrubbing of erased data until it has ended', async () => {
    const file = join(elsewhere, 'records.db')
    const records = await openEmbeddedRecords(file)
    const release = openedHere(file)?.keepStill()
    let isScrubbed = false
    const scrubbing = records.scrub().then(() => (isScrubbed = true))
    // Without the wait, scrubbing would be done by now.
    await new Promise(setImmediate)
    expect(isScrubbed).toBe(false)
    release?.()
    await scrubbing
    await records.close()
  })

  it('copies a frozen file, however much is written meanwhile', async () => {
    const path = join(elsewhere, 'one.db')
    const file = new SqliteFile(path, { synchronous: 'FULL' })
    file.exec('CREATE TABLE t (text TEXT)')
    // More than the write-ahead log normally holds.
    const write = () =>
      file.transaction(() => {
        for (let at = 0; at < 3_000; at++) file.prepare('INSERT INTO t VALUES (?)').run(['x'.repeat(4_000)])
      })
    // In a separate process, like the copy: closing the file here would drop the lock.
    const digest = () => execFileSync('sha256sum', [path]).toString()
    const release = file.keepStill()
    const before = digest()
    write()
    expect(digest()).toBe(before)
    expect(() => file.keepStill()).toThrow('is being copied already')
    release()
    write()
    expect(digest()).not.toBe(before)
    file.close()
  })

  it('of a file that is closed meanwhile, and so changed, fails', async () => {
    const file = new SqliteFile(join(elsewhere, 'one.db'), { synchronous: 'FULL' })
    const release = file.keepStill()
    file.close()
    expect(release).toThrow(/is closed$/)
  })
})

/** Returns the previous content. */
async function overwrite(path: string, text: string): Promise<string> {
  const file = await open(path, 'r+')
  const before = Buffer.alloc(text.length)
  await file.read(before, 0, text.length, 20)
  await file.write(Buffer.from(text, 'latin1'), 0, text.length, 20)
  await file.close()
  return before.toString('latin1')
}

async function mounted(options: string): Promise<string> {
  const disk = await temporaryFolder('disk')
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk])
  onTestFinished(async () => {
    execFileSync('umount', [disk])
    await forgotten(disk)
  })
  return disk
}
