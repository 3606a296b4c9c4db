import { afterEach, describe, expect, it, vi } from 'vitest'
import { dropAllDrafts, dropDraft, keepDraft, readDraft, type DraftKey } from './kept-drafts.ts'

const key: DraftKey = { user: 'u1', agency: 'a1', client: 'c1', post: null }
const draft = { fields: { content: 'Fresh bread' }, revision: null }
const day = 86_400_000

afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

describe('A kept draft', () => {
  it('is read by the same user, agency, client and post only [P1.2]', () => {
    keepDraft(key, draft, 0)
    expect(readDraft(key, 1)).toEqual({ ...draft, at: 0 })
    for (const part of ['user', 'agency', 'client', 'post'] as const)
      expect(readDraft({ ...key, [part]: 'other' }, 1)).toBeNull()
  })
  it('is gone after 7 days, when dropped, and when all are dropped [P1.5]', () => {
    keepDraft(key, draft, 0)
    expect(readDraft(key, 7 * day - 1)).not.toBeNull()
    expect(readDraft(key, 7 * day)).toBeNull()
    dropDraft(key)
    expect(localStorage).toHaveLength(0)
    keepDraft(key, draft, 0)
    localStorage.setItem('theme', 'dark')
    dropAllDrafts()
    expect(Object.keys(localStorage)).toEqual(['theme'])
  })
  it('makes space: the newest 20 stay [P1.6]', () => {
    for (let index = 0; index < 25; index++) keepDraft({ ...key, post: `p${index}` }, draft, index)
    const kept = Array.from({ length: 25 }, (_, index) => readDraft({ ...key, post: `p${index}` }, 30) !== null)
    expect(kept.indexOf(true)).toBe(5)
    expect(kept.filter(Boolean)).toHaveLength(20)
  })
  it('that is damaged is none', () => {
    keepDraft(key, draft, 0)
    const [name = ''] = Object.keys(localStorage)
    for (const text of ['{', '[]', '{"fields":{"content":1},"revision":null,"at":0}']) {
      localStorage.setItem(name, text)
      expect(readDraft(key, 1)).toBeNull()
    }
  })
  it('is refused where it is too long or the browser has no space [P1.7]', () => {
    expect(keepDraft(key, { ...draft, fields: { content: 'x'.repeat(200_001) } })).toBe(false)
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(keepDraft(key, draft)).toBe(false)
  })
})
