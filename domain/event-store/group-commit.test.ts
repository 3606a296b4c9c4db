import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { GroupCommit } from './group-commit.ts'

const maxWaitMs = 5

let flushes: number
const opened = (waitMs: number) =>
  new GroupCommit(
    (work) => {
      flushes += 1
      work()
    },
    () => false,
    waitMs,
  )
/** Time stands still unless a test moves it. */
beforeEach(() => {
  flushes = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => void vi.useRealTimers())

const write = (group: GroupCommit) => group.add(() => undefined)
const together = (group: GroupCommit, writers: number) =>
  Promise.all(Array.from({ length: writers }, () => write(group)))
/** Longer than any tick that a group without a wait needs. */
const someTicks = async () => {
  for (let tick = 0; tick < 5; tick++) await new Promise((resolve) => setImmediate(resolve))
}

it('Given one writer at a time, no commit waits', async () => {
  const group = opened(maxWaitMs)
  for (let round = 0; round < 10; round++) await write(group)
  expect(flushes).toBe(10)
})

it('Given concurrent writers, those of later ticks share the flush', async () => {
  const group = opened(maxWaitMs)
  await together(group, 3)
  const writes: Promise<void>[] = []
  for (let writer = 0; writer < 3; writer++) {
    writes.push(write(group))
    await someTicks()
  }
  await Promise.all(writes)
  expect(flushes).toBe(2)
})

it('Given writes that arrive in every turn, a group grows beyond the last one', async () => {
  const group = opened(maxWaitMs)
  await together(group, 2)
  const writes: Promise<void>[] = []
  for (let turn = 0; turn < 10; turn++) {
    writes.push(write(group))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(writes)
  expect(flushes).toBe(2)
})

it('Given concurrent writers of which one is left, it waits once, and then no more', async () => {
  const group = opened(maxWaitMs)
  await together(group, 8)
  const last = write(group)
  await someTicks()
  expect(flushes).toBe(1)
  vi.advanceTimersByTime(maxWaitMs)
  await last
  await write(group)
  expect(flushes).toBe(3)
})

it('Given a file whose writers never wait, concurrent writes of one tick share a flush, and the next is not delayed', async () => {
  const group = opened(0)
  await together(group, 8)
  await write(group)
  expect(flushes).toBe(2)
})

it('Given writes that take long, a transaction ends early, and the others follow in further ones', async () => {
  const group = opened(0)
  const long = () => void vi.advanceTimersByTime(11)
  let turns = 0
  let next: NodeJS.Immediate
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  next = setImmediate(count)
  await Promise.all([group.add(long), group.add(long), group.add(long)])
  clearImmediate(next)
  expect(flushes).toBe(3)
  expect(turns).toBeGreaterThan(0)
})

it('Given a transaction that fails, its writes fail, and those behind them do not', async () => {
  let isBroken = true
  const group = new GroupCommit(
    (work) => {
      work()
      if (isBroken) throw new Error('disk full')
    },
    () => true,
    0,
  )
  const failing = together(group, 2)
  await expect(failing).rejects.toThrow('disk full')
  isBroken = false
  await write(group)
})
