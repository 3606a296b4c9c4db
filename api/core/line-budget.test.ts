import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LineBudget, type Suppressed } from './line-budget.ts'

describe('a budget of log lines', () => {
  let result: Suppressed[]
  beforeEach(() => {
    result = []
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => void vi.useRealTimers())
  const open = (perSource: number, inAll: number) =>
    new LineBudget({ perSource, inAll }, (suppressed) => result.push(suppressed))
  const written = (budget: LineBudget, times: number, source: (time: number) => string) =>
    Array.from({ length: times }, (_, time) => budget.mayWrite(source(time))).filter(Boolean).length

  it('lets a source write a number of lines per window, and reports the suppressed ones without another line', () => {
    const budget = open(10, 100)
    expect([written(budget, 500, () => 'a'), written(budget, 5, () => 'b')]).toEqual([10, 5])
    expect(result).toEqual([])
    vi.advanceTimersByTime(60_000)
    expect(result).toEqual([{ lines: 490, sources: 1, most: [['a', 490]] }])
    expect(written(budget, 20, () => 'a')).toBe(10)
  })

  it('limits all sources together, and names those with the most lines', () => {
    const budget = open(10, 100)
    expect(written(budget, 50_000, (time) => (time % 5 === 0 ? 'loud' : `made up ${time}`))).toBe(100)
    vi.advanceTimersByTime(60_000)
    expect(result[0]?.lines).toBe(49_900)
    expect(result[0]?.most).toHaveLength(5)
    expect(result[0]?.most[0]?.[0]).toBe('loud')
    expect(JSON.stringify(result).length).toBeLessThan(300)
  })

  it('reports nothing when nothing was suppressed, and no timer outlives its window', () => {
    const budget = open(10, 100)
    written(budget, 10, () => 'a')
    vi.advanceTimersByTime(60_000)
    expect(result).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('reports the remaining count when it ends', () => {
    const budget = open(1, 100)
    written(budget, 3, () => 'a')
    budget.end()
    expect(result).toEqual([{ lines: 2, sources: 1, most: [['a', 2]] }])
    expect(vi.getTimerCount()).toBe(0)
  })
})
