/** The interface to an image store. Images are keyed by their hash, so that the approved image is the published one. */
import type { Readable } from 'node:stream'
import type { StoredImage } from '../../../domain/core/values.ts'

export type { StoredImage }
export type ImageType = StoredImage['type']

export interface MediaStore {
  /**
   * Stores the bytes durably, once, and describes them by their content, not by a header. @throws NotAnImage unless
   * they are a whole image of a known type, CantStore on a full or failing disk
   */
  put(bytes: Uint8Array): Promise<StoredImage>
  /** Null when there is no image with that hash. */
  describe(hash: string): Promise<StoredImage | null>
  /** The exact bytes that were stored; null when they are missing or damaged. */
  read(hash: string): Promise<Uint8Array<ArrayBuffer> | null>
  /**
   * The bytes or a range of them, read while they are consumed: at most some 300 kB in memory. The caller consumes or
   * destroys the stream. Null as in `read`.
   */
  stream(hash: string, span: ByteSpan): Promise<Readable | null>
  close(): Promise<void>
}

/** The first byte and the last one, both included, within the image. */
export interface ByteSpan {
  readonly start: number
  readonly end: number
}

export class NotAnImage extends Error {
  override readonly name = 'NotAnImage'
  constructor() {
    super('The bytes are not a whole JPEG, PNG, GIF or WebP')
  }
}

export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
