import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { openEmbeddedRecords } from '../records/embedded.ts'
import type { Records, RecordTable } from '../records/port.ts'
import { DelayedCheckpoint, moveOn, type Checkpoint } from './checkpoint.ts'

let folder: string
let records: Records
let table: RecordTable<Checkpoint>
beforeEach(async () => {
  folder = await temporaryFolder('checkpoint')
  records = await openEmbeddedRecords(join(folder, 'records.db'))
  table = await records.table<Checkpoint>({ table: 'checkpoints' })
})
afterEach(async () => {
  await records.close()
  await removeFolder(folder)
})

const at = (position: string): Checkpoint => ({ id: 'farewell', position })
const reached = async () => (await table.get('farewell'))?.record.position

it('A checkpoint moves forward; a late write does not set it back', async () => {
  await moveOn(table, at('0002'))
  await moveOn(table, at('0005'))
  await moveOn(table, at('0003'))
  expect(await reached()).toBe('0005')
})

it('The furthest of many concurrent writes wins', async () => {
  const positions = Array.from({ length: 40 }, (_, n) => String((n * 17) % 40).padStart(4, '0'))
  await Promise.all(positions.map((position) => moveOn(table, at(position))))
  expect(await reached()).toBe('0039')
})

describe('A delayed checkpoint', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  const open = () => new DelayedCheckpoint(table, 'farewell', 5_000, (error) => expect.unreachable(String(error)))

  it('is written once for all events of the interval', async () => {
    const put = vi.spyOn(table, 'insert')
    const replace = vi.spyOn(table, 'replace')
    const checkpoint = open()
    for (let event = 1; event <= 500; event++) checkpoint.moveTo(String(event).padStart(4, '0'))
    expect(await reached()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(5_000)
    await vi.waitFor(async () => expect(await reached()).toBe('0500'))
    expect(put.mock.calls.length + replace.mock.calls.length).toBe(1)
  })

  it('is written at once when the process stops, and not again', async () => {
    const checkpoint = open()
    checkpoint.moveTo('0007')
    await checkpoint.write()
    expect(await reached()).toBe('0007')
    expect(vi.getTimerCount()).toBe(0)
  })
})
