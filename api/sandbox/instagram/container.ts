/**
 * Whether an image can become a post, and a container's status.
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes
 */
import type { Instant } from '../../../domain/core/event.ts'
import { textLength, textLimits } from '../../../domain/core/text-limits.ts'
import { later } from '../../core/clock.ts'
import type { MetaProblem } from '../meta.ts'
import type { FoundImage } from '../ports.ts'
import type { SandboxMedia } from '../store/media.ts'

const maxBytes = 8 * 1024 * 1024
/** Width by height: 4:5 to 1.91:1, with a tolerance for rounding to whole pixels. */
const leastRatio = 0.8 - 0.005
const maxRatio = 1.91 + 0.005
const lifeMs = 24 * 3_600_000
const workMs = 1_000

export const unfetchable: MetaProblem = {
  code: 9004,
  subcode: 2207052,
  message: 'Only photo or video can be accepted as media type.',
}

export function problemWith(image: FoundImage, caption: string): MetaProblem | null {
  if (image.size > maxBytes) return { code: 36000, subcode: 2207004, message: 'The image size is too large.' }
  if (image.type !== 'image/jpeg')
    return { code: 36001, subcode: 2207005, message: 'The image format is not supported.' }
  const ratio = image.width / image.height
  if (!(ratio >= leastRatio && ratio <= maxRatio))
    return { code: 36003, subcode: 2207009, message: 'The aspect ratio is not supported.' }
  return textLength('instagram', caption) > textLimits.instagram
    ? { code: 36004, subcode: 2207010, message: 'The caption was too long.' }
    : null
}

export type StatusCode = 'IN_PROGRESS' | 'FINISHED' | 'PUBLISHED' | 'EXPIRED' | 'ERROR'

/** In progress for a second, or until the first status request, so that no client has to wait in real time. */
export function statusOf({ state, createdAt }: SandboxMedia, now: Instant): StatusCode {
  if (state === 'used') return 'PUBLISHED'
  if (state === 'failed') return 'ERROR'
  if (later(createdAt, lifeMs) <= now) return 'EXPIRED'
  return state === 'ready' || later(createdAt, workMs) <= now ? 'FINISHED' : 'IN_PROGRESS'
}

export const sentenceOf: Readonly<Record<StatusCode, string>> = {
  IN_PROGRESS: 'In Progress: Media is still being processed.',
  FINISHED: 'Finished: Media has been uploaded and it is ready to be published.',
  PUBLISHED: 'Published: Media has been successfully published.',
  EXPIRED: 'Expired: Media was not published within 24 hours.',
  ERROR: 'Error: Media upload has failed.',
}
