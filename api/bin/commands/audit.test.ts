import { readFile, writeFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { SqliteFile } from '../../../domain/event-store/sqlite.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import * as audit from './audit.ts'
import { run as runCommandLine } from '../test/run.ts'
import { letter } from '../../features/auth/test/letters.ts'
import { agencyWithPast, type Past } from '../../features/audit/test/helpers.ts'

let server: TestServer
let past: Past
let agencyId: string
let userId: string
let folder: string
let keys: string

const email = 'somebody-to-forget@example.com'

beforeAll(async () => {
  server = await testServer()
  past = await agencyWithPast(server)
  agencyId = (await past.caller.callOrThrow('getAgency')).id
  folder = await temporaryFolder('audit')
  keys = await kept('keys.json', (await past.caller.get('/.well-known/jwks.json')).text)
  const { id } = await past.caller.callOrThrow('register', {
    body: { email, password: 'correct horse', firstName: 'Forgettable', lastName: 'Person' },
  })
  userId = id
  await past.caller.callOrThrow('forgotPassword', { body: { email } })
  await letter(server, email, /^Set a new password/)
  await past.caller.callOrThrow('openAgency', { body: { name: 'Soon over', email: 'contact-to-forget@example.com' } })
  await server.close()
})
afterAll(async () => {
  await removeFolder(server.dataDir)
  await removeFolder(folder)
})

async function kept(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}

function inFile(name: string, sql: string, ...values: readonly string[]): void {
  const file = new SqliteFile(join(server.dataDir, name), { synchronous: 'FULL' })
  file.prepare(sql).run([...values])
  file.close()
}

const run = (...args: readonly string[]) => runIn(server.dataDir, ...args)
const runIn = (dataDir: string, ...args: readonly string[]) => runCommandLine(audit, args, { DATA_DIR: dataDir })

describe('npm run audit', () => {
  it('shows the history of a post, and the post at an instant', async () => {
    const { text } = await run('history', past.postIds[0] ?? '')
    const approved = text.split('\n').find((line) => line.includes('PostApproved')) ?? ''
    expect(approved).toMatch(/^\S+Z +3 +PostApproved +user /)
    const then = await run('as-of', past.postIds[0] ?? '', approved.split(' ')[0] ?? '')
    expect(JSON.parse(then.text)).toMatchObject({ status: 'approved', content: 'Second version', revision: 3 })
    expect(await run('as-of', past.postIds[0] ?? '', 'yesterday')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('yesterday is not an instant'),
    })
    expect(await run('history', 'nobody')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('There is no post nobody.'),
    })
  })

  it('exports, and verifies the file with the public keys alone', async () => {
    const exported = await run('export', '--agency', agencyId)
    expect(exported.code).toBe(0)
    const file = await kept('export.jsonl', exported.text)
    expect(await run('verify', file, '--keys', keys)).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        /^An export of agency \S+: everything\.\nThe file is unchanged since its export on .*: \d+ events\.\n$/,
      ),
    })
    const tampered = await kept('tampered.jsonl', exported.text.replace('Second version', 'Another version'))
    expect(await run('verify', tampered, '--keys', keys)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^Line \d+: PostContentRevised, event 1 of post-.*, was changed\./),
    })
  })

  it(
    "finds an event that was changed in the log, and a stream's end that was removed since a checkpoint",
    { tags: 'long' },
    async () => {
      inFile('records.db', 'DELETE FROM r_audit_checkpoints')
      expect(await run('verify')).toMatchObject({
        code: 0,
        text: expect.stringContaining('There is no checkpoint to compare the log with'),
      })
      const checkpoint = await kept('checkpoint', (await run('checkpoint')).text)
      expect(await run('verify')).toMatchObject({
        code: 0,
        text: expect.stringContaining('keep one elsewhere, and give it with --checkpoint.'),
      })
      expect(await run('verify', '--checkpoint', checkpoint)).toMatchObject({
        code: 0,
        text: expect.stringMatching(
          /^The log still matches the given checkpoint of \S+: \d+ events, in their order\.$/m,
        ),
      })

      const stream = `post-${past.postIds[0]}`
      const log = (sql: string, ...values: readonly string[]) => inFile('events.db', sql, ...values)
      log("UPDATE events SET data = replace(data, 'Second', 'Third') WHERE stream = ? AND revision = 1", stream)
      expect(await run('verify')).toMatchObject({
        code: 1,
        text: `PostContentRevised, event 1 of ${stream}, was changed.\n`,
      })
      log("UPDATE events SET data = replace(data, 'Third', 'Second') WHERE stream = ? AND revision = 1", stream)
      expect((await run('verify')).code).toBe(0)

      log('CREATE TABLE aside AS SELECT * FROM events WHERE stream = ? AND revision = 4', stream)
      log('DELETE FROM events WHERE stream = ? AND revision = 4', stream)
      expect(await run('verify')).toMatchObject({
        code: 1,
        text: expect.stringMatching(/some were removed\.\nTo see which streams changed/),
      })
      const bare = await kept('bare.jws', JSON.parse((await readFile(checkpoint, 'utf8')).split('\n')[0] ?? '').signed)
      expect(await run('verify', '--checkpoint', bare)).toMatchObject({
        code: 1,
        text: expect.stringContaining('give a checkpoint made by npm run audit -- checkpoint'),
      })
      expect(await run('verify', '--checkpoint', checkpoint)).toMatchObject({
        code: 1,
        text: expect.stringContaining(
          `${stream} had 5 events when it was signed and has 4 now: 1 of them was removed.`,
        ),
      })
      log('INSERT INTO events SELECT * FROM aside')
      log('DROP TABLE aside')
      expect((await run('verify', '--checkpoint', checkpoint)).code).toBe(0)
    },
  )

  it(
    "erases a user from every file, to the last byte; the user's events stay in the log",
    { tags: 'long' },
    async () => {
      const present = async () => {
        const files = await readdir(server.dataDir, { recursive: true, withFileTypes: true })
        const found = []
        for (const file of files.filter((each) => each.isFile())) {
          const bytes = await readFile(join(file.parentPath, file.name))
          for (const words of [email, 'Forgettable', 'contact-to-forget@example.com'])
            if (bytes.includes(words)) found.push(`${file.name}: ${words}`)
        }
        return found
      }
      expect((await present()).length).toBeGreaterThanOrEqual(3)
      expect(await present()).toContainEqual(expect.stringContaining(`.eml: ${email}`))
      expect(await run('erase-user', userId)).toMatchObject({
        code: 0,
        text: expect.stringContaining('Erased the name, the email address, the password and 1 session.'),
      })
      expect(await present()).toEqual([])
      expect(await run('verify')).toMatchObject({ code: 0 })
      expect(await run('erase-user', userId)).toMatchObject({
        code: 0,
        text: expect.stringContaining('There is no user'),
      })
    },
  )

  it('signs with a new key after its rotation, and earlier signatures stay valid', async () => {
    const before = await kept('before.jsonl', (await run('export', '--agency', agencyId)).text)
    expect((await run('rotate-key')).code).toBe(0)
    const after = await kept('after.jsonl', (await run('export', '--agency', agencyId)).text)
    for (const file of [before, after]) expect((await run('verify', file)).code).toBe(0)
    expect(await run('verify', after, '--keys', keys)).toMatchObject({
      code: 1,
      text: expect.stringContaining('not among the given public keys'),
    })
  })

  it('explains each kind of wrong usage', async () => {
    const file = await kept('some.jsonl', '{}\n')
    const wrong: readonly (readonly [readonly string[], string])[] = [
      [['nonsense'], 'unknown command'],
      [['export'], 'required option'],
      [['verify', join(folder, 'nowhere'), '--keys', keys], 'There is no file '],
      [['verify', folder, '--keys', keys], 'is a folder, not a file.'],
      [['verify', file, '--keys', await kept('words', 'no keys')], 'has no public keys'],
      [['verify', file, '--keys', await kept('empty.json', '{}')], 'has no public keys'],
      [['verify', '--checkpoint', await kept('bad', '{bad')], "line 1 can't be read as part of one"],
      [['export', '--agency', agencyId, '--from', '2026-11-22 06:30'], '2026-11-22 06:30 is not an instant'],
      [['export', '--agency', 'nobody'], 'There is no agency nobody.'],
      [['export', '--agency', agencyId, '--client', 'nobody'], 'The agency never had a client nobody.'],
      [['as-of', past.postIds[0] ?? '', '2026-11-22 06:30'], '2026-11-22 06:30 is not an instant'],
    ]
    for (const [args, sentence] of wrong) {
      const { code, errors } = await run(...args)
      expect([args, code, errors]).toEqual([args, 2, expect.stringContaining(sentence)])
      expect(errors).not.toMatch(/^ +at /m)
    }
  }, 120_000)

  it('creates nothing in an empty place', async () => {
    const file = await kept('some.jsonl', '{}\n')
    const nowhere = join(folder, 'nowhere')
    expect(await runIn(nowhere, 'verify', file)).toMatchObject({
      code: 2,
      errors: expect.stringContaining("Give the server's public keys with --keys"),
    })
    for (const command of ['rotate-key', 'verify', 'checkpoint']) {
      expect(await runIn(nowhere, command)).toMatchObject({
        code: 3,
        errors: expect.stringContaining('There is no event log in '),
      })
    }
    await expect(readdir(nowhere)).rejects.toThrow('ENOENT')
  }, 60_000)

  it('creates no new key while another process has the log', async () => {
    const before = await readFile(join(server.dataDir, 'secrets', 'audit-signing-key'), 'utf8')
    const log = new SqliteFile(join(server.dataDir, 'events.db'), { synchronous: 'FULL' })
    expect(await run('rotate-key')).toMatchObject({ code: 3, errors: expect.stringContaining('is already running') })
    log.close()
    expect(await readFile(join(server.dataDir, 'secrets', 'audit-signing-key'), 'utf8')).toBe(before)
  }, 60_000)
})
