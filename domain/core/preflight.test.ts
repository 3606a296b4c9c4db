import { describe, expect, it } from 'vitest'
import { priceOf, problemsWith, type ImageFacts, type PostFacts } from './preflight.ts'

const mb = 1024 * 1024
const photo: ImageFacts = { type: 'image/jpeg', size: mb, width: 1080, height: 1080 }
const post = (part: Partial<PostFacts>): PostFacts => ({
  platform: 'facebook',
  content: 'Fresh coffee',
  hasImage: false,
  image: null,
  ...part,
})
const withImage = (platform: PostFacts['platform'], image: Partial<ImageFacts> = {}) =>
  problemsWith(post({ platform, hasImage: true, image: { ...photo, ...image } }))

describe('a post', () => {
  it.each(['facebook', 'instagram', 'twitter', 'linkedin'] as const)(
    'with a short text and a square photo may be published on %s',
    (platform) => {
      expect(withImage(platform)).toEqual([])
    },
  )

  it.each([
    ['facebook', 63_206],
    ['instagram', 2_200],
    ['twitter', 280],
    ['linkedin', 3_000],
  ] as const)('on %s may have at most %i characters', (platform, limit) => {
    const of = (length: number) => problemsWith(post({ platform, content: 'x'.repeat(length), hasImage: true }))
    expect(of(limit)).toEqual([])
    expect(of(limit + 1)).toEqual([{ platform, reason: 'over-limit', length: limit + 1, limit }])
  })

  it('on Instagram needs an image', () => {
    expect(problemsWith(post({ platform: 'instagram' }))).toEqual([{ platform: 'instagram', reason: 'needs-an-image' }])
    expect(problemsWith(post({ platform: 'instagram', hasImage: true }))).toEqual([])
    expect(problemsWith(post({ platform: 'linkedin' }))).toEqual([])
  })

  it('on Instagram has at most 30 hashtags and 20 mentions', () => {
    const of = (content: string) => problemsWith(post({ platform: 'instagram', content, hasImage: true }))
    expect(of('#coffee '.repeat(30) + '@ann '.repeat(20) + ' #1 ann@example.com C#')).toEqual([])
    expect(of('#coffee '.repeat(31))).toEqual([
      { platform: 'instagram', reason: 'too-many', of: 'hashtags', count: 31, limit: 30 },
    ])
    expect(of('@ann '.repeat(21))).toEqual([
      { platform: 'instagram', reason: 'too-many', of: 'mentions', count: 21, limit: 20 },
    ])
  })

  it('reports all problems, those of the text first', () => {
    const found = problemsWith(
      post({
        platform: 'instagram',
        content: 'x'.repeat(2_201),
        hasImage: true,
        image: { ...photo, size: 9 * mb, width: 4000 },
      }),
    )
    expect(found.map(({ reason }) => reason)).toEqual(['over-limit', 'image-too-large', 'image-ratio'])
  })
})

describe('an image', () => {
  it.each([
    ['facebook', 'image/webp', ['image/jpeg', 'image/png', 'image/gif']],
    ['instagram', 'image/png', ['image/jpeg']],
    ['instagram', 'image/gif', ['image/jpeg']],
    ['linkedin', 'image/webp', ['image/jpeg', 'image/png', 'image/gif']],
  ] as const)('on %s may not be %s', (platform, type, takes) => {
    expect(withImage(platform, { type, width: 9000 })).toEqual([{ platform, reason: 'image-type', type, takes }])
  })

  it.each([
    ['facebook', 'image/jpeg', 4],
    ['instagram', 'image/jpeg', 8],
    ['twitter', 'image/png', 5],
    ['twitter', 'image/gif', 15],
  ] as const)('on %s, as %s, may have at most %i MB', (platform, type, limit) => {
    expect(withImage(platform, { type, size: limit * mb })).toEqual([])
    const size = limit * mb + 1
    expect(withImage(platform, { type, size })).toEqual([
      { platform, reason: 'image-too-large', size, limit: limit * mb },
    ])
  })

  it.each([
    [1080, 1350],
    [1080, 566],
    [1200, 628],
    [1200, 627],
  ])('of %i x %i is accepted by Instagram', (width, height) =>
    expect(withImage('instagram', { width, height })).toEqual([]),
  )

  it.each([
    [1080, 1920, 0.56],
    [1000, 1300, 0.77],
    [1920, 1000, 1.92],
    [3000, 1000, 3],
  ])('of %i x %i is not accepted by Instagram', (width, height, ratio) => {
    expect(withImage('instagram', { width, height })).toEqual([
      { platform: 'instagram', reason: 'image-ratio', ratio, from: 0.8, to: 1.91 },
    ])
    expect(withImage('facebook', { width, height })).toEqual([])
  })

  it('on LinkedIn must have fewer than 36,152,320 pixels', () => {
    expect(withImage('linkedin', { width: 6000, height: 6000 })).toEqual([])
    expect(withImage('linkedin', { width: 8000, height: 6000 })).toEqual([
      { platform: 'linkedin', reason: 'image-pixels', pixels: 48_000_000, limit: 36_152_320 },
    ])
  })
})

describe('the price', () => {
  it('is charged by X alone, and is higher with a link', () => {
    expect(priceOf('twitter', 'Fresh coffee')).toEqual({ usd: 0.015, because: 'post' })
    expect(priceOf('twitter', 'Fresh coffee: bluecup.coffee')).toEqual({ usd: 0.2, because: 'post-with-link' })
    expect(priceOf('linkedin', 'https://example.com')).toBeNull()
  })
})
