/** What a network won't accept, and what it charges, checked before anything is sent. Pure and browser-safe. */
import { linksOnX } from './links-on-x.ts'
import { marks } from './marks.ts'
import { normalForm } from './normal-form.ts'
import { textLength, textLimits } from './text-limits.ts'
import type { Platform, StoredImage } from './values.ts'

export type ImageFacts = Pick<StoredImage, 'type' | 'size' | 'width' | 'height'>
type ImageType = StoredImage['type']

export interface PostFacts {
  readonly platform: Platform
  readonly content: string
  readonly hasImage: boolean
  /** Null without an image, or while its facts are unknown. */
  readonly image: ImageFacts | null
}

export type PostProblem = { readonly platform: Platform } & (
  | { readonly reason: 'over-limit'; readonly length: number; readonly limit: number }
  | {
      readonly reason: 'too-many'
      readonly of: 'hashtags' | 'mentions'
      readonly count: number
      readonly limit: number
    }
  | { readonly reason: 'needs-an-image' }
  | { readonly reason: 'image-type'; readonly type: ImageType; readonly takes: readonly ImageType[] }
  /** In bytes. */
  | { readonly reason: 'image-too-large'; readonly size: number; readonly limit: number }
  /** Width divided by height, rounded like the limits. */
  | { readonly reason: 'image-ratio'; readonly ratio: number; readonly from: number; readonly to: number }
  | { readonly reason: 'image-pixels'; readonly pixels: number; readonly limit: number }
)

interface Rules {
  readonly needsImage?: true
  readonly takes: readonly ImageType[]
  /** In bytes; a type's own limit takes precedence. */
  readonly maxBytes: Readonly<Partial<Record<ImageType | 'any', number>>>
  readonly ratio?: { readonly from: number; readonly to: number }
  readonly maxPixels?: number
  readonly most?: Readonly<Record<'hashtags' | 'mentions', number>>
}

const megabytes = (count: number) => count * 1024 * 1024

const rules: Readonly<Record<Platform, Rules>> = {
  // https://developers.facebook.com/docs/graph-api/reference/page/photos: error 1366046 says "smaller than 4 MB" and
  // names the formats.
  facebook: { takes: ['image/jpeg', 'image/png', 'image/gif'], maxBytes: { any: megabytes(4) } },
  // https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media:
  // image specifications and caption.
  instagram: {
    needsImage: true,
    takes: ['image/jpeg'],
    maxBytes: { any: megabytes(8) },
    ratio: { from: 0.8, to: 1.91 },
    most: { hashtags: 30, mentions: 20 },
  },
  // https://docs.x.com/x-api/media: size restrictions; types as in /2/media/upload's media_type.
  twitter: {
    takes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
    maxBytes: { 'image/gif': megabytes(15), any: megabytes(5) },
  },
  // https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api: formats and pixels; no
  // byte limit is documented.
  linkedin: { takes: ['image/jpeg', 'image/png', 'image/gif'], maxBytes: {}, maxPixels: 36_152_320 },
}

/** All problems that the network is known to refuse, those of the text first; empty if the post may be published. */
export function problemsWith({ platform, content, hasImage, image }: PostFacts): readonly PostProblem[] {
  const problems: PostProblem[] = []
  const { needsImage = false, most } = rules[platform]
  const length = textLength(platform, content)
  const limit = textLimits[platform]
  if (length > limit) problems.push({ platform, reason: 'over-limit', length, limit })
  for (const of of ['hashtags', 'mentions'] as const) {
    const count = content.match(marks[of])?.length ?? 0
    if (most && count > most[of]) problems.push({ platform, reason: 'too-many', of, count, limit: most[of] })
  }
  if (needsImage && !hasImage) problems.push({ platform, reason: 'needs-an-image' })
  return image === null ? problems : [...problems, ...problemsOfImage(platform, image)]
}

function problemsOfImage(platform: Platform, { type, size, width, height }: ImageFacts): readonly PostProblem[] {
  const { takes, maxBytes, ratio: allowed, maxPixels = Number.POSITIVE_INFINITY } = rules[platform]
  if (!takes.includes(type)) return [{ platform, reason: 'image-type', type, takes }]
  const problems: PostProblem[] = []
  const limit = maxBytes[type] ?? maxBytes.any ?? Number.POSITIVE_INFINITY
  if (size > limit) problems.push({ platform, reason: 'image-too-large', size, limit })
  // Rounded, because 1200 x 628 is commonly given as 1.91:1.
  const ratio = Math.round((width / height) * 100) / 100
  if (allowed && (ratio < allowed.from || ratio > allowed.to))
    problems.push({ platform, reason: 'image-ratio', ratio, ...allowed })
  if (width * height >= maxPixels)
    problems.push({ platform, reason: 'image-pixels', pixels: width * height, limit: maxPixels })
  return problems
}

/** US dollars per post created, https://docs.x.com/x-api/getting-started/pricing */
const prices = { post: 0.015, 'post-with-link': 0.2 } as const

export interface Price {
  readonly usd: number
  readonly because: keyof typeof prices
}

/** The network's price for publishing the post; null if it is free. */
export function priceOf(platform: Platform, content: string): Price | null {
  if (platform !== 'twitter') return null
  const because = linksOnX(normalForm('NFC', content)).length > 0 ? 'post-with-link' : 'post'
  return { usd: prices[because], because }
}
