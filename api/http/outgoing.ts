/**
 * Sends large bodies in slices, no faster than the reader takes them, and limits the bytes buffered for slow readers,
 * per source and in total. A stalled reader is disconnected, so that it can't hold memory.
 */
import type { ServerResponse } from 'node:http'
import { pipeline, type Transform, type Writable } from 'node:stream'
import type { Response } from 'express'
import { announceEncoding, compressorFor, minCompressed } from './compressors.ts'
import { Problem } from './problem.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

export interface OutgoingBounds {
  /** The limits on bytes buffered for the readers of one source, and for all readers. */
  readonly maxBytesPerSource: number
  readonly maxBytes: number
  /** Disconnects a reader that takes no slice for this long, in milliseconds. */
  readonly stallMs: number
  /** The same while another reader's answer needs the memory. */
  readonly stallMsUnderPressure: number
}

export const outgoingBounds: OutgoingBounds = {
  maxBytesPerSource: 32 * megabyte,
  maxBytes: 128 * megabyte,
  stallMs: 15_000,
  stallMsUnderPressure: 1_000,
}

const sliceBytes = 64 * kilobyte
/** Shorter bodies fit into the socket's own buffer, and are limited by the number of connections. */
const maxUncounted = 16 * kilobyte

interface Reader {
  readonly source: string
  readonly response: ServerResponse
  waiting: number
  /** When it last took a slice. */
  tookAt: number
}

export class OutgoingBodies {
  readonly #readers = new Set<Reader>()
  readonly #bounds: OutgoingBounds
  readonly #now: () => number

  /** @param now milliseconds of a clock that never goes back */
  constructor(bounds: Partial<OutgoingBounds> = {}, now = () => performance.now()) {
    this.#bounds = { ...outgoingBounds, ...bounds }
    this.#now = now
  }

  /** The bytes currently buffered for readers. */
  get waiting(): number {
    return waitingFor([...this.#readers])
  }

  /**
   * Ends the answer with the body, compressed where it is long enough and the reader takes that; status and headers
   * must be set, but not sent. @param source the readers with the same source share a limit @throws Problem 503 before
   * anything is sent, when too much is buffered already
   */
  send(response: Response, source: string, body: string | Buffer): void {
    const length = Buffer.byteLength(body)
    const isLong = length >= minCompressed
    if (response.req.method === 'HEAD') {
      // The length of the compressed body is known only once it is made.
      if (!isLong || announceEncoding(response) === 'identity') response.setHeader('Content-Length', length)
      return void response.end()
    }
    if (length > maxUncounted) this.#makeRoom(source, length)
    const compressor = isLong ? compressorFor(response, source) : null
    if (compressor === null) response.setHeader('Content-Length', length)
    // As a string Node writes it together with the headers, in one system call.
    if (compressor === null && length <= maxUncounted) return void response.end(body)
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    void this.#sendSlices({ source, response, waiting: bytes.length, tookAt: this.#now() }, bytes, compressor)
  }

  async #sendSlices(reader: Reader, bytes: Buffer, compressor: Transform | null): Promise<void> {
    const { response } = reader
    const to = compressor ?? response
    if (compressor) compressInto(compressor, response, this.#bounds.stallMs)
    this.#readers.add(reader)
    for (let at = 0; at < bytes.length && !response.destroyed; at += sliceBytes) {
      const hasRoom = to.write(bytes.subarray(at, at + sliceBytes))
      reader.waiting = bytes.length - at
      if (!hasRoom && !(await drained(response, this.#bounds.stallMs, to))) response.destroy()
      reader.tookAt = this.#now()
    }
    this.#readers.delete(reader)
    if (!response.destroyed) to.end()
  }

  /** Disconnects the longest-stalled readers until the new body fits. */
  #makeRoom(source: string, bytes: number): void {
    const { maxBytes, maxBytesPerSource, stallMsUnderPressure } = this.#bounds
    const all = [...this.#readers]
    const own = all.filter((reader) => reader.source === source)
    const stalled = (readers: readonly Reader[]) =>
      readers
        .filter(({ tookAt }) => this.#now() - tookAt >= stallMsUnderPressure)
        .toSorted((a, b) => a.tookAt - b.tookAt)
    const fits = (readers: readonly Reader[], max: number) => {
      let excess = waitingFor(readers) + bytes - max
      for (const reader of stalled(readers)) {
        if (excess <= 0) break
        this.#readers.delete(reader)
        reader.response.destroy()
        excess -= reader.waiting
      }
      return excess <= 0
    }
    if (fits(own, maxBytesPerSource) && fits([...this.#readers], maxBytes)) return
    throw new Problem(503, 'busy', 'This server is sending as much as it can. Please try again in a few seconds.', {
      'Retry-After': '2',
    })
  }
}

const waitingFor = (readers: readonly Reader[]) => readers.reduce((sum, { waiting }) => sum + waiting, 0)

/**
 * Destroys the compressor when the connection closes, and the connection when its reader stalls: what the compressor
 * still holds waits for no slice.
 */
function compressInto(compressor: Transform, response: ServerResponse, stallMs: number): void {
  const unwatch = watchReader(response, stallMs)
  pipeline(compressor, response, (error) => {
    unwatch()
    if (error) response.destroy()
  })
}

/**
 * Whether the socket took the written bytes within the time; false also when its connection is closed. @param to what
 * the bytes were written to, if there is something in between
 */
export function drained(response: ServerResponse, withinMs: number, to: Writable = response): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (took: boolean) => {
      clearTimeout(timer)
      to.off('drain', onDrain)
      response.off('close', onClose)
      resolve(took)
    }
    const onDrain = () => settle(true)
    const onClose = () => settle(false)
    const timer = setTimeout(onClose, withinMs)
    to.once('drain', onDrain)
    response.once('close', onClose)
  })
}

/**
 * Disconnects the reader of a streamed answer that takes nothing for `stallMs`. @returns stops watching; call it when
 * the answer is sent
 */
export function watchReader(response: ServerResponse, stallMs: number = outgoingBounds.stallMs): () => void {
  let taken = -1
  let tookAt = performance.now()
  const timer = setInterval(() => {
    const now = (response.socket?.bytesWritten ?? 0) - response.writableLength
    if (now !== taken || !response.writableNeedDrain) tookAt = performance.now()
    else if (performance.now() - tookAt >= stallMs) response.destroy()
    taken = now
  }, stallMs / 5)
  return () => clearInterval(timer)
}
