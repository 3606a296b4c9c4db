import { describe, expect, it } from 'vitest'
import { Crowded, FairQueue, type Bounds } from './fair-queue.ts'

/** A queue whose jobs end on demand, with a record of the order in which they started. */
function workshop(bounds: Partial<Bounds> = {}) {
  const queue = new FairQueue({ atOnce: 1, maxWaiting: 6, maxOfSource: 6, ...bounds })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const refused: string[] = []
  const ask = (name: string, source = 'stranger', isKnown = false) => {
    const work = () =>
      new Promise<void>((resolve) => {
        begun.push(name)
        ends.push(resolve)
      })
    return queue.run({ source, isKnown }, work).catch((error: unknown) => {
      if (!(error instanceof Crowded)) throw error
      refused.push(name)
    })
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const endAll = async () => {
    await settled()
    while (ends.length > 0) {
      ends.shift()?.()
      await settled()
    }
  }
  return { queue, ask, begun, refused, settled, endAll }
}

describe('a fair queue', () => {
  it('runs a limited number of jobs at once', async () => {
    const { ask, begun, settled, endAll } = workshop({ atOnce: 2 })
    for (const name of ['a', 'b', 'c', 'd']) void ask(name)
    await settled()
    expect(begun).toEqual(['a', 'b'])
    await endAll()
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })

  it('continues after a failed job', async () => {
    const { queue, ask, begun, endAll } = workshop()
    const failing = queue.run({ source: 'x', isKnown: false }, () => Promise.reject(new Error('broken')))
    void ask('next')
    await expect(failing).rejects.toThrow('broken')
    await endAll()
    expect(begun).toEqual(['next'])
  })

  it('gives each source its turn, however many jobs another source has [S18]', async () => {
    const { ask, begun, endAll } = workshop()
    for (const name of ['flood 1', 'flood 2', 'flood 3', 'flood 4']) void ask(name, 'flood')
    void ask('somebody', 'elsewhere')
    await endAll()
    expect(begun.slice(0, 3)).toEqual(['flood 1', 'flood 2', 'somebody'])
  })

  it('alternates between strangers and known users', async () => {
    const { ask, begun, endAll } = workshop()
    void ask('first')
    for (const name of ['s1', 's2', 's3']) void ask(name, name)
    for (const name of ['k1', 'k2', 'k3']) void ask(name, name, true)
    await endAll()
    expect(begun).toEqual(['first', 'k1', 's1', 'k2', 's2', 'k3', 's3'])
  })

  it('has separate limits for strangers and for known users', async () => {
    const { queue, ask, refused, settled, endAll } = workshop({ maxWaiting: 2 })
    for (const name of ['running', 's1', 's2', 's3']) void ask(name, name)
    for (const name of ['k1', 'k2', 'k3']) void ask(name, name, true)
    await settled()
    expect({ refused, waiting: queue.waiting }).toEqual({ refused: ['s3', 'k3'], waiting: 4 })
    await endAll()
    expect(queue.waiting).toBe(0)
  })

  it('has a limit per source', async () => {
    const { ask, refused, settled, endAll } = workshop({ maxOfSource: 2 })
    for (const name of ['running', 'a1', 'a2', 'a3']) void ask(name, 'a')
    void ask('b1', 'b')
    await settled()
    expect(refused).toEqual(['a3'])
    await endAll()
  })

  it('that is full makes room for a new source, at the expense of the largest', async () => {
    const { ask, begun, refused, settled, endAll } = workshop({ maxWaiting: 4 })
    for (const name of ['running', 'a1', 'a2', 'a3']) void ask(name, 'a')
    void ask('b1', 'b')
    void ask('c1', 'c')
    await settled()
    expect(refused).toEqual(['a3'])
    await endAll()
    expect(begun).toEqual(['running', 'a1', 'b1', 'c1', 'a2'])
  })
})
