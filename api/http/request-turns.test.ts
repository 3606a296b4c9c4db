import { describe, expect, it } from 'vitest'
import { RequestTurns } from './request-turns.ts'

const busyFor = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe('Requests', () => {
  it('start at once while the turn has time left', () => {
    const turns = new RequestTurns(Infinity, () => 0)
    const started: number[] = []
    for (const each of [1, 2, 3]) turns.start('a', () => void started.push(each))
    expect(started).toEqual([1, 2, 3])
  })
  it('of another address start after one of the flood, not after all of it [S26]', async () => {
    const turns = new RequestTurns()
    const started: string[] = []
    const slow = (name: string) => () => {
      busyFor(10)
      started.push(name)
    }
    for (let each = 0; each < 20; each++) turns.start('flood', slow(`flood ${each}`))
    turns.start('person', slow('person'))
    while (turns.waiting > 0) await nextTurn()
    expect(started.indexOf('person')).toBeLessThanOrEqual(2)
    expect(started).toHaveLength(21)
    expect(started.filter((name) => name !== 'person')).toEqual(
      Array.from({ length: 20 }, (_, each) => `flood ${each}`),
    )
  })
  it('yield to the event loop in between', async () => {
    const turns = new RequestTurns()
    let turned = 0
    const timer = setInterval(() => (turned += 1), 1)
    for (let each = 0; each < 20; each++) turns.start('flood', () => busyFor(10))
    while (turns.waiting > 0) await nextTurn()
    clearInterval(timer)
    expect(turned).toBeGreaterThan(10)
  })
  it('yield to the event loop when their work follows an await', async () => {
    const turns = new RequestTurns()
    let turned = 0
    const timer = setInterval(() => (turned += 1), 1)
    turns.start('flood', () => busyFor(10))
    for (let each = 0; each < 20; each++)
      turns.start('flood', async () => {
        await Promise.resolve()
        busyFor(10)
      })
    while (turns.waiting > 0) await nextTurn()
    clearInterval(timer)
    expect(turned).toBeGreaterThan(10)
  })
  it('of one source over its limit of running requests wait until one ends', async () => {
    const turns = new RequestTurns(2)
    const ends: (() => void)[] = []
    const started: number[] = []
    for (const each of [1, 2, 3, 4])
      turns.start('a', () => new Promise<void>((resolve) => (started.push(each), ends.push(resolve))))
    const own = turns.run('b', () => Promise.resolve('of another source'))
    await expect(own).resolves.toBe('of another source')
    expect(started).toEqual([1, 2])
    ends[0]?.()
    await expect.poll(() => started).toEqual([1, 2, 3])
    ends[1]?.()
    ends[2]?.()
    await expect.poll(() => started).toEqual([1, 2, 3, 4])
    expect(turns.waiting).toBe(0)
  })
  it('pass their outcome and errors to the caller', async () => {
    const turns = new RequestTurns(1)
    const failed = turns.run('a', () => Promise.reject(new Error('no')))
    const done = turns.run('a', () => Promise.resolve(1))
    await expect(failed).rejects.toThrow('no')
    await expect(done).resolves.toBe(1)
  })
  it('of one address may only queue up to a limit, and those of others are not refused for it', () => {
    const turns = new RequestTurns()
    turns.start('a', () => busyFor(10))
    const taken = Array.from({ length: 1_200 }, () => turns.start('a', () => undefined))
    expect(taken.filter(Boolean)).toHaveLength(1_000)
    expect(turns.start('b', () => undefined)).toBe(true)
  })
})
