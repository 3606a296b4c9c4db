import { describe, expect, it } from 'vitest'
import { UsedIds } from './used-ids.ts'

describe('Used ids', () => {
  it('stay as they were in each earlier list, also when two lists follow one', () => {
    const one = UsedIds.none.with('a')
    const two = one.with('b')
    const other = one.with('c')
    const further = two.with('d')
    expect([UsedIds.none, one, two, other, further].map((list) => [...list])).toEqual([
      [],
      ['a'],
      ['a', 'b'],
      ['a', 'c'],
      ['a', 'b', 'd'],
    ])
    expect([one.has('b'), two.has('b'), other.has('b'), two.has('c')]).toEqual([false, true, false, false])
    expect([one.size, two.size, other.size, two.has('d')]).toEqual([1, 2, 2, false])
  })

  it('are listed once each', () => {
    const one = UsedIds.none.with('a')
    expect(one.with('a')).toBe(one)
  })

  it('count their bytes', () => {
    const one = UsedIds.none.with('a')
    expect(one.with('b').bytesInMemory).toBeGreaterThan(one.bytesInMemory)
    expect(one.bytesInMemory).toBeGreaterThan(UsedIds.none.bytesInMemory)
  })
})
