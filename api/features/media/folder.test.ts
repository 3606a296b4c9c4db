import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { openMediaFolder } from './folder.ts'
import { mediaContract } from './test/suite.ts'
import { png } from './test/helpers.ts'

const temporary = () => temporaryFolder('socialai-media')

mediaContract('a folder', async () => {
  const root = await temporary()
  const folder = join(root, 'media')
  return {
    store: await openMediaFolder(folder),
    reopen: () => openMediaFolder(folder),
    cleanup: () => removeFolder(root),
  }
})

describe('a folder of images', () => {
  let root: string
  let folder: string
  beforeAll(async () => {
    root = await temporary()
    folder = join(root, 'media')
  })
  afterAll(() => removeFolder(root))

  it('is accessible to its owner alone', async () => {
    const store = await openMediaFolder(folder)
    const { hash } = await store.put(png())
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, hash))).mode & 0o777).toBe(0o600)
  })

  it('holds one file per image, and nothing else', async () => {
    const store = await openMediaFolder(folder)
    const { hash } = await store.put(png())
    await store.put(png())
    expect(await readdir(folder)).toEqual([hash])
  })

  it('deletes half-written files of a crash, and stores the image again', async () => {
    await writeFile(join(folder, 'half.part'), png(9, 9).subarray(0, 30))
    const store = await openMediaFolder(folder)
    const { hash } = await store.put(png(9, 9))
    expect(await readdir(folder)).not.toContain('half.part')
    expect(await readFile(join(folder, hash))).toEqual(png(9, 9))
  })

  it('detects damage even after it has served the image', async () => {
    const store = await openMediaFolder(folder)
    const { hash } = await store.put(png(12, 12))
    expect(await store.describe(hash)).not.toBeNull()
    await truncate(join(folder, hash), 40)
    expect(await store.stream(hash, { start: 0, end: 9 })).toBeNull()
  })

  it('never serves a damaged image, and is repaired by storing the image again', async () => {
    const { hash } = await (await openMediaFolder(folder)).put(png(8, 8))
    await truncate(join(folder, hash), 40)
    const store = await openMediaFolder(folder)
    expect(await store.read(hash)).toBeNull()
    expect(await store.describe(hash)).toBeNull()
    expect(await store.stream(hash, { start: 0, end: 9 })).toBeNull()
    await store.put(png(8, 8))
    expect(Buffer.from((await store.read(hash)) ?? [])).toEqual(png(8, 8))
  })
})
