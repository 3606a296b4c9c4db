import type { PostContext } from '../../../domain/post/rules.ts'
import { ownHash, type Images } from '../media/images.ts'
import type { ImageQuota } from '../media/quota.ts'

/** Stores a post's image for the rules' context, or states why it can't be stored. */
export const keepFor =
  (images: Images, quota?: ImageQuota) =>
  async (imageUrl: string, agencyId: string): Promise<NonNullable<PostContext['image']>> => {
    // An image that is already stored needs no further space.
    const hash = ownHash(imageUrl)
    const isHere = hash !== null && (await images.describe(hash)) !== null
    if (quota && !isHere && !(await quota.hasRoom(agencyId, 1))) return { kind: 'unusable', sentence: quota.sentence }
    const kept = await images.keep(imageUrl)
    if (kept.kind === 'refused') return { kind: 'unusable', sentence: kept.sentence }
    await quota?.count(agencyId, kept.image)
    return kept
  }
