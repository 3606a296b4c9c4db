/**
 * `npm run backup` on the command line: on a running server, on a stopped one, and on tampered data.
 *
 * @module-tag long
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, existsSync, readFileSync } from 'node:fs'
import { open, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteFile } from '../../../domain/event-store/sqlite.ts'
import { png } from '../../features/media/test/helpers.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { backupsIn } from './manifest.ts'
import { restoringFolder } from './restore.ts'
import { byServer, filled, folderIn, forgotten, inOwnProcess, program, temporary, upload } from './test/helpers.ts'
import { compiled } from '../../../domain/test/compiled.ts'

describe.skipIf(process.env['TEST_SHAPE'] === 'distributed')('npm run backup', () => {
  let stopped: TestServer
  beforeEach(async () => {
    stopped = await testServer()
    await filled(stopped)
    await upload((await filled(stopped)).caller, png(50, 50, 9))
  })
  afterEach(() => stopped.remove())
  const inLog = (sql: string) => {
    const file = new SqliteFile(join(stopped.dataDir, 'events.db'), { synchronous: 'FULL' })
    file.exec(sql)
    file.close()
  }

  it('works on a running server and on a stopped one, and prints location, size and duration', async () => {
    const result = /^Backed up to (\S+): \d+ events, 3 images, \d+ MB, in \d+\.\d s\.\n$/
    const running = await program('backup', stopped.dataDir)
    expect(running).toMatchObject({ code: 0, text: expect.stringMatching(result), errors: '' })
    await stopped.close()
    const later = await program('backup', stopped.dataDir)
    expect(later).toMatchObject({ code: 0, text: expect.stringMatching(result), errors: '' })
    expect((await backupsIn(join(stopped.dataDir, 'backups'))).map(({ folder }) => folder)).toEqual(
      [running, later].map(({ text }) => folderIn(text)),
    )
  })

  it('makes one in another folder, with the server running or stopped', async () => {
    const elsewhere = await temporary()
    const running = await program('backup', stopped.dataDir, ['--to', elsewhere])
    expect(running).toMatchObject({ code: 0, errors: '' })
    await stopped.close()
    expect(await program('backup', stopped.dataDir, [`--to=${elsewhere}`])).toMatchObject({ code: 0, errors: '' })
    expect(await backupsIn(elsewhere)).toHaveLength(2)
    expect(await readdir(stopped.dataDir)).not.toContain('backups')
    await forgotten(elsewhere)
  })

  it('lists the secrets that it does not contain', async () => {
    await stopped.close()
    const { text } = await program('backup', stopped.dataDir, [], { ENCRYPTION_KEY: 'ab'.repeat(32) })
    expect(text).toContain(
      'The backup does not contain ENCRYPTION_KEY, because you set it yourself. Keep a copy elsewhere.\n',
    )
  })

  it('reports wrong usage, a folder without data, and a folder within the data', async () => {
    expect((await byServer(stopped.dataDir, 'backup', 'everything')).code).toBe(2)
    const nowhere = join(stopped.dataDir, 'nowhere')
    expect(await program('backup', nowhere)).toMatchObject({
      code: 3,
      errors: `There is no event log in ${nowhere}. Set DATA_DIR to the folder of your data.\nNo backup was made; the earlier ones are unchanged.\n`,
    })
    expect(await readdir(stopped.dataDir)).not.toContain('nowhere')
    const inData = join(stopped.dataDir, 'media', 'backups')
    expect(await byServer(stopped.dataDir, 'backup', '--to', inData)).toMatchObject({
      code: 2,
      text: expect.stringContaining(`${inData} is part of the data in DATA_DIR. Choose another folder.`),
    })
  })

  it('is not restored over the folder of a running server', async () => {
    const { caller, clientId } = await filled(stopped)
    const backup = folderIn((await byServer(stopped.dataDir, 'backup')).text)
    const { code, errors } = await inOwnProcess('restore', stopped.dataDir, [backup, '--replace'])
    expect({ code, errors }).toEqual({
      code: 3,
      errors: expect.stringMatching(/^Another SocialAI is already running on /),
    })
    expect(await caller.callOrThrow('listPosts', { params: { id: clientId } })).toHaveLength(2)
    expect(await readdir(stopped.dataDir)).not.toContain(restoringFolder)
  })

  it.skipIf(process.platform !== 'linux')('leaves no copying process behind when it is killed', async () => {
    await stopped.close()
    // Reading this image waits until it is opened for writing: the copying process is killed in the middle of its work.
    const image = join(stopped.dataDir, 'media', '0'.repeat(64))
    await promisify(execFile)('mkfifo', [image])
    const env = { ...process.env, DATA_DIR: stopped.dataDir, EVENTSTORE_URL: '', MONGODB_URL: '' }
    const child = spawn(process.execPath, [compiled('api/bin/command.ts'), 'backup'], { env, stdio: 'ignore' })
    const folder = join(stopped.dataDir, 'backups')
    const copied = async () =>
      (await readdir(folder, { recursive: true }).catch(() => [])).map((path) => basename(path))
    await expect.poll(copied, { timeout: 60_000 }).toContain('media')
    const copying = await childrenOf(child.pid)
    child.kill('SIGKILL')
    await once(child, 'exit')
    // A process ends only after its reads.
    const opened = await open(image, constants.O_RDWR)
    await expect.poll(() => copying.filter(isRunning), { timeout: 60_000 }).toEqual([])
    await opened.close()
    await rm(image)
    // The copying process stopped before it completed the backup.
    expect(await copied()).not.toContain('manifest.json')
    expect(await backupsIn(folder)).toEqual([])
    expect((await program('backup', stopped.dataDir)).code).toBe(0)
    expect(await readdir(folder)).toHaveLength(1)
  })

  it('backs up a tampered log with a warning, and never removes the last sound backup for it', async () => {
    const sound = folderIn((await program('backup', stopped.dataDir)).text)
    await stopped.close()
    inLog(
      `UPDATE events SET data = replace(data, 'With an image 0', 'With another one') WHERE data LIKE '%With an image 0%'`,
    )
    for (let at = 0; at < 3; at++) {
      const { code, errors } = await program('backup', stopped.dataDir, [], { BACKUPS_KEPT: '2' })
      expect({ code, errors }).toEqual({
        code: 1,
        errors: expect.stringMatching(/^\w+, event 0 of post-\S+, was changed\.$/m),
      })
    }
    const left = (await backupsIn(join(stopped.dataDir, 'backups'))).map(({ folder }) => folder)
    expect(left).toHaveLength(3)
    expect(left[0]).toBe(sound)
  })

  it('makes no backup of a file with corrupt pages, and names the file', async () => {
    await stopped.close()
    const file = await open(join(stopped.dataDir, 'records.db'), 'r+')
    await file.write(Buffer.alloc(3000, 0xa5), 0, 3000, 4096)
    await file.close()
    const { code, errors } = await program('backup', stopped.dataDir)
    expect({ code, errors }).toEqual({
      code: 3,
      errors: expect.stringMatching(
        /^records\.db is damaged \(.+\)\. Check the disk, and restore the newest backup\.\nNo backup was made; the earlier ones are unchanged\.\n$/,
      ),
    })
    expect(await readdir(join(stopped.dataDir, 'backups'))).toEqual([])
  })

  it.each<[string, (path: string) => Promise<unknown>, number | null]>([
    ['missing', (path) => rm(path), null],
    ['empty', (path) => truncate(path), 0],
  ])('makes none of a log whose records are %s: no server would start on it', async (_, harm, size) => {
    const whole = folderIn((await program('backup', stopped.dataDir)).text)
    await stopped.close()
    const records = join(stopped.dataDir, 'records.db')
    await harm(records)
    const { code, errors } = await program('backup', stopped.dataDir, [], { BACKUPS_KEPT: '1' })
    const sentence = `records.db is missing or empty in ${stopped.dataDir}, but there is an event log: no user could sign in. Put it back, or restore the newest backup.`
    expect({ code, errors }).toEqual({
      code: 3,
      errors: `${sentence}\nNo backup was made; the earlier ones are unchanged.\n`,
    })
    expect(await readdir(join(stopped.dataDir, 'backups'))).toEqual([basename(whole)])
    // The check must not make the file look intact to the next start.
    expect(
      await stat(records).then(
        (found) => found.size,
        () => null,
      ),
    ).toBe(size)
  })

  it.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    ['media', (path) => writeFile(path, ''), /^A file is in the place of a folder at \S+media\.$/m],
    ['secrets', (path) => writeFile(path, ''), /^A file is in the place of a folder at \S+secrets\.$/m],
    ['sandbox.db', (path) => symlink(path, path), /sandbox\.db/],
  ])('makes none where %s is there but can not be read: it would be missing in it', async (name, put, result) => {
    await stopped.close()
    const path = join(stopped.dataDir, name)
    await rm(path, { recursive: true })
    await put(path)
    const { code, errors } = await program('backup', stopped.dataDir)
    expect(code).toBeGreaterThan(1)
    expect(errors).toMatch(result)
    expect(await backupsIn(join(stopped.dataDir, 'backups'))).toEqual([])
  })
})

const childrenOf = async (pid = 0): Promise<readonly string[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
/** Not gone, and no zombie that waits for its parent. */
const isRunning = (pid: string) =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
