/** Copies the images from one store to another, and verifies each by its hash. */
import type { MediaStore } from '../../features/media/port.ts'
import type { Counts } from './records.ts'
import { MoveRefused } from './refused.ts'

export interface ImageCounts extends Counts {
  /** Hashes of images whose bytes here don't match. */
  readonly damaged: readonly string[]
}

export async function copyImages(
  hashes: readonly string[],
  from: MediaStore,
  to: MediaStore,
  signal: AbortSignal,
): Promise<ImageCounts> {
  const damaged: string[] = []
  let copied = 0
  for (const hash of hashes) {
    signal.throwIfAborted()
    // Existence is not enough: the read verifies the bytes.
    if (await to.read(hash)) continue
    const bytes = await from.read(hash)
    if (!bytes) {
      damaged.push(hash)
      continue
    }
    await to.put(bytes)
    if (!(await to.read(hash)))
      throw new MoveRefused(
        `The image ${hash} at MONGODB_URL differs from the one here. Remove it from the collection media there, and run this command again.`,
      )
    copied += 1
  }
  return { seen: hashes.length, copied, damaged }
}
