import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import { around, type Around } from '../../domain/test/around.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { StillClock } from '../processes/test/helpers.ts'
import { openEmbeddedRecords } from './embedded.ts'
import type { Records } from './port.ts'
import { DailyBudget } from './daily-budget.ts'

const limit = 1_000
const step = limit / 20
const log = pino({ level: 'silent' })

let folder: string
let records: Records
let clock: StillClock
const open = (on: Records = records) => DailyBudget.open({ records: on, clock, log }, { name: 'log', limit })
const recorded = async (agencyId = 'one') => {
  const table = await records.table<{ readonly id: string; readonly day: string; readonly used: number }>({
    table: 'daily_use',
    indexed: ['day'],
  })
  return (await table.get(`log/${clock.now().slice(0, 10)}/${agencyId}`))?.record.used ?? null
}

beforeEach(async () => {
  folder = await temporaryFolder('budgets')
  records = await openEmbeddedRecords(join(folder, 'records.db'))
  clock = new StillClock('2026-03-02T20:00:00.000Z')
})
afterEach(async () => {
  await records.close()
  await removeFolder(folder)
})

describe('A daily budget', () => {
  it('accepts usage that starts below the limit, then returns the time until the day ends', async () => {
    const budget = await open()
    expect(await budget.take('one', 999)).toBe(0)
    expect(await budget.take('one', 500)).toBe(0)
    expect(await budget.take('one', 1)).toBe(4 * 3_600_000)
    expect(await budget.waitFor('one')).toBe(4 * 3_600_000)
    expect(await budget.take('another', 1)).toBe(0)
  })

  it('starts anew at midnight UTC', async () => {
    const budget = await open()
    await budget.take('one', limit)
    clock.advance(4 * 3_600_000 - 1)
    expect(await budget.take('one', 1)).toBe(1)
    clock.advance(1)
    expect(await budget.take('one', 1)).toBe(0)
  })

  it('takes unused amounts back, and counts usage that must not be refused', async () => {
    const budget = await open()
    await budget.take('one', limit)
    await budget.giveBack('one', limit)
    expect(await budget.waitFor('one')).toBe(0)
    await budget.count('one', 2 * limit)
    expect(await budget.waitFor('one')).toBeGreaterThan(0)
  })

  it('writes no record before a twentieth of the limit is used', async () => {
    const budget = await open()
    for (let at = 0; at < step - 1; at++) await budget.take('one', 1)
    expect(await recorded()).toBeNull()
    await budget.take('one', 1)
    await vi.waitFor(async () => expect(await recorded()).toBe(step), patience)
  })

  it('continues where it was after a restart', async () => {
    const budget = await open()
    await budget.take('one', 990)
    await budget.close()
    const again = await open()
    expect(await again.take('one', 10)).toBe(0)
    expect(await again.take('one', 1)).toBeGreaterThan(0)
  })

  it('is shared by several processes: together they exceed it by at most two steps each [S61]', async () => {
    const processes = await Promise.all([open(), open(), open()])
    let used = 0
    for (let turn = 0; turn < 600; turn++) {
      for (const budget of processes) if ((await budget.take('one', 7)) === 0) used += 7
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(used).toBeGreaterThanOrEqual(limit)
    expect(used).toBeLessThanOrEqual(limit + 3 * (2 * step + 7))
  })

  it('counts in memory while the records are unavailable', async () => {
    const budget = await open()
    await budget.take('one', 1)
    await records.close()
    for (let at = 0; at < limit; at++) await budget.take('one', 1)
    expect(await budget.waitFor('one')).toBeGreaterThan(0)
    await expect(budget.take('unheard of', 1)).rejects.toThrow()
    records = await openEmbeddedRecords(join(folder, 'records.db'))
  })

  it.each(['insert', 'replace'] as const)('counts usage once whose %s took effect without an answer', async (lost) => {
    let isLost = false
    const losing: Around = async (name, command) => {
      const answer = await command()
      if (name !== lost || !isLost) return answer
      isLost = false
      throw new StoreUnavailable('The connection broke before the answer came')
    }
    const budget = await open({
      ...records,
      table: async (definition) => around(await records.table(definition), losing),
    })
    if (lost === 'replace') {
      await budget.take('one', step)
      await vi.waitFor(async () => expect(await recorded()).toBe(step), patience)
    }
    const before = (await recorded()) ?? 0
    isLost = true
    await budget.take('one', step)
    await vi.waitFor(() => expect(isLost).toBe(false), patience)
    await budget.take('one', 3)
    await budget.close()
    expect(await recorded()).toBe(before + step + 3)
  })

  it('keeps 10,000 agencies in memory, and loses at most one step of the others', async () => {
    const budget = await open()
    await budget.take('first', limit)
    await vi.waitFor(async () => expect(await recorded('first')).toBe(limit), patience)
    for (let at = 0; at < 10_100; at++) await budget.take(`agency ${at}`, 1)
    expect(budget.size).toBe(10_000)
    expect(await budget.waitFor('first')).toBeGreaterThan(0)
  })

  it('deletes the records of earlier days', async () => {
    const budget = await open()
    await budget.take('one', step)
    await vi.waitFor(async () => expect(await recorded()).toBe(step), patience)
    await budget.sweep()
    expect(await recorded()).toBe(step)
    clock.advance(14 * 3_600_000)
    await budget.sweep()
    clock.advance(-14 * 3_600_000)
    expect(await recorded()).toBeNull()
  })
})
