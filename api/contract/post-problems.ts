/** Messages about a post's problems: the single wording, for the server's refusals and for hints while typing. */
import type { ContentTooLong } from '../../domain/core/content-limits.ts'
import type { PostProblem, Price } from '../../domain/core/preflight.ts'
import type { Platform } from '../../domain/core/values.ts'
import { networkNames } from './network-names.ts'

const count = (number: number) => number.toLocaleString('en-US')
const typeName = (type: string) =>
  ({ 'image/jpeg': 'JPEG', 'image/png': 'PNG', 'image/gif': 'GIF', 'image/webp': 'WebP' })[type] ?? type
const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
/** Rounded up, so that a size slightly over the limit doesn't look equal to it. */
const megabytes = (bytes: number) => `${Math.ceil((bytes / 1024 / 1024) * 10) / 10} MB`

/** One or two sentences. */
export function problemSentence(problem: PostProblem): string {
  const name = networkNames[problem.platform]
  switch (problem.reason) {
    case 'over-limit':
      return `${name} takes at most ${count(problem.limit)} characters. This post has ${count(problem.length)}.`
    case 'too-many':
      return `${name} takes at most ${problem.limit} ${problem.of}. This post has ${problem.count}.`
    case 'needs-an-image':
      return `A post on ${name} needs an image. Add one first.`
    case 'image-type':
      return `${name} takes ${listed(problem.takes.map(typeName))} images only. This one is a ${typeName(problem.type)}.`
    case 'image-too-large':
      return `${name} takes images of this kind up to ${megabytes(problem.limit)}. This one has ${megabytes(problem.size)}.`
    case 'image-ratio':
      return `This image is too ${problem.ratio > problem.to ? 'wide' : 'tall'} for ${name}, which shows 4:5 (upright) to 1.91:1 (wide). Crop it first.`
    case 'image-pixels':
      return `${name} takes images with fewer than ${count(problem.limit)} pixels. This one has ${count(problem.pixels)}.`
  }
}

/** Why a text can't be saved, not even as a draft. */
export const contentTooLongSentence = ({ platform, length, limit }: Omit<ContentTooLong, 'reason'>): string =>
  `A text for ${networkNames[platform]} can have at most ${count(limit)} characters here. This one has ${count(length)}.`

/** The cost of publishing, e.g. `X (Twitter) charges $0.20 for this post, because it has a link.` */
export function priceSentence(platform: Platform, { usd, because }: Price): string {
  // With tenths of a cent if needed, else as prices are usually written.
  const price = usd.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 3,
  })
  // Shown beside the screens' own label for the platform, which still says Twitter.
  const name = networkNames[platform]
  return `${name} charges ${price} for this post${because === 'post-with-link' ? ', because it has a link' : ''}.`
}
