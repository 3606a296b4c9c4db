import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RemoteProjectionWatcher } from './remote-projection-watcher.ts'
import { tallyProjection } from './test/helpers.ts'

const projections = Array.from({ length: 6 }, (_, n) => tallyProjection({ name: `tally${n}` }))
const answerMs = 1

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const positionOf = (write: number) => String(write).padStart(16, '0')

/** A watcher over views that have each write this long after its append. */
async function startWatcher(visibleAfterMs: () => number) {
  const visible: { readonly at: number; readonly position: string }[] = []
  let looks = 0
  const watcher = new RemoteProjectionWatcher(
    projections,
    {
      events: { read: async function* () {} },
      store: {
        liveCollections: async () => new Map(projections.map(({ name }) => [name, `${name}_v1`])),
        async checkpoints(collections) {
          looks += 1
          await new Promise((resolve) => setTimeout(resolve, answerMs))
          const reached = visible.filter(({ at }) => at <= performance.now()).map(({ position }) => position)
          return new Map(collections.map((collection) => [collection, reached.toSorted().at(-1) ?? null]))
        },
      },
      onError: () => expect.unreachable(),
    },
    { lookEveryMs: 3_600_000 },
  )
  await watcher.start()
  let written = 0
  return {
    watcher,
    looks: () => looks,
    /** Appends, waits until the views have it, and returns how long that took. */
    async write(): Promise<number> {
      const position = positionOf(++written)
      const began = performance.now()
      visible.push({ at: began + visibleAfterMs(), position })
      const event = { type: 'PostWritten', stream: `post-${written}`, revision: 0, position }
      expect(await watcher.waitFor([event], 2_000)).toBe(true)
      return performance.now() - began
    },
  }
}

/** Lets time pass until the work is done. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const over = work.finally(() => ended.abort())
  over.catch(() => {})
  for (let ms = 0; ms < 100_000 && !ended.signal.aborted; ms++) await vi.advanceTimersByTimeAsync(1)
  return over
}

it.each([2, 6, 15, 40, 90, 300])(
  'A lone write that is visible after %i ms takes at most 2 looks, for six views together, and is seen soon',
  { tags: 'long' },
  async (ms) => {
    let turn = 0
    const on = await startWatcher(() => ms * (1 + ((turn++ % 4) - 1) / 10))
    const writes = async (count: number) => {
      const times: number[] = []
      for (let write = 0; write < count; write++) times.push(await on.write())
      return times.toSorted((one, other) => one - other)
    }
    await inTime(writes(20))
    const before = on.looks()
    const times = await inTime(writes(100))
    expect((on.looks() - before) / times.length).toBeLessThanOrEqual(2)
    expect(times[50]).toBeLessThanOrEqual(1.5 * ms + 2 * answerMs)
    on.watcher.stop()
  },
)

it('The waits of many users share their looks', async () => {
  const on = await startWatcher(() => 20)
  await inTime(Promise.all(Array.from({ length: 20 }, () => on.write())))
  const before = on.looks()
  await inTime(
    Promise.all(
      Array.from({ length: 32 }, async () => {
        for (let write = 0; write < 10; write++) await on.write()
      }),
    ),
  )
  expect((on.looks() - before) / 320).toBeLessThanOrEqual(0.5)
  on.watcher.stop()
})
