import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { around } from '../../../domain/test/around.ts'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records } from '../../records/port.ts'
import { Leaders } from './leaders.ts'
import { Leases } from '../../records/leases.ts'

const pieces = ['agency', 'clients']
let folder: string
let records: Records
let now: number
let leaders: Leaders
let isAway: boolean
beforeEach(async () => {
  folder = await temporaryFolder('leaders')
  records = await openEmbeddedRecords(join(folder, 'records.db'))
  now = 0
  isAway = false
  const cut: Records = {
    ...records,
    table: async (definition) =>
      around(await records.table(definition), (_, command) =>
        isAway ? Promise.reject(new StoreUnavailable('away')) : command(),
      ),
  }
  leaders = await Leaders.open(cut, pieces, { vacantMs: 10_000, elapsed: () => now })
})
afterEach(async () => {
  await records.close()
  await removeFolder(folder)
})

const passes = async (seconds: number, ...leading: readonly Leases[]) => {
  for (let second = 0; second < seconds; second++) {
    now += 1_000
    for (const one of leading) await one.round()
    await leaders.look()
  }
  return leaders.notReady()
}
const projector = () => Leases.open(records, pieces, { lifeMs: 5_000, group: 'projectors', elapsed: () => now })

it('Projections with a leader are fine, and those without one are named', async () => {
  expect(await passes(9)).toEqual([])
  expect(await passes(3)).toEqual(['No projector builds agency, clients'])
  const one = await projector()
  expect(await passes(30, one)).toEqual([])
})

it('A dead leader is reported even while its leases exist, and no longer once another takes them', async () => {
  const one = await projector()
  await passes(5, one)
  expect(await passes(9)).toEqual([])
  expect(await passes(3)).toEqual(['No projector builds agency, clients'])
  expect(await passes(12, await projector())).toEqual([])
})

it('A leader that leaves gives no sign of life by that', async () => {
  const one = await projector()
  await passes(5, one)
  expect(await passes(12)).toEqual(['No projector builds agency, clients'])
  await one.leave()
  await leaders.look()
  expect(leaders.notReady()).toEqual(['No projector builds agency, clients'])
})

it('No leader is reported missing while the leases cannot be read', async () => {
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
