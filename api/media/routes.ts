/** Images for the world to fetch, and uploads from the composer. */
import express, { type Router } from 'express'
import { Limiter } from '../limits/limiter.ts'
import type { Handlers } from '../http/handler.ts'
import { notFound, Problem } from '../http/problem.ts'
import type { RequestLimits } from '../http/request-limits.ts'
import type { Images } from './images.ts'
import type { ImageQuota } from './quota.ts'
import { isHash } from './port.ts'

interface Ports {
  readonly images: Images
  readonly imageQuota: ImageQuota
}

const uploadsAnHour = 500

export function mediaHandlers({ images, imageQuota }: Ports): Handlers<'uploadImage'> {
  const uploads = new Limiter({ points: uploadsAnHour, seconds: 3600 })
  return {
    async uploadImage({ agencyId, body }) {
      await uploads.take(agencyId)
      if (!(await imageQuota.hasRoom(agencyId, body.length))) throw new Problem(409, 'no-room', imageQuota.sentence)
      const kept = await images.take(body)
      if (kept.kind === 'refused') throw new Problem(415, 'wrong-type', kept.sentence)
      await imageQuota.count(agencyId, kept.image)
      return { body: { ...kept.image, url: images.publicUrlOf(kept.image.hash) } }
    },
  }
}

/** `GET /media/{hash}`: public, because networks fetch images from there. What a hash names never changes. */
export function mediaRoutes({ images, requestLimits }: Pick<Ports, 'images'> & { readonly requestLimits: RequestLimits }): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  router.get('/media/:hash', async (request, response) => {
    const { hash } = request.params
    const image = isHash(hash) ? await images.describe(hash) : null
    if (!image) throw notFound('This image')
    response.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Type': image.type,
      ETag: `"${hash}"`,
      'X-Content-Type-Options': 'nosniff',
      // Opened by itself, it may do nothing at all.
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // Anybody may show it: the sandbox's feeds and the web's own development server live on other origins.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
    if (request.get('If-None-Match')?.includes(hash)) return void response.status(304).end()
    response.set('Content-Length', String(image.size))
    if (request.method === 'HEAD') return void response.end()
    await requestLimits.countFile(request.ip ?? '', image.size)
    const bytes = await images.read(hash)
    if (!bytes) throw notFound('This image')
    response.end(bytes)
  })
  return router
}
