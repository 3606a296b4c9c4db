/**
 * Sends large bodies in slices, no faster than their reader takes them, and bounds what waits for slow readers: for each
 * source and in all. A reader that takes nothing for a while is let go, so that it can't hold memory.
 */
import type { ServerResponse } from 'node:http'
import { Problem } from './problem.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

export interface OutgoingBounds {
  /** Bytes that wait for the readers of one source, and for all readers. */
  readonly maxBytesPerSource: number
  readonly maxBytes: number
  /** A reader that takes no slice for so long is let go, in milliseconds. */
  readonly stallMs: number
  /** The same where another reader's answer needs the room. */
  readonly stallMsUnderPressure: number
}

export const outgoingBounds: OutgoingBounds = {
  maxBytesPerSource: 32 * megabyte,
  maxBytes: 128 * megabyte,
  stallMs: 15_000,
  stallMsUnderPressure: 1_000,
}

const sliceBytes = 64 * kilobyte
/** Shorter bodies fit into a socket's own buffer, and are bounded by the number of connections. */
const maxUncounted = 16 * kilobyte

interface Reader {
  readonly source: string
  readonly response: ServerResponse
  waiting: number
  /** `performance.now()` when it last took a slice. */
  tookAt: number
}

export class OutgoingBodies {
  readonly #readers = new Set<Reader>()
  readonly #bounds: OutgoingBounds

  constructor(bounds: Partial<OutgoingBounds> = {}) {
    this.#bounds = { ...outgoingBounds, ...bounds }
  }

  /** Bytes that wait for readers now. */
  get waiting(): number {
    return waitingFor([...this.#readers])
  }

  /**
   * Ends the answer with the body; its status and headers are set already, but not sent.
   * @param source whose readers are counted together
   * @throws Problem 503 before anything is sent, when too much waits for readers already
   */
  send(response: ServerResponse, source: string, body: string | Buffer): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    response.setHeader('Content-Length', bytes.length)
    if (response.req.method === 'HEAD') return void response.end()
    if (bytes.length <= maxUncounted) return void response.end(bytes)
    this.#makeRoom(source, bytes.length)
    void this.#sendSlices({ source, response, waiting: bytes.length, tookAt: performance.now() }, bytes)
  }

  async #sendSlices(reader: Reader, bytes: Buffer): Promise<void> {
    const { response } = reader
    this.#readers.add(reader)
    for (let at = 0; at < bytes.length && !response.destroyed; at += sliceBytes) {
      const hasRoom = response.write(bytes.subarray(at, at + sliceBytes))
      reader.waiting = bytes.length - at
      if (!hasRoom && !(await drained(response, this.#bounds.stallMs))) response.destroy()
      reader.tookAt = performance.now()
    }
    this.#readers.delete(reader)
    if (!response.destroyed) response.end()
  }

  /** Lets go of the readers that have been stalled for longest until the new body has room. */
  #makeRoom(source: string, bytes: number): void {
    const { maxBytes, maxBytesPerSource, stallMsUnderPressure } = this.#bounds
    const all = [...this.#readers]
    const own = all.filter((reader) => reader.source === source)
    const stalled = (readers: readonly Reader[]) =>
      readers
        .filter(({ tookAt }) => performance.now() - tookAt >= stallMsUnderPressure)
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

/** Whether the socket took what was written within the time; false also when its connection is closed. */
export function drained(response: ServerResponse, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (took: boolean) => {
      clearTimeout(timer)
      response.off('drain', onDrain)
      response.off('close', onClose)
      resolve(took)
    }
    const onDrain = () => settle(true)
    const onClose = () => settle(false)
    const timer = setTimeout(onClose, withinMs)
    response.once('drain', onDrain)
    response.once('close', onClose)
  })
}

/**
 * Lets go of a reader of a streamed answer that takes nothing for `stallMs`.
 * @returns how to stop watching, once the answer is out
 */
export function watchReader(response: ServerResponse, stallMs: number = outgoingBounds.stallMs): () => void {
  let taken = -1
  const timer = setInterval(() => {
    const now = (response.socket?.bytesWritten ?? 0) - response.writableLength
    if (now === taken && response.writableNeedDrain) response.destroy()
    taken = now
  }, stallMs)
  return () => clearInterval(timer)
}
