/** What is sent of a post: the approved text and exactly the approved image. */
import type { Post } from '../../../domain/post/state.ts'
import type { StoredImage } from '../../../domain/core/values.ts'
import type { Images } from '../../features/media/images.ts'
import type { Connection, Image, Submission } from '../../networks/port.ts'

/** A sentence with the cause when the image is unavailable. */
export async function submissionOf(
  images: Images,
  { content, imageUrl, image }: Post,
  { tokens, remoteId }: Connection,
): Promise<Submission | string> {
  const submission = { tokens, remoteId, content }
  if (imageUrl === null) return { ...submission, image: null }
  if (image) {
    const isThere = (await images.describe(image.hash)) !== null
    return isThere
      ? { ...submission, image: sendable(images, image) }
      : 'Its image is not stored on this server any more. Add it again.'
  }
  // The post was approved before images were stored: the approval refers to the URL.
  const kept = await images.keep(imageUrl)
  return kept.kind === 'stored' ? { ...submission, image: sendable(images, kept.image) } : kept.sentence
}

const sendable = (images: Images, image: StoredImage): Image => ({
  ...image,
  publicUrl: images.publicUrlOf(image.hash),
  async read() {
    const bytes = await images.read(image.hash)
    if (!bytes) throw new Error(`The stored image ${image.hash} is missing`)
    return bytes
  },
})
