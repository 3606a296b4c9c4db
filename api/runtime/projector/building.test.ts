import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { buildingAlone } from './building.ts'

interface Build {
  readonly id: string
  readonly holder: string
  readonly beat: string
}

it('A rebuild that was paused while it ended leaves the claim to the one that took over', async () => {
  const folder = await temporaryFolder('builds')
  const records = await openEmbeddedRecords(join(folder, 'records.db'))
  const builds = await records.table<Build>({ table: 'builds' })
  let hasEnded = false
  const table = await records.table<Build>({ table: 'builds' })
  const get = table.get.bind(table)
  const replace = table.replace.bind(table)
  let beats = 0
  Object.assign(table, {
    async get(id: string) {
      const found = await get(id)
      if (hasEnded && found) await builds.replace({ id, holder: 'another', beat: '1' }, found.version)
      return found
    },
    async replace(...asked: Parameters<typeof replace>) {
      const isReplaced = await replace(...asked)
      beats += 1
      return isReplaced
    },
  })
  vi.spyOn(records, 'table').mockResolvedValue(table as never)
  const work = async () => {
    await expect.poll(() => beats, { interval: 5 }).toBe(1)
    hasEnded = true
  }
  await buildingAlone(records, ['posts'], work, { onLost: () => undefined })
  expect((await builds.get('posts'))?.record.holder).toBe('another')
  await records.close()
  await removeFolder(folder)
})
