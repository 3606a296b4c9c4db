/** A backup of EventStoreDB and MongoDB while people work, and its way back into empty stores or into a folder. */
import { execFile } from 'node:child_process'
import { cp, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { openEventStoreDB } from '../../../domain/event-store/eventstoredb.ts'
import { event } from '../../../domain/event-store/test/samples.ts'
import { connectMongo } from '../../../projections/read-store/mongodb-connection.ts'
import { hasMongo } from '../../../projections/read-store/test/mongodb.ts'
import * as audit from '../../bin/commands/audit.ts'
import * as move from '../../bin/commands/move.ts'
import { run, type Ran } from '../../bin/test/run.ts'
import { openServers, startProcess } from '../../composition/distributed.ts'
import { openEmbeddedOrigin } from '../../composition/embedded-origin.ts'
import { later } from '../../core/clock.ts'
import { ApiClient } from '../../http/client.ts'
import { readConfig } from '../../runtime/config.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { backupsIn, readManifest } from './manifest.ts'
import { linesOfLog } from './test/digests.ts'
import { filled, folderIn, forgotten, modesIn, program, temporary, type Kept } from './test/helpers.ts'
import { digestsIn, isEmpty, newStores, removeStores, start, type SharedTestStores } from './test/shared-stores.ts'

const secrets = { SESSION_SECRET: 's'.repeat(32), ENCRYPTION_KEY: 'ab'.repeat(32), AUDIT_SIGNING_KEY: 'cd'.repeat(32) }

describe.skipIf(!hasMongo || process.env['TEST_SHAPE'] === 'distributed')(
  'A backup of EventStoreDB and MongoDB',
  () => {
    let folder: string
    let backups: string
    let source: SharedTestStores
    let server: TestServer
    let kept: Kept
    let email: string
    const acknowledged = new Set<string>()
    let before: readonly string[]
    /** Made while people worked. */
    let backup: string
    /** What the command said. */
    let said: Ran

    const write = async (content: string) =>
      (
        await kept.caller.callOrThrow('writePost', {
          params: { id: kept.clientId },
          body: { socialAccountId: kept.accountId, content },
        })
      ).id
    const serverOn = ({ env }: SharedTestStores, dataDir: string) =>
      testServer({ ...secrets, DATA_DIR: dataDir }, { openStores: () => openServers(env) })
    const backUp = (...args: readonly string[]) =>
      program('backup', join(folder, 'data'), ['--to', backups, ...args], source.env)
    const restoreTo = ({ env }: SharedTestStores, from: string, ...args: readonly string[]) =>
      program('restore', join(folder, 'data'), [from, ...args], { ...env, BACKUP_DIR: backups })

    const begin = (args: readonly string[], { env }: SharedTestStores) =>
      start(args, { ...env, DATA_DIR: join(folder, 'data'), BACKUP_DIR: backups })
    const unfinishedIn = async () => (await readdir(backups)).filter((name) => name.endsWith('.unfinished'))

    beforeAll(async () => {
      folder = await temporary()
      backups = join(folder, 'backups')
      source = await newStores()
      const embedded = await testServer({ ...secrets, DATA_DIR: join(folder, 'data') })
      const { caller, ...rest } = await filled(embedded)
      kept = { caller, ...rest }
      email = (await caller.callOrThrow('getUser')).email
      await Promise.all(Array.from({ length: 20 }, (_, n) => write(`Post ${n} before the move`)))
      await embedded.close()
      expect(await run(move, [], { ...source.env, DATA_DIR: join(folder, 'data') })).toMatchObject({ code: 0 })
      server = await serverOn(source, join(folder, 'data'))
      const { cookie } = caller
      kept = { ...rest, caller: new ApiClient(server.url) }
      kept.caller.cookie = cookie
      const other = openEventStoreDB(source.events.url)
      // Another program on the same server.
      const { name, data } = event('InvoiceSent')
      const metadata = { eventId: event().metadata.eventId } as ReturnType<typeof event>['metadata']
      await other.append('invoice-1', 'no-stream', [{ name, data, metadata }])
      await other.close()
      const over = new AbortController()
      const writer = async () => {
        while (!over.signal.aborted) acknowledged.add(await write(`Post ${acknowledged.size}`))
      }
      const writing = [writer(), writer()]
      await vi.waitUntil(() => acknowledged.size > 4, patience)
      before = [...acknowledged]
      said = await backUp()
      over.abort()
      await Promise.all(writing)
      backup = folderIn(said.text)
    })

    afterAll(async () => {
      await server.close()
      await removeStores()
      await forgotten(folder)
    })

    it('is made while commands are acknowledged, and has the format of the backup of a folder [P19.1]', async () => {
      expect(said).toMatchObject({
        code: 0,
        text: expect.stringMatching(
          /^Work done: .*\nLog: copied, \d+ events .*\nRecords: .*\nPositions: .*\nImages: copied, 2 images .*\nBacked up to \S+: \d+ events, 2 images, \d+ MB, in [\d.]+ s\.\nThe backup does not contain SESSION_SECRET, ENCRYPTION_KEY, AUDIT_SIGNING_KEY, /,
        ),
        errors: '',
      })
      expect(acknowledged.size).toBeGreaterThan(before.length)
      expect((await stat(backup)).mode & 0o777).toBe(0o700)
      const modes = await modesIn(backup)
      expect([...modes.keys()].sort()).toEqual(
        ['events.db', 'manifest.json', 'media', ...kept.images.map(({ hash }) => `media/${hash}`), 'records.db'].sort(),
      )
      expect([...modes].filter(([path, mode]) => mode !== (path === 'media' ? 0o700 : 0o600))).toEqual([])
      expect(await readManifest(backup)).toMatchObject({ format: 1, problems: [] })
    })

    it('has every command acknowledged before it, and all that its log needs [P19.2]', async () => {
      const target = join(folder, 'restored')
      expect(await program('restore', target, [backup, '--to', target], source.env)).toMatchObject({
        code: 0,
        text: expect.stringContaining('The backup has no keys. Give the server the SESSION_SECRET'),
      })
      const origin = await openEmbeddedOrigin(target)
      const streams = new Set((await linesOfLog(origin.events)).map((line) => JSON.parse(line).stream))
      await origin.close()
      expect(before.filter((id) => !streams.has(`post-${id}`))).toEqual([])
      expect(await run(audit, ['verify'], { DATA_DIR: target, ...secrets })).toMatchObject({ code: 0 })
    })

    describe('of an installation at rest', () => {
      let whole: Awaited<ReturnType<typeof digestsIn>>
      let still: string
      beforeAll(async () => {
        await server.close()
        whole = await digestsIn(source)
        const made = await backUp()
        expect(made).toMatchObject({ code: 0, errors: '' })
        still = folderIn(made.text)
      })

      it('is the same digest for digest in a folder, where work goes on [P19.3]', async () => {
        const target = join(folder, 'same')
        expect(await program('restore', target, [still, '--to', target])).toMatchObject({ code: 0 })
        expect(await digestsIn(target)).toEqual(whole)
        // A file of the sandbox, as the networks are others' in production.
        await cp(join(folder, 'data', 'sandbox.db'), join(target, 'sandbox.db'))
        const there = await testServer({ ...secrets, DATA_DIR: target })
        try {
          const caller = new ApiClient(there.url)
          await caller.callOrThrow('login', { body: { email, password: 'correct horse' } })
          kept = { ...kept, caller }
          const id = await write('After the restore')
          const scheduledFor = later(there.clock.now(), 60_000)
          await caller.callOrThrow('changePost', { params: { id }, body: { status: 'scheduled', scheduledFor } })
          there.clock.advance(120_000)
          const status = async () => (await caller.callOrThrow('getPost', { params: { id } })).status
          await expect.poll(status, patience).toBe('published')
        } finally {
          await there.close()
        }
      })

      it('is the same digest for digest in other stores [P19.4]', async () => {
        const empty = await newStores()
        expect(await restoreTo(empty, still)).toMatchObject({
          code: 0,
          text: expect.stringMatching(
            /Restored the backup of \S+ to EVENTSTORE_URL and MONGODB_URL: \d+ events, \d+ records, 2 images\./,
          ),
        })
        expect(await digestsIn(empty)).toEqual(whole)
      })

      it('shares images with an earlier backup', async () => {
        const [{ hash = '' } = {}] = kept.images
        expect((await stat(join(still, 'media', hash))).nlink).toBeGreaterThan(1)
      })

      it('is not restored onto stores in use: nothing changes there [P19.5]', async () => {
        const entries = source.events.log.entries.length
        expect(await restoreTo(source, still)).toMatchObject({
          code: 2,
          errors: expect.stringContaining('Nothing was changed.'),
        })
        const half = await newStores()
        const mongo = connectMongo(half.database)
        await mongo.run((db) => db.collection('invoices').insertOne({ name: 'one' }))
        await mongo.close()
        expect(await restoreTo(half, still)).toMatchObject({
          code: 2,
          errors: expect.stringContaining('is in use already (it has invoices)'),
        })
        expect([source.events.log.entries.length, half.events.log.entries.length]).toEqual([entries, 0])
        expect(await digestsIn(source)).toEqual(whole)
      })

      it.each(['events.db', 'records.db', 'media'])(
        'is refused where %s is damaged: both stores stay empty [P19.6]',
        async (name) => {
          const damaged = join(folder, `damaged-${name}`)
          await cp(still, damaged, { recursive: true })
          const path = name === 'media' ? `media/${kept.images[0]?.hash}` : name
          const file = await open(join(damaged, path), 'r+')
          const byte = Buffer.alloc(1)
          await file.read(byte, 0, 1, 30)
          await file.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, 30)
          await file.close()
          const empty = await newStores()
          expect(await restoreTo(empty, damaged)).toMatchObject({
            code: 1,
            errors: expect.stringContaining(`nothing was restored:\n  ${path} is missing or was changed\n`),
          })
          expect(await isEmpty(empty)).toBe(true)
        },
      )

      it.each(['events.db', 'media'])(
        'killed when it had begun %s, is no backup, and the next one is whole [P19.7]',
        async (stage) => {
          const there = await backupsIn(backups)
          const { child, ended } = begin(['backup', '--to', backups], source)
          const reached = async () =>
            (await readdir(backups, { recursive: true })).some((path) => path.endsWith(`.unfinished/${stage}`))
          await vi.waitUntil(reached, { ...patience, interval: 1 })
          child.kill('SIGKILL')
          await ended
          const left = await unfinishedIn()
          expect(left).toHaveLength(1)
          expect(await backupsIn(backups)).toEqual(there)
          expect(await program('restore', join(folder, 'none'), [join(backups, left[0] ?? '')])).toMatchObject({
            code: 2,
            errors: expect.stringContaining('is no backup: it has no manifest.json.'),
          })
          const next = await backUp()
          expect(next).toMatchObject({ code: 0, errors: '' })
          expect(await unfinishedIn()).toEqual([])
          const target = join(folder, `after-${stage}`)
          expect(await program('restore', target, [folderIn(next.text), '--to', target])).toMatchObject({ code: 0 })
          expect(await digestsIn(target)).toEqual(whole)
        },
      )

      it('is not made twice at once into one folder', async () => {
        const made = await Promise.all([backUp(), backUp()])
        expect(made.map(({ code }) => code).sort()).toEqual([0, 3])
        expect(made.map(({ errors }) => errors).join('')).toContain('is running already')
      })

      it.each(['log', 'first record'])(
        'killed while the %s is restored, is served by no process, and is whole after the same command [P19.8]',
        async (stage) => {
          const half = await newStores()
          const { child, ended } = begin(['restore', still], half)
          const mongo = connectMongo(half.database)
          const hasRecords = async () =>
            (await mongo.run((db) => db.collection('r_agency_contacts').findOne())) !== null
          const reached = () => (stage === 'log' ? half.events.log.entries.length >= 10 : hasRecords())
          await vi.waitUntil(reached, { ...patience, interval: 1 })
          child.kill('SIGKILL')
          await mongo.close()
          await ended
          const config = readConfig({
            ...secrets,
            ...half.env,
            PORT: '0',
            PUBLIC_URL: 'http://localhost',
            DATA_DIR: folder,
          })
          const log = pino({ level: 'silent' })
          const sentence = 'A move or a restore to EVENTSTORE_URL and MONGODB_URL is not finished'
          for (const role of stage === 'log' ? (['api', 'projector', 'worker'] as const) : [])
            await expect(startProcess(role, config, { log, webRoot: folder })).rejects.toThrow(sentence)
          // A process of its own, which ends and says why.
          if (stage !== 'log')
            await expect(
              promisify(execFile)(process.execPath, ['--import', 'tsx', 'api/bin/process.ts', 'worker'], {
                env: { ...process.env, ...secrets, ...half.env, PORT: '0', PUBLIC_URL: 'http://localhost' },
              }),
            ).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
          expect(await restoreTo(half, backup)).toMatchObject({
            code: 2,
            errors: expect.stringMatching(
              stage === 'log' ? /Nothing was changed\. Finish what was begun there/ : /Nothing was changed\./,
            ),
          })
          expect(await restoreTo(half, still)).toMatchObject({ code: 0 })
          expect(await digestsIn(half)).toEqual(whole)
          expect(await restoreTo(half, still)).toMatchObject({
            code: 2,
            errors: expect.stringContaining('is restored there already'),
          })
          const started = await startProcess('projector', config, { log, webRoot: folder })
          await started.close()
        },
      )
    })
  },
)
