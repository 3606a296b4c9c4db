import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records } from '../../records/port.ts'
import { Leaders } from './leaders.ts'
import { Leases } from './leases.ts'

const pieces = ['agency', 'clients']
let folder: string
let records: Records
let now: number
let leaders: Leaders
let isAway: boolean
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leaders-'))
  records = await openEmbeddedRecords(join(folder, 'records.db'))
  now = 0
  isAway = false
  const cut: Records = {
    ...records,
    table: async (definition) => {
      const table = await records.table(definition)
      return Object.assign(Object.create(table), {
        find: (...asked: Parameters<typeof table.find>) =>
          isAway ? Promise.reject(new StoreUnavailable('away')) : table.find(...asked),
      })
    },
  }
  leaders = await Leaders.open(cut, pieces, { nobodyMs: 10_000, elapsed: () => now })
})
afterEach(async () => {
  await records.close()
  await rm(folder, { recursive: true, force: true })
})

const passes = async (seconds: number, ...leading: readonly Leases[]) => {
  for (let second = 0; second < seconds; second++) {
    now += 1_000
    for (const one of leading) await one.round()
    await leaders.look()
  }
  return leaders.notReady()
}
const projector = () => Leases.open(records, pieces, 5_000, () => now)

it('Pieces that somebody leads are fine, those that nobody takes are named', async () => {
  expect(await passes(9)).toEqual([])
  expect(await passes(3)).toEqual(['No projector builds agency, clients'])
  const one = await projector()
  expect(await passes(30, one)).toEqual([])
})

it('A leader that died is missed although its leases are there still, and not once another one took them', async () => {
  const one = await projector()
  await passes(5, one)
  expect(await passes(9)).toEqual([])
  expect(await passes(3)).toEqual(['No projector builds agency, clients'])
  expect(await passes(12, await projector())).toEqual([])
})

it('While nobody can see the leases nobody is missed', async () => {
  const one = await projector()
  await passes(5, one)
  isAway = true
  for (let second = 0; second < 60; second++) {
    now += 1_000
    await leaders.look().catch(() => {})
  }
  expect(leaders.notReady()).toEqual([])
  isAway = false
  expect(await passes(5, one)).toEqual([])
})
