/** Problems of a draft on its network, by the field that they are shown beneath. */
import {
  contentTooLong,
  contentTooLongSentence,
  priceOf,
  priceSentence,
  problemSentence,
  problemsWith,
  type ImageFacts,
  type Platform,
} from '../../api/contract/index.ts'
import { words } from './words.ts'

interface Writing {
  readonly platform: Platform
  readonly content: string
  readonly imageUrl: string
  readonly image: ImageFacts | null
  /** The account's network. */
  readonly network: 'sandbox' | 'live' | null
}

export interface Problems {
  readonly content: string | undefined
  readonly image: string | undefined
  /** Not wrong yet: a draft may wait for its image. */
  readonly imageHint: string | undefined
  /** Why not even a draft can be saved. */
  readonly unsavable: string | undefined
  /** The first that stands in the way of review and publishing. */
  readonly first: string | undefined
  readonly price: string | undefined
}

export const noProblems: Problems = {
  content: undefined,
  image: undefined,
  imageHint: undefined,
  unsavable: undefined,
  first: undefined,
  price: undefined,
}

export function problemsOf({ platform, content, imageUrl, image, network }: Writing): Problems {
  const found = problemsWith({ platform, content, hasImage: imageUrl.trim() !== '', image })
  const sentence = (of: (typeof found)[number] | undefined) => of && problemSentence(of)
  const missing = found.find(({ reason }) => reason === 'needs-an-image')
  const tooLong = contentTooLong(platform, content)
  const unsavable = tooLong ? contentTooLongSentence(tooLong) : undefined
  return {
    content: unsavable ?? sentence(found.find(({ reason }) => reason === 'over-limit' || reason === 'too-many')),
    image: sentence(found.find(({ reason }) => reason.startsWith('image-'))),
    imageHint: missing && words.imageCanWait(problemSentence(missing)),
    unsavable,
    first: unsavable ?? sentence(found[0]),
    price: priceLine(platform, content, network),
  }
}

/** Whether a network refuses the image as it is, and would take a JPEG of it. */
export const wantsJpeg = (platform: Platform, image: ImageFacts): boolean =>
  image.type !== 'image/gif' &&
  problemsWith({ platform, content: '', hasImage: true, image }).some(
    (problem) => problem.reason === 'image-type' && problem.takes.includes('image/jpeg'),
  )

const somePng: ImageFacts = { type: 'image/png', size: 1, width: 1, height: 1 }

/** Whether a network takes an image of unknown type only once it is a JPEG. */
export const takesJpegOnly = (platform: Platform): boolean => wantsJpeg(platform, somePng)

/** The price of publishing in a sentence; undefined when it is free. */
export function priceLine(platform: Platform, content: string, network: Writing['network']): string | undefined {
  const price = priceOf(platform, content)
  return price ? priceSentence(platform, price) + (network === 'sandbox' ? ` ${words.sandboxIsFree}` : '') : undefined
}
