/**
 * The checks of a restore before it changes anything, and what happens to the existing data.
 *
 * @module-tag long
 */
import { cp, mkdir, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ApiClient } from '../../http/client.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { factsOf } from './disk.ts'
import { manifestName } from './files.ts'
import { readManifest } from './manifest.ts'
import { restoringFolder } from './restore.ts'
import { byServer, filled, folderIn, forgotten, program, temporary, type Kept } from './test/helpers.ts'

let server: TestServer
let kept: Kept
let sound: string
let folder: string
let backup: string
let target: string

describe.skipIf(process.env['TEST_SHAPE'] === 'distributed')('npm run restore', () => {
  beforeAll(async () => {
    server = await testServer()
    kept = await filled(server)
    sound = folderIn((await byServer(server.dataDir, 'backup')).text)
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    folder = await temporary()
    ;[backup, target] = [join(folder, 'backup'), join(folder, 'data')]
    await cp(sound, backup, { recursive: true })
  })
  afterEach(() => forgotten(folder))

  const restore = (...args: readonly string[]) => program('restore', target, args)
  const isUntouched = async () => expect(await readdir(target).catch(() => [])).toEqual([])
  /** Flips one bit, as a failing disk might. */
  const damage = async (path: string) => {
    const file = await open(path, 'r+')
    const { size } = await file.stat()
    const byte = Buffer.alloc(1)
    await file.read(byte, 0, 1, Math.floor(size / 2))
    await file.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, Math.floor(size / 2))
    await file.close()
  }

  it('names every damaged file, and restores nothing of that backup', async () => {
    const { files } = await readManifest(backup)
    for (const { path } of files) await damage(join(backup, path))
    const { code, errors } = await restore(backup)
    expect(code).toBe(1)
    expect(errors).toBe(
      `The backup in ${backup} is damaged, and nothing was restored:\n${files.map(({ path }) => `  ${path} is missing or was changed\n`).join('')}`,
    )
    await isUntouched()
  })

  it('never takes a backup dated in the future as the latest, and reports it', async () => {
    const backups = join(folder, 'backups')
    const [now, ahead] = [basename(sound), '2099-01-01T00-00-00.000Z']
    await cp(sound, join(backups, now), { recursive: true })
    await cp(sound, join(backups, ahead), { recursive: true })
    const manifest = JSON.parse(await readFile(join(backups, ahead, manifestName), 'utf8'))
    await writeFile(join(backups, ahead, manifestName), JSON.stringify({ ...manifest, at: '2099-01-01T00:00:00.000Z' }))
    const { code, text, errors } = await program('restore', target, ['latest'], { BACKUP_DIR: backups })
    expect({ code, errors }).toEqual({ code: 0, errors: expect.stringContaining(`${ahead} has a date in the future`) })
    expect(text).toContain(`Restored the backup of ${manifest.at}`)
  })

  it('refuses to replace a folder that contains the backup itself, or all backups', async () => {
    const within = join(target, 'media', 'kept')
    await cp(sound, within, { recursive: true })
    const refused = {
      code: 2,
      errors: `${within} is inside the data that the restore would replace. Copy it elsewhere first.\n`,
    }
    expect(await restore(within, '--replace')).toMatchObject(refused)
    expect(await program('restore', target, [backup, '--replace'], { BACKUP_DIR: within })).toMatchObject(refused)
  })

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['damaged', damage],
    ['missing', (path) => rm(path)],
    ['cut short', (path) => truncate(path, 10)],
  ])('notices that a file is %s', async (_, harm) => {
    await harm(join(backup, 'records.db'))
    expect(await restore(backup)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('  records.db is missing or was changed\n'),
    })
    await isUntouched()
  })

  it('can leave out damaged images, and names them', async () => {
    const [image] = kept.images
    await damage(join(backup, 'media', image?.hash ?? ''))
    expect((await restore(backup)).code).toBe(1)
    const { code, text } = await restore(backup, '--without-damaged-images')
    expect({ code, text }).toEqual({
      code: 0,
      text: expect.stringContaining(`The image ${image?.hash} is damaged in the backup and was left out.\n`),
    })
    expect(await readdir(join(target, 'media'))).toEqual(kept.images.slice(1).map(({ hash }) => hash))
    await damage(join(backup, 'events.db'))
    expect(await restore(backup, '--without-damaged-images', '--replace')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('events.db'),
    })
  })

  it('rejects a folder that is not a backup, has a newer version, or has paths outside of itself', async () => {
    expect(await restore(folder)).toMatchObject({
      code: 2,
      errors: `${folder} is no backup: it has no manifest.json.\n`,
    })
    expect(await restore('latest')).toMatchObject({
      code: 2,
      errors: `There is no backup in ${join(target, 'backups')}.\n`,
    })
    const manifest = JSON.parse(await readFile(join(backup, manifestName), 'utf8'))
    await writeFile(join(backup, manifestName), JSON.stringify({ ...manifest, format: 2 }))
    expect(await restore(backup)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('a newer version of SocialAI'),
    })
    await writeFile(
      join(backup, manifestName),
      JSON.stringify({ ...manifest, files: [{ ...manifest.files[0], path: '../outside' }] }),
    )
    expect(await restore(backup)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('is damaged. Restore another backup.'),
    })
    await isUntouched()
  })

  it('leaves a folder with content alone; with --replace, it moves the content aside', async () => {
    await mkdir(target)
    await writeFile(join(target, 'events.db'), 'of before')
    expect(await restore(backup)).toMatchObject({
      code: 2,
      errors: `${target} is not empty. Choose another folder with --to, or add --replace: it moves the existing data aside and removes nothing.\n`,
    })
    const { code, text } = await restore(backup, '--replace')
    expect(code).toBe(0)
    const aside = /^The earlier data is in (\S+)\. Remove it/m.exec(text)?.[1] ?? ''
    expect(await readFile(join(aside, 'events.db'), 'utf8')).toBe('of before')
    const again = await testServer({ DATA_DIR: target })
    const caller = new ApiClient(again.url)
    await caller.callOrThrow('login', {
      body: { email: (await kept.caller.callOrThrow('getUser')).email, password: 'correct horse' },
    })
    expect(await caller.callOrThrow('listPosts', { params: { id: kept.clientId } })).toHaveLength(2)
    await again.close()
  })

  it.each<[string, (within: string) => Readonly<Record<string, string>>]>([
    ['backups', () => ({})],
    ['kept/here', (within) => ({ BACKUP_DIR: within })],
  ])(
    'leaves the backups in the folder where they are (%s), wherever the one comes from that it brings back',
    async (name, settings) => {
      const within = join(target, name)
      const restoreWith = async (...args: readonly string[]) =>
        (await program('restore', target, args, settings(within))).code
      await cp(backup, join(within, '2026-03-01T10-00-00.000Z'), { recursive: true })
      expect(await restoreWith(backup)).toBe(0)
      expect(await restoreWith('2026-03-01T10-00-00.000Z', '--replace')).toBe(0)
      expect(await restoreWith(backup, '--replace')).toBe(0)
      expect(await readdir(within)).toEqual(['2026-03-01T10-00-00.000Z'])
    },
  )

  it('leaves the existing data unchanged and usable when the last step before the move fails, as on a full disk', async () => {
    await restore(backup)
    const before = (await readdir(target)).sort()
    const records = join(backup, 'records.db')
    await writeFile(records, 'no database')
    const manifest = await readManifest(backup)
    const facts = { path: 'records.db', ...(await factsOf(records)) }
    await writeFile(
      join(backup, manifestName),
      JSON.stringify({ ...manifest, files: manifest.files.map((file) => (file.path === facts.path ? facts : file)) }),
    )
    expect(await restore(backup, '--replace')).toMatchObject({
      code: 3,
      errors: expect.stringContaining('records.db is damaged'),
    })
    expect((await readdir(target)).sort()).toEqual(before)
    await (await testServer({ DATA_DIR: target })).close()
  })

  it('that was interrupted prevents any start on a partial restore, and continues when run again', async () => {
    // The state after a crash while the files are moved into place.
    await mkdir(join(target, restoringFolder), { recursive: true })
    await cp(join(backup, 'records.db'), join(target, 'records.db'))
    await expect(testServer({ DATA_DIR: target })).rejects.toThrow(
      /^A restore to \S+ was interrupted\. Run npm run restore again, then start the server\.$/,
    )
    await damage(join(backup, 'events.db'))
    expect((await restore(backup)).code).toBe(1)
    await expect(testServer({ DATA_DIR: target })).rejects.toThrow('was interrupted')
    expect((await restore(sound)).code).toBe(0)
    await (await testServer({ DATA_DIR: target })).close()
  })
})
