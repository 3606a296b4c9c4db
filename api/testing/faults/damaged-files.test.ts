/**
 * Damaged, emptied and missing files: what the start reports of each, and what continues.
 *
 * @module-tag long
 */
import { cp, mkdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../server.ts'
import { folder, garble, postsOf, ready, refused, running, writePosts, type Writing } from './helpers.ts'

const page = 4096

describe.skipIf(process.env['TEST_SHAPE'] === 'distributed')(
  'A server whose files were changed while it was stopped',
  () => {
    let whole: TestServer
    let cookie: string
    let where: Writing
    let posts: readonly string[]
    let dataDir: string
    beforeAll(async () => {
      whole = await testServer()
      const caller = await owner(whole)
      where = await brand(caller)
      await writePosts(caller, where, 60)
      posts = await postsOf(caller, where.clientId)
      cookie = caller.cookie
      await whole.close()
    })
    afterAll(() => rm(whole.dataDir, { recursive: true, force: true }))
    beforeEach(async () => {
      dataDir = join(await folder(), 'data')
      await cp(whole.dataDir, dataDir, { recursive: true })
    })
    const file = (name: string) => join(dataDir, name)
    const zeroed = async (path: string) => writeFile(path, Buffer.alloc((await stat(path)).size))
    const notOne = (path: string) => writeFile(path, 'This is a letter, not a database. '.repeat(300))
    const folderInstead = async (path: string) => {
      await rm(path)
      await mkdir(path)
    }
    const restoreIt = 'Stop the server, and restore the newest backup with npm run restore.'
    const lost =
      'Nothing was started. The log is empty: it was lost, or DATA_DIR names the wrong folder. Restore the newest backup with `npm run restore -- latest --replace`.'

    it.each<[string, string, (path: string) => Promise<unknown>, string | RegExp]>([
      ['no log', 'events.db', (path) => rm(path), lost],
      ['an empty log', 'events.db', (path) => truncate(path), lost],
      ['a log of zeros', 'events.db', zeroed, `events.db is damaged (file is not a database). ${restoreIt}`],
      ['a log that is none', 'events.db', notOne, `events.db is damaged (file is not a database). ${restoreIt}`],
      [
        'a log whose tables can not be found',
        'events.db',
        (path) => garble(path, page, page),
        `events.db is damaged (database disk image is malformed). ${restoreIt}`,
      ],
      ['a folder for a log', 'events.db', folderInstead, /events\.db can't be opened: it is a folder$/],
      [
        'no records',
        'records.db',
        (path) => rm(path),
        'records.db is missing or empty, but there is an event log: no user could sign in, and no account would be connected. Put it back, or restore the newest backup with npm run restore.',
      ],
      ['empty records', 'records.db', (path) => truncate(path), 'records.db is missing or empty'],
      ['records that are none', 'records.db', notOne, `records.db is damaged (file is not a database). ${restoreIt}`],
      [
        'views that are none',
        'views.db',
        notOne,
        'views.db is damaged (file is not a database). Stop the server and remove it: the next start rebuilds it from the log.',
      ],
      ['a sandbox that is none', 'sandbox.db', notOne, `sandbox.db is damaged (file is not a database). ${restoreIt}`],
      [
        'a file for the images',
        'media',
        async (path) => (await rm(path, { recursive: true }), writeFile(path, '')),
        /media can't be used as a folder \(EEXIST\)$/,
      ],
      [
        'half a key',
        'secrets/encryption-key',
        (path) => truncate(path, 10),
        'encryption-key is damaged: expected 64 hexadecimal digits. Restore it from a backup.',
      ],
    ])('and that has %s says so in a sentence, and does not start', async (_, name, harm, sentence) => {
      await harm(file(name))
      await expect(testServer({ DATA_DIR: dataDir })).rejects.toThrow(sentence)
    })

    it.each(['events.db', 'records.db'])(
      'and that has no %s refuses to start each time, and creates no empty file in its place',
      async (name) => {
        await rm(file(name))
        for (const _ of [1, 2])
          await expect(testServer({ DATA_DIR: dataDir })).rejects.toThrow(
            name === 'events.db' ? lost : 'records.db is missing or empty',
          )
      },
    )

    it('and that has no log prints only the error and exits with code 1', async () => {
      await rm(file('events.db'))
      const { code, output } = await refused(dataDir)
      expect({ code, lines: output.trim().split('\n') }).toEqual({ code: 1, lines: [expect.stringContaining(lost)] })
    })

    it('and that has no views rebuilds them from the log', async () => {
      await rm(file('views.db'))
      const server = await running(dataDir)
      const caller = new ApiClient(server.url)
      caller.cookie = cookie
      expect(await postsOf(caller, where.clientId)).toEqual(posts)
      expect(await ready(server)).toBe('200 ready')
    })

    it('and whose log is damaged in the middle serves reads, refuses commands with a reason, and names the damaged file in /readyz [S94]', async () => {
      const path = file('events.db')
      // All but the first pages, by which the tables are found.
      await garble(path, 4 * page, (await stat(path)).size - 5 * page)
      const server = await running(dataDir)
      const caller = new ApiClient(server.url)
      caller.cookie = cookie
      expect(await postsOf(caller, where.clientId)).toEqual(posts)
      const { refusal } = await writePosts(caller, where, 1)
      expect(refusal).toEqual({
        status: 503,
        text: "Something that this server keeps can't be read, so this can't be done. Nothing was changed; please tell its operator.",
        retryAfter: null,
      })
      expect(await ready(server)).toMatch(
        /^503 .*is failing: \S+events\.db is damaged \(database disk image is malformed\)\. Stop the server, and restore the newest backup/m,
      )
      expect(await server.kill('SIGTERM')).toBe(0)
    })
  },
)
