import { describe, expect, it } from 'vitest'
import type { PostProblem } from '../../domain/core/preflight.ts'
import { priceSentence, problemSentence } from './post-problems.ts'

const mb = 1024 * 1024

describe('messages', () => {
  it.each<[PostProblem, string]>([
    [
      { platform: 'twitter', reason: 'over-limit', length: 300, limit: 280 },
      'X (Twitter) takes at most 280 characters. This post has 300.',
    ],
    [
      { platform: 'facebook', reason: 'over-limit', length: 70_000, limit: 63_206 },
      'Facebook takes at most 63,206 characters. This post has 70,000.',
    ],
    [
      { platform: 'instagram', reason: 'too-many', of: 'hashtags', count: 31, limit: 30 },
      'Instagram takes at most 30 hashtags. This post has 31.',
    ],
    [{ platform: 'instagram', reason: 'needs-an-image' }, 'A post on Instagram needs an image. Add one first.'],
    [
      { platform: 'instagram', reason: 'image-type', type: 'image/png', takes: ['image/jpeg'] },
      'Instagram takes JPEG images only. This one is a PNG.',
    ],
    [
      {
        platform: 'facebook',
        reason: 'image-type',
        type: 'image/webp',
        takes: ['image/jpeg', 'image/png', 'image/gif'],
      },
      'Facebook takes JPEG, PNG or GIF images only. This one is a WebP.',
    ],
    [
      { platform: 'facebook', reason: 'image-too-large', size: 4 * mb + 1, limit: 4 * mb },
      'Facebook takes images of this kind up to 4 MB. This one has 4.1 MB.',
    ],
    [
      { platform: 'instagram', reason: 'image-ratio', ratio: 3, from: 0.8, to: 1.91 },
      'This image is too wide for Instagram, which shows 4:5 (upright) to 1.91:1 (wide). Crop it first.',
    ],
    [
      { platform: 'instagram', reason: 'image-ratio', ratio: 0.5, from: 0.8, to: 1.91 },
      'This image is too tall for Instagram, which shows 4:5 (upright) to 1.91:1 (wide). Crop it first.',
    ],
    [
      { platform: 'linkedin', reason: 'image-pixels', pixels: 48_000_000, limit: 36_152_320 },
      'LinkedIn takes images with fewer than 36,152,320 pixels. This one has 48,000,000.',
    ],
  ])('%j', (problem, sentence) => expect(problemSentence(problem)).toBe(sentence))

  it('name the price and its reason', () => {
    expect(priceSentence('twitter', { usd: 0.015, because: 'post' })).toBe('X (Twitter) charges $0.015 for this post.')
    expect(priceSentence('twitter', { usd: 0.2, because: 'post-with-link' })).toBe(
      'X (Twitter) charges $0.20 for this post, because it has a link.',
    )
  })
})
