/**
 * Receives an upload into a file, so that a slow sender occupies disk space and no memory. Space is reserved before the
 * first byte is read.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, stat, unlink, type FileHandle } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Request } from 'express'
import type { Route, Upload } from '../contract/route.ts'
import { InFlightLimit, type InFlightBounds, type Reservation } from '../core/in-flight-limit.ts'
import { hasBody, Problem, tooLarge } from './problem.ts'

const megabyte = 1024 * 1024

/** Limits on uploads under way, per agency and per process. */
export const uploadBounds: InFlightBounds = {
  maxCount: 16,
  maxBytes: 256 * megabyte,
  maxCountPerSource: 4,
  maxBytesPerSource: 64 * megabyte,
}

const extension = '.upload'
/** Longer than any request may take. */
const abandonedMs = 3_600_000

export interface ReceivedUpload extends Upload {
  /** Deletes the file and releases its reservation. */
  discard(): Promise<void>
}

export class Uploads {
  readonly #folder: string
  readonly #underWay = new InFlightLimit(uploadBounds)
  /** Several processes may share the folder; each deletes only its own leftovers. */
  readonly #prefix = `${hostname().replaceAll(/[^\w-]/g, '_')}-`

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Creates the folder, for its owner alone, and deletes the files of an earlier run. */
  static async open(folder: string): Promise<Uploads> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const uploads = new Uploads(folder)
    await uploads.#empty()
    return uploads
  }

  async #empty(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (!name.endsWith(extension)) continue
      const path = join(this.#folder, name)
      const age =
        Date.now() -
        (await stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => Date.now(),
        ))
      if (name.startsWith(this.#prefix) || age > abandonedMs) await unlink(path).catch(() => undefined)
    }
  }

  /**
   * @param source an agency; its uploads share a limit @throws Problem 415 for another type, 413 for too much, 429 and
   * 503 when too many are under way, 400 when it breaks off, 503 when the disk is full or fails
   */
  async receive(
    request: Request,
    { type, maxBytes }: NonNullable<Route['raw']>,
    source: string,
  ): Promise<ReceivedUpload> {
    if (!hasBody(request) || request.is(type) === false)
      throw new Problem(415, 'wrong-type', `Send the file itself as the body, as ${type}.`)
    const declared = request.get('Content-Length')
    const bytes = declared === undefined ? maxBytes : Number(declared)
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    const reserved = this.#reserve(source, bytes)
    const path = join(this.#folder, `${this.#prefix}${randomUUID()}${extension}`)
    const discard = async () => {
      await unlink(path).catch(() => undefined)
      reserved.release()
    }
    try {
      const size = await write(request, path, maxBytes)
      return { size, read: async () => new Uint8Array(await readFile(path)), discard }
    } catch (error) {
      await discard()
      throw error
    }
  }

  #reserve(source: string, bytes: number): Reservation {
    const reserved = this.#underWay.reserve(source, bytes)
    if (reserved === 'source')
      throw new Problem(
        429,
        'too-many',
        'Your agency has several uploads under way. Try again when one of them is done.',
        { 'Retry-After': '5' },
      )
    if (reserved === 'total')
      throw new Problem(
        503,
        'busy',
        'This server is receiving as many uploads as it can. Please try again in a few seconds.',
        { 'Retry-After': '5' },
      )
    return reserved
  }
}

/** @returns the number of bytes received */
async function write(request: Request, path: string, maxBytes: number): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch(cantStore)
  try {
    return await append(request, file, maxBytes)
  } finally {
    await file.close()
  }
}

async function append(request: Request, file: FileHandle, maxBytes: number): Promise<number> {
  let size = 0
  // The request is not destroyed on an early exit: its sender could not read the answer otherwise.
  const parts = request.iterator({ destroyOnReturn: false })
  try {
    for await (const part of parts) {
      size += (part as Buffer).length
      if (size > maxBytes) throw tooLarge(maxBytes)
      await file.appendFile(part as Buffer).catch(cantStore)
    }
  } catch (error) {
    request.resume()
    if (error instanceof Problem) throw error
    throw new Problem(400, 'invalid', 'The file did not arrive whole.', {}, error)
  }
  return size
}

function cantStore(error: unknown): never {
  const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
  const sentence = isFull
    ? "The file was not stored, because this server's disk is full. Tell its operator."
    : "The file was not stored: this server can't take uploads just now. Please try again later."
  throw new Problem(503, 'no-room', sentence, { 'Retry-After': '60' }, error)
}
