import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openEmbeddedRecords } from '../records/embedded.ts'
import type { Records, RecordTable } from '../records/port.ts'
import { moveOn, type Checkpoint } from './checkpoint.ts'

let folder: string
let records: Records
let table: RecordTable<Checkpoint>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checkpoint-'))
  records = await openEmbeddedRecords(join(folder, 'records.db'))
  table = await records.table<Checkpoint>({ table: 'checkpoints' })
})
afterEach(async () => {
  await records.close()
  await rm(folder, { recursive: true, force: true })
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
