/** Streams that compress answers of text while they are sent. */
import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Response } from 'express'
import { InFlightLimit, type InFlightBounds } from '../core/in-flight-limit.ts'
import { encodingFor } from './encoding.ts'

/** Shorter bodies are sent as they are: they fit into one packet anyway, and pass no further stream. */
export const minCompressed = 1_024

/** Each compressor takes about 1.2 MB. Answers beyond the limit are sent uncompressed. */
export const compressorBounds: InFlightBounds = {
  maxCount: 32,
  maxBytes: 0,
  maxCountPerSource: 8,
  maxBytesPerSource: 0,
}
const underWay = new InFlightLimit(compressorBounds)

/** The number of compressors that take memory now. */
export const compressing = (): number => underWay.total.count

/** A window of 256 kB; quality 4 is the highest of Brotli's that is about as fast as gzip. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } }

/**
 * The stream between the body and the answer, whose headers are set for it; null when the answer is to be sent as it
 * is. The caller has to destroy it when the answer is abandoned. @param source those of one source share a limit
 */
export function compressorFor(response: Response, source: string): Transform | null {
  const accepted = announceEncoding(response)
  if (accepted === 'identity') return null
  const reserved = underWay.reserve(source, 0)
  if (typeof reserved === 'string') {
    response.removeHeader('Content-Encoding')
    return null
  }
  const compressor = accepted === 'br' ? createBrotliCompress(brotli) : createGzip({ level: 6 })
  response.removeHeader('Content-Length')
  return compressor.once('close', () => reserved.release())
}

/**
 * Sets `Vary` and `Content-Encoding`. The answer to another site stays uncompressed, so that its length tells nothing
 * of how a text that the site chose resembles one that it can't read (the BREACH attack).
 */
export function announceEncoding(response: Response): ReturnType<typeof encodingFor> {
  response.setHeader('Vary', 'Accept-Encoding')
  const { headers } = response.req
  if (headers['accept-encoding'] === undefined || headers['sec-fetch-site'] === 'cross-site') return 'identity'
  const accepted = encodingFor(response.req)
  if (accepted !== 'identity') response.setHeader('Content-Encoding', accepted)
  return accepted
}
