import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { openEmbeddedRecords } from './embedded.ts'
import { recordsContract } from './test/suite.ts'

recordsContract('One SQLite file', async () => {
  const { file, remove } = await newFile()
  let records = await openEmbeddedRecords(file)
  const reopen = async () => {
    await records.close()
    return (records = await openEmbeddedRecords(file))
  }
  const cleanup = async () => {
    await records.close()
    await remove()
  }
  return { records, reopen, cleanup }
})

describe('The records file', () => {
  it('has one owner: a second opener gets an error', async () => {
    const { file, remove } = await newFile()
    onTestFinished(remove)
    const records = await openEmbeddedRecords(file)
    await expect(openEmbeddedRecords(file)).rejects.toThrow(/^Another SocialAI is already running on .*Stop it first/)
    await records.close()
    await (await openEmbeddedRecords(file)).close()
  })

  it.skipIf(process.platform === 'win32')(
    'is readable by its owner alone, because it holds password hashes',
    async () => {
      const { file, remove } = await newFile()
      onTestFinished(remove)
      const records = await openEmbeddedRecords(file)
      for (const each of [file, `${file}-wal`]) expect((await stat(each)).mode & 0o077).toBe(0)
      await records.close()
    },
  )
})

async function newFile(): Promise<{ file: string; remove: () => Promise<void> }> {
  const folder = await temporaryFolder('records')
  return { file: join(folder, 'deeper', 'records.db'), remove: () => removeFolder(folder) }
}
