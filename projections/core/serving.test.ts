import { describe, expect, it } from 'vitest'
import { canServe } from './serving.ts'

const convert = () => ({})
const served = {
  name: 'cards',
  version: 3,
  predecessors: [
    { version: 2, indexes: [['clientId', 'createdAt']], convert },
    { view: 'posts', version: 1, convert },
  ],
}

describe("A view's query", () => {
  it.each([
    ['its own collection, any query', 'cards_v3', { words: 'a', where: { agencyId: 'a' } }, true],
    ['a newer collection, any query', 'cards_v4', { filter: { origin: 'user' } }, true],
    ['an earlier collection, by an indexed field', 'cards_v2', { where: { agencyId: 'a', clientId: 'c' } }, true],
    ['an earlier collection, by a field without an index', 'cards_v2', { where: { agencyId: 'a' } }, false],
    ['an earlier collection, by words', 'cards_v2', { words: 'a', where: { clientId: 'c' } }, false],
    [
      'an earlier collection, with a filter',
      'cards_v2',
      { where: { clientId: 'c' }, filter: { origin: 'user' } },
      false,
    ],
    ['one with all indexes, by any field', 'posts_v1', { where: { agencyId: 'a' } }, true],
  ])('is served by %s', (_, collection, query, expected) => {
    expect(canServe(served, collection, query)).toBe(expected)
  })
})
