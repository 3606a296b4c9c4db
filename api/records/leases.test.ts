import * as fc from 'fast-check'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { around, type Around } from '../../domain/test/around.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { openEmbeddedRecords } from './embedded.ts'
import type { Records } from './port.ts'
import { leases, Leases, type HolderRecord } from './leases.ts'

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

let commands: number
const counting: Around = (_, command) => {
  commands += 1
  return command()
}
const recordsAround = (call: Around): Records => ({
  ...records,
  table: async (definition) => around(await records.table(definition), call),
})

/** One process, with the pieces that it leads after each round. */
class Process {
  leads: ReadonlySet<string> = new Set<string>()
  private constructor(readonly leases: Leases) {}
  /** @param call what happens around each command to its tables */
  static async join(call = counting): Promise<Process> {
    return new Process(await Leases.open(recordsAround(call), pieces, { lifeMs, elapsed: () => elapsed }))
  }
  async round(): Promise<void> {
    const { led, surplus } = await this.leases.round()
    this.leads = new Set(led)
    await this.leases.give(surplus)
  }
}
/** Fails the commands of the given numbers, the first one being 0, each before or after it took effect. */
function failing(numbers: ReadonlySet<number>, when: 'before' | 'after'): Around {
  let number = 0
  return async (_, command) => {
    const fails = numbers.has(number++)
    if (fails && when === 'before') throw new Error('The store is away')
    const result = await command()
    if (fails) throw new Error('The connection broke before the answer came')
    return result
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
    const { led, surplus } = await only.leases.round()
    expect({ led: led.toSorted(), surplus }).toEqual({ led: [...pieces].sort(), surplus: [] })
  })

  it('whose commands each take a fifth of a lifetime is not taken for one that was paused', async () => {
    let count = 0
    const slow = await Process.join(async (_, command) => {
      count += 1
      elapsed += lifeMs / 5
      return command()
    })
    for (let round = 0; round < 3; round++) await slow.round()
    count = 0
    for (let round = 0; round < 10; round++) {
      elapsed += lifeMs / 4
      await slow.round()
    }
    // Its beat, the assignment and the holders, and two further beats; nothing is written to the assignment.
    expect(count).toBe(50)
  })
})

it('The records that an earlier version kept for each lease are removed', async () => {
  const table = await records.table<HolderRecord>(leases)
  for (const piece of pieces) await table.put({ id: `lease:${piece}`, kind: 'lease', holder: 'dead', beat: 'old' })
  await (await Process.join()).round()
  expect((await table.first('id', 10)).map(({ id }) => id.split(':')[0])).toEqual(['assignment', 'holder'])
})

describe('Two processes', () => {
  it('of different groups each lead their own piece of the same name', async () => {
    const first = await Process.join()
    await first.round()
    const other = await Leases.open(records, ['posts'], { lifeMs, group: 'other', elapsed: () => elapsed })
    expect(await other.round()).toEqual({ led: ['posts'], surplus: [] })
    await first.round()
    expect([...first.leads].sort()).toEqual([...pieces].sort())
  })

  it('hand over in four rounds of at most six commands each, however many pieces there are', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `piece-${index}`)
    const open = () => Leases.open(recordsAround(counting), many, { lifeMs, elapsed: () => elapsed })
    const [first, second] = [await open(), await open()]
    const shares = []
    for (const one of [first, second, first, second]) {
      commands = 0
      const { led, surplus } = await one.round()
      await one.give(surplus)
      shares.push(led.length)
      expect(commands).toBeLessThanOrEqual(6)
    }
    expect(shares).toEqual([200, 0, 100, 100])
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

  it('never both take a lease that one renews late while the other reads their beats', async () => {
    let renews: (() => Promise<void>) | null = null
    const second = await Process.join(async (name, command) => {
      const result = await command()
      const now = name === 'find' ? renews : null
      if (now) renews = null
      await now?.()
      return result
    })
    const first = await Process.join()
    await rounds(3, first, second)
    elapsed += lifeMs * 1.1
    renews = () => first.round()
    await second.round()
    expect(led(first, second)).toEqual([...pieces].sort())
  })

  it('tell apart a holder whose record is gone: its leases are free', async () => {
    const [first, second] = [await Process.join(), await Process.join()]
    await rounds(3, first, second)
    const table = await records.table<HolderRecord>(leases)
    const [one] = await table.find('kind', 'holder', 10)
    await first.round()
    for (const { id, beat } of await table.find('kind', 'holder', 10))
      if (id !== one?.id || beat !== one.beat) await table.remove(id)
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

  it('each keep their share when the store is so slow that a round lasts longer than a lease', async () => {
    const second = await Process.join()
    const seen: number[] = []
    let watched = elapsed
    const first = await Process.join(async (_, command) => {
      elapsed += lifeMs / 3
      const result = await command()
      for (; watched < elapsed; watched += lifeMs / 4) {
        await second.round()
        seen.push(second.leads.size)
      }
      return result
    })
    await first.round()
    await first.round()
    expect(Math.max(...seen.slice(-10))).toBeLessThanOrEqual(3)
    await rounds(3, first, second)
    expect(led(first, second)).toEqual([...pieces].sort())
  })

  it.each(['before', 'after'] as const)(
    'lead every piece though each command of the one that hands over its surplus failed once, %s it took effect',
    async (when) => {
      for (let failed = 0; failed < 20; failed++) {
        const numbers = new Set<number>()
        const [first, second] = [await Process.join(failing(numbers, when)), await Process.join()]
        for (let number = 20; number < 500; number += 20) numbers.add(number + failed)
        await first.round()
        for (let round = 0; round < 12; round++) {
          await first.round().catch(() => {})
          await second.round()
          elapsed += lifeMs / 4
        }
        numbers.clear()
        await rounds(3, first, second)
        expect({ failed, led: led(first, second) }).toEqual({ failed, led: [...pieces].sort() })
        for (const process of [first, second]) await process.leases.leave()
      }
    },
  )

  it('tell the one that slept through its lease that it lost it', async () => {
    const [first, second] = [await Process.join(), await Process.join()]
    await rounds(3, first, second)
    await rounds(8, second)
    await rounds(3, first, second)
    expect(led(first, second)).toEqual([...pieces].sort())
  })
})

it(
  'After any joins, leaves, deaths, pauses and failed commands, each piece is soon led by exactly one living process',
  { tags: 'long' },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('join', 'leave', 'die', 'round', 'failing round', 'sleep'), { maxLength: 25 }),
        fc.infiniteStream(fc.nat()),
        async (steps, numbers) => {
          const number = () => numbers.next().value ?? 0
          let failsAt: number | null = null
          const failingOnce: Around = async (_, command) => {
            if (failsAt === null || failsAt-- > 0) return command()
            const result = number() % 2 === 0 ? await command() : null
            throw new Error(`No answer after ${JSON.stringify(result)}`)
          }
          let alive: Process[] = [await Process.join(failingOnce)]
          for (const step of steps) {
            const one = alive[number() % alive.length]
            if (step === 'join') alive.push(await Process.join(failingOnce))
            if (step === 'round') await one?.round()
            if (step === 'failing round') {
              failsAt = number() % 12
              await one?.round().catch(() => {})
              failsAt = null
            }
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

it('In any order of the commands of three processes, and at any speed, no two are sure of the same piece', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          process: fc.nat(2),
          commands: fc.integer({ min: 1, max: 6 }),
          takes: fc.constantFrom(0, 0, lifeMs / 10, lifeMs / 3, lifeMs * 1.1),
        }),
        { minLength: 40, maxLength: 80 },
      ),
      async (steps) => {
        const waiting = new Map<number, () => void>()
        const commandsWait = { on: false }
        const stepped = (number: number) =>
          Process.join(async (_, command) => {
            if (commandsWait.on) await new Promise<void>((resolve) => waiting.set(number, resolve))
            return command()
          })
        const running = [await stepped(0), await stepped(1), await stepped(2)]
        commandsWait.on = true
        const rounds = running.map(async (one) => {
          while (commandsWait.on) await one.round()
        })
        try {
          for (const { process, commands, takes } of steps) {
            elapsed += takes
            for (let left = commands; left > 0; left--) {
              waiting.get(process)?.()
              await new Promise((resolve) => setImmediate(resolve))
              const sure = running.filter(({ leases }) => leases.isSure).flatMap(({ leads }) => [...leads])
              expect(new Set(sure).size).toBe(sure.length)
            }
          }
        } finally {
          commandsWait.on = false
          for (const go of waiting.values()) go()
          await Promise.all(rounds)
        }
        for (const one of running) await one.leases.leave()
        elapsed += lifeMs * 10
      },
    ),
    { numRuns: 40 },
  )
})
