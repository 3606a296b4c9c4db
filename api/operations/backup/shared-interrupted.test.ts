/** A backup of EventStoreDB and MongoDB that is damaged, killed, or meant for stores in use. */
import { execFile } from 'node:child_process'
import { cp, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { connectMongo } from '../../../projections/read-store/mongodb-connection.ts'
import { startProcess } from '../../composition/distributed.ts'
import { readConfig } from '../../runtime/config.ts'
import { backupsIn } from './manifest.ts'
import { folderIn, program } from './test/helpers.ts'
import { isSkipped, secrets, startSharedInstallation, type SharedInstallation } from './test/shared-installation.ts'
import { digestsIn, isEmpty, newStores } from './test/shared-stores.ts'
import { compiled } from '../../../domain/test/compiled.ts'

interface Begun extends ReturnType<SharedInstallation['begin']> {
  readonly reached: () => Promise<boolean>
}

/** Kills a command once it has got somewhere. One that ends before the kill arrives is begun again. */
async function killedMidway<B extends Begun>(begin: () => Promise<B>): Promise<B> {
  for (;;) {
    const begun = await begin()
    let hasEnded = false
    void begun.ended.then(() => (hasEnded = true))
    await vi.waitUntil(async () => hasEnded || (await begun.reached()), { ...patience, interval: 1 })
    begun.child.kill('SIGKILL')
    const { code } = await begun.ended
    if (code === null) return begun
    expect(code).toBe(0)
  }
}

describe.skipIf(isSkipped)('A backup of EventStoreDB and MongoDB', () => {
  let here: SharedInstallation
  let whole: Awaited<ReturnType<typeof digestsIn>>
  let backup: string
  /** Of the installation at rest. */
  let still: string
  beforeAll(async () => {
    here = await startSharedInstallation()
    backup = folderIn((await here.backUp()).text)
    await here.write('After the first backup')
    await here.server.close()
    whole = await digestsIn(here.source)
    still = folderIn((await here.backUp()).text)
  })
  afterAll(() => here.remove())

  it('is not restored onto stores in use: nothing changes there [P19.5]', async () => {
    const entries = here.source.events.log.entries.length
    expect(await here.restoreTo(here.source, still)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Nothing was changed.'),
    })
    const half = await newStores()
    const mongo = connectMongo(half.database)
    await mongo.run((db) => db.collection('invoices').insertOne({ name: 'one' }))
    await mongo.close()
    expect(await here.restoreTo(half, still)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('is in use already (it has invoices)'),
    })
    expect([here.source.events.log.entries.length, half.events.log.entries.length]).toEqual([entries, 0])
    expect(await digestsIn(here.source)).toEqual(whole)
  })

  it.each(['events.db', 'records.db', 'media'])(
    'is refused where %s is damaged: both stores stay empty [P19.6]',
    async (name) => {
      const damaged = join(here.folder, `damaged-${name}`)
      await cp(still, damaged, { recursive: true })
      const path = name === 'media' ? `media/${here.images[0]?.hash}` : name
      const file = await open(join(damaged, path), 'r+')
      const byte = Buffer.alloc(1)
      await file.read(byte, 0, 1, 30)
      await file.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, 30)
      await file.close()
      const empty = await newStores()
      expect(await here.restoreTo(empty, damaged)).toMatchObject({
        code: 1,
        errors: expect.stringContaining(`nothing was restored:\n  ${path} is missing or was changed\n`),
      })
      expect(await isEmpty(empty)).toBe(true)
    },
  )

  it.each(['events.db', 'media'])(
    'killed when it had begun %s, is no backup, and the next one is whole [P19.7]',
    async (stage) => {
      let there = await backupsIn(here.backups)
      await killedMidway(async () => {
        there = await backupsIn(here.backups)
        const begun = here.begin(['backup', '--to', here.backups], here.source)
        const reached = async () =>
          (await readdir(here.backups, { recursive: true })).some((path) => path.endsWith(`.unfinished/${stage}`))
        return { ...begun, reached }
      })
      const left = await here.unfinishedBackups()
      expect(left).toHaveLength(1)
      expect(await backupsIn(here.backups)).toEqual(there)
      expect(await program('restore', join(here.folder, 'none'), [join(here.backups, left[0] ?? '')])).toMatchObject({
        code: 2,
        errors: expect.stringContaining('is no backup: it has no manifest.json.'),
      })
      const next = await here.backUp()
      expect(next).toMatchObject({ code: 0, errors: '' })
      expect(await here.unfinishedBackups()).toEqual([])
      const target = join(here.folder, `after-${stage}`)
      expect(await program('restore', target, [folderIn(next.text), '--to', target])).toMatchObject({ code: 0 })
      expect(await digestsIn(target)).toEqual(whole)
    },
  )

  it('is not made twice at once into one folder', async () => {
    const made = await Promise.all([here.backUp(), here.backUp()])
    expect(made.map(({ code }) => code).sort()).toEqual([0, 3])
    expect(made.map(({ errors }) => errors).join('')).toContain('is running already')
  })

  it.each(['log', 'first record'])(
    'killed while the %s is restored, is served by no process, and is whole after the same command [P19.8]',
    async (stage) => {
      const half = await killedMidway(async () => {
        const stores = await newStores()
        const begun = here.begin(['restore', still], stores)
        const mongo = connectMongo(stores.database)
        onTestFinished(() => mongo.close())
        const hasRecords = async () => (await mongo.run((db) => db.collection('r_agency_contacts').findOne())) !== null
        const reached = async () => (stage === 'log' ? stores.events.log.entries.length >= 10 : hasRecords())
        return { ...begun, reached, stores }
      }).then(({ stores }) => stores)
      const config = readConfig({
        ...secrets,
        ...half.env,
        PORT: '0',
        PUBLIC_URL: 'http://localhost',
        DATA_DIR: here.folder,
      })
      const log = pino({ level: 'silent' })
      const sentence = 'A move or a restore to EVENTSTORE_URL and MONGODB_URL is not finished'
      for (const role of stage === 'log' ? (['api', 'projector', 'worker'] as const) : [])
        await expect(startProcess(role, config, { log, webRoot: here.folder })).rejects.toThrow(sentence)
      // A process of its own, which ends and says why.
      if (stage !== 'log')
        await expect(
          promisify(execFile)(process.execPath, [compiled('api/bin/process.ts'), 'worker'], {
            env: { ...process.env, ...secrets, ...half.env, PORT: '0', PUBLIC_URL: 'http://localhost' },
          }),
        ).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
      expect(await here.restoreTo(half, backup)).toMatchObject({
        code: 2,
        errors: expect.stringMatching(
          stage === 'log' ? /Nothing was changed\. Finish what was begun there/ : /Nothing was changed\./,
        ),
      })
      expect(await here.restoreTo(half, still)).toMatchObject({ code: 0 })
      expect(await digestsIn(half)).toEqual(whole)
      expect(await here.restoreTo(half, still)).toMatchObject({
        code: 2,
        errors: expect.stringContaining('is restored there already'),
      })
      const started = await startProcess('projector', config, { log, webRoot: here.folder })
      await started.close()
    },
  )
})
