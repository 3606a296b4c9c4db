import { describe, expect, it } from 'vitest'
import { Answers } from './answers.ts'
import type { Page } from './port.ts'

const pageOf = (items: number): Page => ({
  items: Array.from({ length: items }, () => ({})),
  next: null,
  after: () => '',
})

describe("The read store's page cache", () => {
  it('keeps a page until its collection changes', () => {
    const answers = new Answers()
    let searches = 0
    const ask = () => answers.of('posts_v1', { limit: 1 }, () => ({ page: pageOf((searches += 1)), characters: 10 }))
    expect([ask(), ask()].map(({ items }) => items.length)).toEqual([1, 1])
    answers.forget('posts_v1')
    expect(ask().items).toHaveLength(2)
  })

  it('caches a long search unless the collection changed meanwhile, and counts until it changes', async () => {
    const answers = new Answers()
    let searches = 0
    const ask = (meanwhile = () => {}) =>
      answers.ofLong('posts_v1', { words: 'a' }, async () => {
        searches += 1
        await Promise.resolve()
        meanwhile()
        return { page: pageOf(1), characters: 10 }
      })
    const count = () => answers.count('posts_v1', { kind: 'x' }, () => (searches += 1))
    await ask(() => answers.forget('posts_v1'))
    await ask()
    await ask()
    expect(searches).toBe(2)
    expect([count(), count()]).toEqual([3, 3])
    answers.forget('posts_v1')
    expect(count()).toBe(4)
  })

  it('stays within its limit, for any cursors and document sizes', () => {
    const answers = new Answers()
    for (let at = 0; at < 5_000; at++)
      answers.of('posts_v1', { limit: 100, cursor: `made up ${at}` }, () => ({ page: pageOf(100), characters: 90_000 }))
    expect(answers.characters).toBeLessThanOrEqual(4_000_000)
    answers.of('posts_v1', { limit: 10 }, () => ({ page: pageOf(10), characters: 6_500_000 }))
    expect(answers.characters).toBeLessThanOrEqual(4_000_000)
  })
})
