import * as fc from 'fast-check'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { openEmbeddedRecords } from './embedded.ts'
import type { Records } from './port.ts'
import { leases, Leases, type LeaseRecord } from './leases.ts'

const pieces = ['agency', 'clients', 'posts', 'calendar', 'analytics']
const lifeMs = 1_000
let folder: string
let records: Records
let elapsed: number
beforeEach(async () => {
  folder = await temporaryFolder('leases')
  records = await openEmbeddedRecords(join(folder, 'records.db'))
  elapsed = 0
  commands = 0
})
afterEach(async () => {
  await records.close()
  await removeFolder(folder)
})

/** The records, with a count of the commands to their tables. */
let commands: number
const counted = (): Records => ({
  ...records,
  table: async (definition) =>
    new Proxy(await records.table(definition), {
      get(table, name) {
        const value: unknown = Reflect.get(table, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          commands += 1
          return Reflect.apply(value, table, args)
        }
      },
    }),
})

/** One process, with the pieces that it leads after each round. */
class Process {
  readonly leads = new Set<string>()
  private constructor(readonly leases: Leases) {}
  static join = async () => new Process(await Leases.open(counted(), pieces, { lifeMs, elapsed: () => elapsed }))
  async round(): Promise<void> {
    const { taken, lost, surplus } = await this.leases.round()
    for (const piece of [...lost, ...surplus]) this.leads.delete(piece)
    await this.leases.give(surplus)
    for (const piece of taken) this.leads.add(piece)
  }
}
const rounds = async (count: number, ...processes: readonly Process[]) => {
  for (let round = 0; round < count; round++) {
    for (const process of processes) await process.round()
    elapsed += lifeMs / 4
  }
}
const led = (...processes: readonly Process[]) => processes.flatMap(({ leads }) => [...leads]).sort()

describe('One process', () => {
  it('leads everything', async () => {
    const only = await Process.join()
    await only.round()
    expect(led(only)).toEqual([...pieces].sort())
  })

  it('renews its leases with three commands, however many they are', async () => {
    const only = await Process.join()
    await only.round()
    commands = 0
    await rounds(10, only)
    expect(commands).toBe(30)
  })

  it('that was paused for long, but whose leases were not taken, goes on', async () => {
    const only = await Process.join()
    await only.round()
    elapsed += lifeMs * 5
    expect(await only.leases.round()).toEqual({ taken: [], lost: [], surplus: [] })
    expect(only.leases.held.toSorted()).toEqual([...pieces].sort())
  })
})

describe('Two processes', () => {
  it('of different groups with a piece of the same name are refused: nobody would lead it for long', async () => {
    const first = await Process.join()
    await first.round()
    const other = await Leases.open(records, ['posts'], { lifeMs, group: 'other', elapsed: () => elapsed })
    await expect(other.round()).rejects.toThrow('Another group has a piece named posts')
  })

  it('never both take a lease that one renews late and the other is about to take', async () => {
    const [first, second] = [await Process.join(), await Process.join()]
    await first.round()
    await second.round()
    elapsed += lifeMs * 1.1
    // The first one wakes up and renews before the second one looks: the second one then finds it alive.
    await first.round()
    await second.round()
    expect([...first.leads].filter((piece) => second.leads.has(piece))).toEqual([])
    await rounds(3, first, second)
    expect(led(first, second)).toEqual([...pieces].sort())
  })

  it('tell apart a holder whose record is gone: its leases are free', async () => {
    const [first, second] = [await Process.join(), await Process.join()]
    await rounds(3, first, second)
    const table = await records.table<LeaseRecord>(leases)
    for (const { id, holder } of await table.find('kind', 'holder', 10))
      if ((await table.get(`lease:${[...first.leads][0]}`))?.record.holder === holder) await table.remove(id)
    await second.round()
    expect([...second.leads].sort()).toEqual([...pieces].sort())
  })

  it('share everything evenly, each piece led by one, even if one joined later', async () => {
    const [first, second] = [await Process.join(), await Process.join()]
    await first.round()
    await rounds(3, second, first)
    expect(led(first, second)).toEqual([...pieces].sort())
    expect([first.leads.size, second.leads.size].sort()).toEqual([2, 3])
  })

  it('leave everything to the remaining one at once when the other leaves', async () => {
    const [first, second] = [await Process.join(), await Process.join()]
    await rounds(3, first, second)
    await first.leases.leave()
    await second.round()
    expect(led(second)).toEqual([...pieces].sort())
  })

  it('leave everything to the survivor when the other dies, after its leases expire and not before', async () => {
    const [first, second] = [await Process.join(), await Process.join()]
    await rounds(3, first, second)
    const before = second.leads.size
    await rounds(3, second)
    expect(second.leads.size).toBe(before)
    await rounds(4, second)
    expect(led(second)).toEqual([...pieces].sort())
  })

  it('tell the one that slept through its lease that it lost it', async () => {
    const [first, second] = [await Process.join(), await Process.join()]
    await rounds(3, first, second)
    await rounds(8, second)
    await rounds(3, first, second)
    expect(led(first, second)).toEqual([...pieces].sort())
  })
})

it(
  'After any joins, leaves, deaths and pauses, each piece is soon led by exactly one living process',
  { tags: 'long' },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('join', 'leave', 'die', 'round', 'sleep'), { maxLength: 25 }),
        fc.infiniteStream(fc.nat()),
        async (steps, numbers) => {
          let alive: Process[] = [await Process.join()]
          for (const step of steps) {
            const one = alive[(numbers.next().value ?? 0) % alive.length]
            if (step === 'join') alive.push(await Process.join())
            if (step === 'round') await one?.round()
            if (step === 'sleep') elapsed += lifeMs * 2
            if ((step === 'leave' || step === 'die') && alive.length > 1) {
              if (step === 'leave') await one?.leases.leave()
              alive = alive.filter((other) => other !== one)
            }
          }
          await rounds(12, ...alive)
          expect(led(...alive)).toEqual([...pieces].sort())
          const sizes = alive.map(({ leads }) => leads.size)
          expect(Math.max(...sizes)).toBeLessThanOrEqual(Math.ceil(pieces.length / alive.length))
          // Resets the leases for the next run.
          for (const process of alive) await process.leases.leave()
          elapsed += lifeMs * 10
        },
      ),
      { numRuns: 40 },
    )
  },
)
