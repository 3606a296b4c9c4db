/** Fetching the images of posts, within the agency's quota. */
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { openMediaFolder } from '../media/folder.ts'
import { createImages } from '../media/images.ts'
import { openImageQuota } from '../media/quota.ts'
import { jpeg } from '../media/test/helpers.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records } from '../../records/port.ts'
import { keepFor } from './images.ts'

let folder: string
let records: Records
beforeEach(async () => {
  folder = await temporaryFolder('socialai-room')
  records = await openEmbeddedRecords(join(folder, 'records.db'))
})
afterEach(async () => {
  await records.close()
  await removeFolder(folder)
})

it("fetches images until the agency's quota is used up; stored images stay usable", async () => {
  const asked: string[] = []
  const fetch = (url: string) => {
    asked.push(url)
    const filling = Buffer.alloc(1024 * 1024, url)
    return Promise.resolve({
      kind: 'fetched',
      bytes: Buffer.concat([jpeg(40, 40).subarray(0, -2), filling, Buffer.from([0xff, 0xd9])]),
    } as const)
  }
  const images = createImages({
    store: await openMediaFolder(join(folder, 'media')),
    publicUrl: 'https://social.example',
    fetch,
  })
  const keep = keepFor(images, await openImageQuota(records, 1))

  const first = await keep('https://a.example/1', 'one')
  expect(first).toMatchObject({ kind: 'stored' })
  const unusable = { kind: 'unusable', sentence: expect.stringContaining('1 MB for images') }
  expect(await keep('https://a.example/2', 'one')).toEqual(unusable)
  expect(asked).toEqual(['https://a.example/1'])
  expect(await keep('https://a.example/2', 'two')).toMatchObject({ kind: 'stored' })
  const hash = first.kind === 'stored' ? first.image.hash : ''
  expect(await keep(images.publicUrlOf(hash), 'one')).toEqual(first)
})
