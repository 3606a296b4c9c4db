/** Stored images: bytes under their own hash, so that what was approved is what is published. */
import type { Readable } from 'node:stream'
import type { StoredImage } from '../../../domain/core/values.ts'

export type { StoredImage }
export type ImageType = StoredImage['type']

export interface MediaStore {
  /** Keeps the bytes durably, and describes them as they are, whatever a header claimed; the same bytes are kept once. @throws NotAnImage when they aren't a whole image of a known type, CantStore when there is no room for them or no way to write */
  put(bytes: Uint8Array): Promise<StoredImage>
  /** Null when there is none of that hash. */
  describe(hash: string): Promise<StoredImage | null>
  /** The very bytes that were put; null when there are none of that hash, or when what is left of them isn't them. */
  read(hash: string): Promise<Uint8Array<ArrayBuffer> | null>
  /**
   * The same bytes, or some of them, read while they are consumed: at most some 300 kB are in memory at once. The caller
   * consumes or destroys the stream. Null as for `read`.
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
