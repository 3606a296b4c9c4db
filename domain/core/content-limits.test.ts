import { describe, expect, it } from 'vitest'
import { contentLimits, contentTooLong } from './content-limits.ts'

describe('The longest text that a post may have', () => {
  it("is its network's limit and 10 %, at least 5,000 characters, at most 65,000", () => {
    expect(contentLimits).toEqual({ facebook: 65_000, instagram: 5_000, twitter: 5_000, linkedin: 5_000 })
  })

  it.each([
    ['5,000 letters', 'x'.repeat(5_000), null],
    ['5,001 letters', 'x'.repeat(5_001), 5_001],
    // LinkedIn accepts a post of 3,000 of them, which are 6,000 UTF-16 units.
    ['3,000 characters beyond the basic plane', '𝔘'.repeat(3_000), null],
    ['5,000 letters with an accent of their own each', 'e\u0301'.repeat(5_000), null],
    ['5,001 letters with an accent of their own each', 'e\u0301'.repeat(5_001), 5_001],
  ])('%s', (_, content, length) => {
    expect(contentTooLong('linkedin', content)).toEqual(
      length === null ? null : { reason: 'content-too-long', platform: 'linkedin', length, limit: 5_000 },
    )
  })
})
