import type { PostGiven } from '../../domain/post/rules.ts'
import type { Images } from '../media/images.ts'

/** A post's image as its rules are given it: stored, or why it can't be. */
export const keepFor =
  (images: Images) =>
  async (imageUrl: string): Promise<NonNullable<PostGiven['image']>> => {
    const kept = await images.keep(imageUrl)
    return kept.kind === 'stored' ? kept : { kind: 'unusable', sentence: kept.sentence }
  }
