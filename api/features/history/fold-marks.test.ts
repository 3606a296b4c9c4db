import { describe, expect, it } from 'vitest'
import { initialPost } from '../../../domain/post/state.ts'
import { FoldMarks } from './fold-marks.ts'

const mark = (revision: number, characters = 65_000) => ({
  revision,
  post: { ...initialPost, content: 'x'.repeat(characters) },
})

describe('Fold marks', () => {
  it('are returned up to a revision, each once', () => {
    const marks = new FoldMarks()
    for (const revision of [10, 20, 20, 15, 30]) marks.add('one', mark(revision))
    expect(marks.before('one', 30).map(({ revision }) => revision)).toEqual([10, 20])
    expect(marks.before('another', 30)).toEqual([])
  })

  it('stay within their limit: the least recently viewed posts lose theirs', () => {
    const marks = new FoldMarks()
    for (let post = 0; post < 1_000; post++) {
      for (const revision of [10, 20]) marks.add(`post ${post}`, mark(revision))
      marks.before('post 0', 100)
    }
    expect(marks.characters).toBeLessThanOrEqual(10_000_000)
    expect(marks.before('post 0', 100)).toHaveLength(2)
    expect(marks.before('post 1', 100)).toEqual([])
    expect(marks.before('post 999', 100)).toHaveLength(2)
  })
})
