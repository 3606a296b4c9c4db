import * as fc from 'fast-check'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { around, type Around } from '../../domain/test/around.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { sample } from '../../domain/test/sample.ts'
import { openEmbeddedRecords } from './embedded.ts'
import { boundedRecords } from './bounded.ts'
import type { Records } from './port.ts'
import { assignmentId, leases, Leases, type AssignmentRecord, type HolderRecord } from './leases.ts'

const pieces = ['agency', 'clients', 'posts', 'calendar', 'analytics']
const lifeMs = 1_000
const options = { lifeMs, group: 'projectors' } as const
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
  private constructor(
    readonly leases: Leases,
    private readonly pieces: readonly string[],
  ) {}
  /**
   * @param call what happens around each command to its tables
   * @param its the pieces that it can lead
   */
  static async join(call = counting, its = pieces): Promise<Process> {
    return new Process(await Leases.open(recordsAround(call), its, { ...options, elapsed: () => elapsed }), its)
  }
  /** Those that it works on by the clock of this moment. */
  get sure(): readonly string[] {
    return this.pieces.filter((piece) => this.leases.leads(piece))
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
/** A process of which one round can stop before it writes the assignment. @param its the pieces that it can lead */
async function joinWithSlowWrite(its = pieces) {
  let isSlow = false
  let stopped = () => {}
  let goOn = () => {}
  let round: Promise<void> = Promise.resolve()
  const process = await Process.join(async (name, command) => {
    if (name === 'replace' && isSlow) {
      isSlow = false
      stopped()
      await new Promise<void>((resolve) => (goOn = resolve))
    }
    return command()
  }, its)
  return {
    process,
    /** Begins a round, up to its write. */
    async begin() {
      const hasStopped = new Promise<void>((resolve) => (stopped = resolve))
      isSlow = true
      round = process.round()
      await hasStopped
    },
    /** Writes, and ends that round. */
    async write() {
      goOn()
      await round
    },
  }
}
/** Changes the assignment's version only, as a process does that has taken a piece which no process here knows. */
async function otherChange(): Promise<void> {
  const table = await records.table<AssignmentRecord>(leases)
  const found = await table.get(assignmentId('projectors'))
  if (found) await table.replace(found.record, found.version)
}
const rounds = async (count: number, ...processes: readonly Process[]) => {
  for (let round = 0; round < count; round++) {
    for (const process of processes) await process.round()
    elapsed += lifeMs / 4
  }
}
const twice = (one: Process, other: Process) => one.sure.filter((piece) => other.sure.includes(piece))
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

describe('Two processes', () => {
  it('of different groups each lead their own piece of the same name', async () => {
    const first = await Process.join()
    await first.round()
    const other = await Leases.open(records, ['posts'], { lifeMs, group: 'workers', elapsed: () => elapsed })
    expect(await other.round()).toEqual({ led: ['posts'], surplus: [] })
    await first.round()
    expect([...first.leads].sort()).toEqual([...pieces].sort())
  })

  it('hand over in four rounds of at most six commands each, however many pieces there are', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `piece-${index}`)
    const open = () => Leases.open(recordsAround(counting), many, { ...options, elapsed: () => elapsed })
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

  it('never both lead a piece after a slow answer to the question for the beats', async () => {
    let slow: (() => Promise<void>) | null = null
    const second = await Process.join(async (name, command) => {
      const result = await command()
      const now = name === 'find' ? slow : null
      if (now) slow = null
      await now?.()
      return result
    })
    const first = await Process.join()
    await rounds(3, first, second)
    slow = () => rounds(5, first)
    await second.round()
    expect(twice(first, second)).toEqual([])
  })

  it('never both lead a piece after one has woken up while the other removes its record', async () => {
    let wakes: (() => Promise<void>) | null = null
    const second = await Process.join(async (name, command) => {
      const now = name === 'remove' ? wakes : null
      if (now) wakes = null
      await now?.()
      return command()
    })
    const first = await Process.join()
    await rounds(3, first, second)
    elapsed += lifeMs * 10.1
    wakes = () => first.round()
    await second.round()
    expect(wakes).toBeNull()
    expect(twice(first, second)).toEqual([])
  })

  it('never both lead a piece whose giving back had no answer, and took effect later', async () => {
    let late: (() => Promise<unknown>) | null = null
    let isCut = false
    const first = await Process.join(async (name, command) => {
      if (!isCut || name !== 'replace') return command()
      isCut = false
      late = command
      throw new Error('No answer in time')
    })
    const second = await Process.join()
    await rounds(1, first)
    await second.round()
    isCut = true
    await first.round().catch(() => {})
    await second.leases.leave()
    await rounds(2, first)
    expect(first.sure.toSorted()).toEqual(pieces.toSorted())
    await (late as (() => Promise<unknown>) | null)?.()
    const third = await Process.join()
    await third.round()
    expect(twice(first, third)).toEqual([])
  })

  it('never both lead a piece after one was late between its reading and its writing of the assignment', async () => {
    const { process: second, ...slow } = await joinWithSlowWrite()
    let isLate = false
    const first = await Process.join(async (name, command) => {
      const result = await command()
      if (!isLate || name !== 'find') return result
      isLate = false
      await second.round()
      elapsed += lifeMs * 1.1
      await otherChange()
      // Takes the first one for dead.
      await slow.begin()
      return result
    })
    await rounds(3, first, second)
    isLate = true
    await first.round()
    await slow.write()
    expect(twice(first, second)).toEqual([])
    expect(led(first, second)).toEqual([...pieces].sort())
  })

  it('never both lead a piece whose taking had no answer, took effect later, and was followed by a pause', async () => {
    // Neither has a surplus: giving one back would change the assignment in time.
    const only = ['posts']
    const { process: second, ...slow } = await joinWithSlowWrite(only)
    let late: (() => Promise<unknown>) | null = null
    let isLate = false
    const first = await Process.join(async (name, command) => {
      if (name === 'insert' && late === null) {
        late = command
        throw new Error('No answer in time')
      }
      const result = await command()
      if (name !== 'find' || late === null || isLate) return result
      isLate = true
      elapsed = lifeMs * 0.35
      await late()
      elapsed = lifeMs * 0.4
      await second.round()
      elapsed = lifeMs * 1.42
      // Takes the first one for dead.
      await slow.begin()
      return result
    }, only)
    await expect(first.round()).rejects.toThrow('No answer in time')
    elapsed = lifeMs * 0.3
    await first.round()
    await slow.write()
    expect(twice(first, second)).toEqual([])
    await rounds(3, first, second)
    expect(led(first, second)).toEqual(only)
  })

  it('never both lead a piece after the other took it before the last try of a round', async () => {
    const { process: second, ...slow } = await joinWithSlowWrite()
    let tries = Number.NaN
    const first = await Process.join(async (name, command) => {
      if (name === 'find') tries += 1
      if (name === 'find' && tries === 1) await otherChange()
      if (name === 'find' && tries === 2) {
        await second.round()
        elapsed += lifeMs * 1.1
        await otherChange()
        // Takes the first one for dead.
        await slow.begin()
      }
      if (name === 'replace' && tries === 3) await slow.write()
      return command()
    })
    await rounds(3, first, second)
    elapsed += lifeMs * 1.1
    tries = 0
    await first.round()
    expect(tries).toBe(3)
    expect(second.sure).toHaveLength(pieces.length)
    expect(first.sure).toEqual([])
    await rounds(3, first, second)
    expect(twice(first, second)).toEqual([])
    expect(led(first, second)).toEqual([...pieces].sort())
  })

  it('of two versions lead all pieces together, those first that only one of them can lead', async () => {
    const fewer = ['a', 'b', 'c', 'd']
    const more = [...fewer, 'x', 'y']
    for (const [former, latter] of [
      [fewer, more],
      [more, fewer],
    ] as const) {
      const first = await Process.join(counting, [...former])
      await rounds(2, first)
      const second = await Process.join(counting, [...latter])
      await rounds(6, first, second)
      expect(led(first, second)).toEqual(more)
      for (const one of [first, second]) await one.leases.leave()
    }
  })

  it('tell apart a holder whose record is gone: its leases are free', async () => {
    const [first, second] = [await Process.join(), await Process.join()]
    await rounds(3, first, second)
    const table = await records.table<HolderRecord>(leases)
    const [one] = await table.find('kind', 'projectors', 10)
    await first.round()
    for (const { id, beat } of await table.find('kind', 'projectors', 10))
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

describe('Many processes', () => {
  it('that were all late at once lead everything again after one round', { tags: 'long' }, async () => {
    const many = Array.from({ length: 60 }, (_, index) => `piece-${index}`)
    const waiting: (() => void)[] = []
    const isSlow = { on: false }
    const join = () =>
      Process.join(async (_, command) => {
        if (isSlow.on) await new Promise<void>((resolve) => waiting.push(resolve))
        return command()
      }, many)
    const all = await Promise.all(Array.from({ length: 50 }, join))
    await rounds(8, ...all)
    elapsed += lifeMs * 2
    isSlow.on = true
    const underWay = new Set(all)
    const ended = Promise.all(all.map((one) => one.round().finally(() => underWay.delete(one))))
    while (underWay.size > 0) {
      elapsed += lifeMs / 100
      for (const go of waiting.splice(0)) go()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await ended
    expect(all.flatMap((one) => one.sure).sort()).toEqual(many.toSorted())
  })

  it('remove the dead ones that fill the table', async () => {
    const bound = { what: '', each: null, inAll: 50, atMaximum: { act: 'refuse', sentence: 'full' }, kept: '' } as const
    const table = await records.table<HolderRecord>(leases)
    for (let number = 0; number < bound.inAll; number++)
      await table.put({ id: `holder:${number}`, kind: 'projectors', holder: `${number}`, beat: 'old', pieces })
    const bounded = boundedRecords(records, { bounds: { leases: bound }, elapsed: () => elapsed })
    const only = await Leases.open(bounded, pieces, { ...options, elapsed: () => elapsed })
    for (let round = 0; round < 60; round++) {
      await only.round().catch(() => {})
      elapsed += lifeMs / 4
    }
    expect((await only.round()).led).toEqual(pieces)
  })

  it('take nothing while they are so many that one query does not find them all', { tags: 'long' }, async () => {
    const table = await records.table<HolderRecord>(leases)
    for (let number = 0; number < 1_000; number++)
      await table.put({ id: `holder:0-${number}`, kind: 'projectors', holder: `${number}`, beat: 'old', pieces })
    const one = await Process.join()
    await expect(one.round()).rejects.toThrow('More than 1000 processes share this work')
    for (let round = 0; round < 60; round++) {
      await one.round().catch(() => {})
      elapsed += lifeMs / 4
    }
    await one.round()
    expect(one.sure).toEqual(pieces)
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

it(
  'In any order of the commands and answers of three processes, at any speed, and with lost answers, no two lead the same piece',
  { tags: 'long' },
  async () => {
    // Processes that are late all the time lead nothing, and show nothing.
    const takes = fc.oneof(
      { weight: 12, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.constantFrom(lifeMs / 10, lifeMs / 10, lifeMs / 3) },
      { weight: 1, arbitrary: fc.constantFrom(lifeMs * 1.1, lifeMs * 1.1, lifeMs * 1.1, lifeMs * 10.1) },
    )
    /** A command without an answer takes effect at once, not at all, or later. */
    const answer = fc.oneof(
      { weight: 9, arbitrary: fc.constant('comes') },
      { weight: 1, arbitrary: fc.constantFrom('done', 'not done', 'done later') },
    )
    /** After how many commands at least two processes led something. */
    let shared = 0
    class NoAnswer extends Error {}
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            process: fc.nat(2),
            commands: fc.integer({ min: 1, max: 10 }),
            takes,
            answer,
            before: fc.constantFrom('nothing', 'late commands', 'change of the assignment'),
          }),
          { minLength: 60, maxLength: 120 },
        ),
        async (steps) => {
          const waiting = new Map<number, () => void>()
          const nextAnswer = new Map<number, string>()
          const later: (() => Promise<unknown>)[] = []
          const commandsWait = { on: false }
          const stepped = (number: number) =>
            Process.join(async (_, command) => {
              const wait = async () => {
                if (commandsWait.on) await new Promise<void>((resolve) => waiting.set(number, resolve))
              }
              await wait()
              const answer = nextAnswer.get(number) ?? 'comes'
              nextAnswer.delete(number)
              if (answer === 'done later') later.push(command)
              const result = answer === 'comes' || answer === 'done' ? await command() : null
              await wait()
              if (answer !== 'comes') throw new NoAnswer()
              return result
            })
          const running = [await stepped(0), await stepped(1), await stepped(2)]
          commandsWait.on = true
          const rounds = running.map(async (one) => {
            while (commandsWait.on)
              await one.round().catch((error: unknown) => {
                if (!(error instanceof NoAnswer)) throw error
              })
          })
          try {
            for (const { process, commands, takes, answer, before } of steps) {
              elapsed += takes
              if (before === 'late commands') await Promise.all(later.splice(0).map((command) => command()))
              if (before === 'change of the assignment') await otherChange()
              if (answer !== 'comes') nextAnswer.set(process, answer)
              for (let left = commands; left > 0; left--) {
                waiting.get(process)?.()
                await new Promise((resolve) => setImmediate(resolve))
                const sure = running.flatMap((one) => one.sure)
                expect(new Set(sure).size).toBe(sure.length)
                if (running.filter((one) => one.sure.length > 0).length > 1) shared += 1
              }
            }
          } finally {
            commandsWait.on = false
            nextAnswer.clear()
            for (const go of waiting.values()) go()
            await Promise.all(rounds)
          }
          for (const one of running) await one.leases.leave()
          await (await records.table<AssignmentRecord>(leases)).remove(assignmentId('projectors'))
          elapsed += lifeMs * 10
        },
      ),
      { numRuns: sample('LEASE_RUNS', { test: 40, long: 200 }), endOnFailure: true },
    )
    expect(shared).toBeGreaterThan(0)
  },
)
