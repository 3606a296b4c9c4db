import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { openRecordSource } from '../../records/embedded-source.ts'
import type { Records } from '../../records/port.ts'
import type { AnyRecord } from '../../records/source.ts'
import { copyRecords } from './records.ts'

const users = { table: 'users', unique: ['email'], indexed: ['team', 'seenAt'] } as const
const checkpoints = { table: 'checkpoints' } as const
const signal = new AbortController().signal

let folder: string
let target: Records
beforeEach(async () => {
  folder = await temporaryFolder('move-records')
  target = await openEmbeddedRecords(join(folder, 'target.db'))
})
afterEach(async () => {
  await target.close()
  await removeFolder(folder)
})

/** Works on the installation's own file, as the running server would. */
async function installed(work: (records: Records) => Promise<unknown>): Promise<void> {
  const records = await openEmbeddedRecords(join(folder, 'records.db'))
  await work(records)
  await records.close()
}
const put = (definition: typeof users | typeof checkpoints, ...all: readonly AnyRecord[]) =>
  installed(async (records) => {
    const table = await records.table<AnyRecord>(definition)
    for (const record of all) await table.put(record)
  })

async function moved() {
  const source = openRecordSource(join(folder, 'records.db'))
  try {
    return await copyRecords(source, target, async (position) => (position === '' ? null : `there-${position}`), signal)
  } finally {
    source.close()
  }
}

describe('Moved records', () => {
  it('are complete, in any number and with any content', async () => {
    const all = Array.from({ length: 450 }, (_, n) => ({
      id: `u${n}`,
      email: `${n}@x.example`,
      odd: { list: [null, true, 'a\0b \ud800'], n },
    }))
    await put(users, ...all)
    expect(await moved()).toEqual({ seen: 450, copied: 450 })
    const table = await target.table<AnyRecord>(users)
    for (const record of all) expect((await table.get(record.id))?.record).toEqual(record)
  })

  it('keep their unique and indexed fields without configuration', async () => {
    await put(users, { id: 'ann', email: 'ann@x.example', team: 'tea' })
    const source = openRecordSource(join(folder, 'records.db'))
    expect(source.tables.map(({ definition }) => definition)).toEqual([
      { ...users, indexed: expect.arrayContaining([...users.indexed]) },
    ])
    source.close()
    await moved()
    const table = await target.table<AnyRecord>(users)
    expect(await table.insert({ id: 'other', email: 'ann@x.example' })).toBe(false)
    expect(await table.find('team', 'tea')).toHaveLength(1)
  })

  it('are written again only where they changed', async () => {
    await put(users, { id: 'ann', team: 'tea' }, { id: 'bob', team: 'tea' })
    await moved()
    expect(await moved()).toEqual({ seen: 2, copied: 0 })
    await put(users, { id: 'bob', team: 'coffee' })
    expect(await moved()).toEqual({ seen: 2, copied: 1 })
    expect((await (await target.table<AnyRecord>(users)).get('bob'))?.record).toEqual({ id: 'bob', team: 'coffee' })
  })

  it("contain each process's checkpoint as a position in the new log", async () => {
    await put(checkpoints, { id: 'farewell', position: '0012' }, { id: 'new', position: '' })
    expect(await moved()).toEqual({ seen: 1, copied: 1 })
    const table = await target.table<AnyRecord>(checkpoints)
    expect((await table.get('farewell'))?.record).toEqual({ id: 'farewell', position: 'there-0012' })
    expect(await table.get('new')).toBeNull()
  })

  it('do not replace records of another installation', async () => {
    await put(users, { id: 'ann', email: 'ann@x.example' })
    const table = await target.table<AnyRecord>(users)
    await table.insert({ id: 'theirs', email: 'ann@x.example' })
    await expect(moved()).rejects.toThrow(
      /^The database at MONGODB_URL has records of another installation \(in users\)/,
    )
    expect(await table.find('email', 'ann@x.example')).toEqual([{ id: 'theirs', email: 'ann@x.example' }])
  })
})
