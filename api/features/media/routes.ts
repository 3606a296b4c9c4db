/** Serves images publicly, and takes uploads from the composer. */
import { pipeline } from 'node:stream/promises'
import express, { type Response, type Router } from 'express'
import PQueue from 'p-queue'
import { rangeOf } from '../../http/byte-range.ts'
import type { Handlers } from '../../http/handler.ts'
import { watchReader } from '../../http/outgoing.ts'
import { notFound, Problem } from '../../http/problem.ts'
import type { RequestLimits } from '../../http/request-limits.ts'
import { InFlightLimit, type InFlightBounds } from '../../core/in-flight-limit.ts'
import { Limiter } from '../../http/limiter.ts'
import { sourceOf } from '../../core/source.ts'
import { convertToJpeg } from './convert.ts'
import type { Images } from './images.ts'
import { isHash, type ByteSpan } from './port.ts'
import type { ImageQuota } from './quota.ts'
import { conversionBounds, createJpegConverter } from './to-jpeg.ts'

interface Ports {
  readonly images: Images
  readonly imageQuota: ImageQuota
}

const uploadsAnHour = 500
/** The limit on uploads held in memory while they are stored: 15 MB each. */
const storedAtOnce = 2

export function mediaHandlers({ images, imageQuota }: Ports): Handlers<'uploadImage' | 'convertImage'> {
  const uploads = new Limiter({ points: uploadsAnHour, seconds: 3600 })
  // The number of concurrent uploads bounds this queue.
  const storing = new PQueue({ concurrency: storedAtOnce })
  const jpegs = createJpegConverter()
  const converting = new InFlightLimit(convertingBounds)
  return {
    async uploadImage({ agencyId, body }) {
      await uploads.take(agencyId)
      if (!(await imageQuota.hasRoom(agencyId, body.size))) throw new Problem(409, 'no-room', imageQuota.sentence)
      const kept = await storing.add(async () => images.take(await body.read()))
      if (kept.kind === 'refused') throw new Problem(415, 'wrong-type', kept.sentence)
      await imageQuota.count(agencyId, kept.image)
      return { body: { ...kept.image, url: images.publicUrlOf(kept.image.hash) } }
    },

    async convertImage({ agencyId, params }) {
      await uploads.take(agencyId)
      const reserved = converting.reserve(agencyId, 0)
      if (typeof reserved === 'string') throw tooManyConversions()
      const converted = await convertToJpeg({ images, imageQuota, jpegs }, agencyId, params.hash).finally(() =>
        reserved.release(),
      )
      switch (converted.kind) {
        case 'stored':
          return { body: { ...converted.image, url: images.publicUrlOf(converted.image.hash) } }
        case 'refused':
          throw new Problem(409, 'not-convertible', converted.sentence)
        case 'no-room':
          throw new Problem(409, 'no-room', imageQuota.sentence)
        case 'unknown':
          throw notFound('This image')
        case 'busy':
          throw tooManyConversions()
      }
    },
  }
}

const tooManyConversions = () =>
  new Problem(503, 'busy', 'Too many images are being converted just now. Try again in a minute.', {
    'Retry-After': '30',
  })

/** An agency's conversions, waiting ones included: far fewer than its concurrent writes, so that these go on. */
export const convertingBounds: InFlightBounds = {
  maxCount: conversionBounds.atOnce + conversionBounds.inLine,
  maxBytes: 0,
  maxCountPerSource: 4,
  maxBytesPerSource: 0,
}

/** The limit on concurrent image responses; each holds a file descriptor and a stream buffer. */
export const openImageBounds: InFlightBounds = {
  maxCount: 512,
  maxBytes: Number.POSITIVE_INFINITY,
  maxCountPerSource: 64,
  maxBytesPerSource: Number.POSITIVE_INFINITY,
}

/** `GET /media/{hash}`: public, because networks fetch images from here. A hash always names the same image. */
export function mediaRoutes({
  images,
  requestLimits,
}: Pick<Ports, 'images'> & { readonly requestLimits: RequestLimits }): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const open = new InFlightLimit(openImageBounds)
  router.get('/media/:hash', async (request, response) => {
    const { hash } = request.params
    const image = isHash(hash) ? await images.describe(hash) : null
    if (!image) throw notFound('This image')
    const etag = `"${hash}"`
    response.set({
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Type': image.type,
      ETag: etag,
      'X-Content-Type-Options': 'nosniff',
      // Opened by itself, the image may run nothing.
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // Any site may show it: the sandbox's feeds and the web's development server have other origins.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
    if (request.get('If-None-Match')?.includes(hash)) return void response.status(304).end()
    const range = rangeOf(request, image.size, etag)
    if (range === 'unsatisfiable') {
      response.removeHeader('Content-Type')
      return void response.status(416).set('Content-Range', `bytes */${image.size}`).end()
    }
    const span = range === 'whole' ? { start: 0, end: image.size - 1 } : range
    if (range !== 'whole') response.status(206).set('Content-Range', `bytes ${span.start}-${span.end}/${image.size}`)
    response.set('Content-Length', String(span.end - span.start + 1))
    if (request.method === 'HEAD') return void response.end()
    const source = sourceOf(request.ip ?? '')
    await requestLimits.countFile(source, span.end - span.start + 1)
    const reserved = open.reserve(source, 0)
    if (typeof reserved === 'string') throw crowded(reserved === 'source' ? 429 : 503)
    await send(images, hash, span, response).finally(() => reserved.release())
  })
  return router
}

const crowded = (status: 429 | 503) =>
  new Problem(status, 'busy', 'Too many images are being sent at once. Try again in a few seconds.', {
    'Retry-After': '2',
  })

/** A broken connection or a stalled reader also ends the reading of the image. */
async function send(images: Images, hash: string, span: ByteSpan, response: Response): Promise<void> {
  const bytes = await images.stream(hash, span)
  if (!bytes) throw notFound('This image')
  const unwatch = watchReader(response)
  try {
    await pipeline(bytes, response)
  } catch {
    // The headers are already sent, so breaking the connection is the only way to report the missing rest.
    response.destroy()
  } finally {
    unwatch()
  }
}
