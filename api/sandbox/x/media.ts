/** Uploads in three steps, then polling while X processes the image. https://docs.x.com/x-api/media/introduction */
import { Router, type RequestHandler } from 'express'
import { z } from 'zod'
import { later } from '../../core/clock.ts'
import { bytesOf, fileIn, maxBodyBytes } from '../bodies.ts'
import { underFaults } from '../faults.ts'
import { given, type SandboxPorts } from '../ports.ts'
import { numericId } from '../store/db.ts'
import { upload, type SandboxMedia } from '../store/media.ts'
import { holderOf, invalid, withKey, xTroubles } from './answers.ts'

const megabyte = 1024 * 1024
/** https://docs.x.com/x-api/media/quickstart/best-practices */
const maxBytes = { tweet_image: 5 * megabyte, tweet_gif: 15 * megabyte } as const
/** One segment, with some room for a client with another definition of a megabyte. */
const maxSegmentBytes = 5 * megabyte
const lifeSeconds = 86_400
/** Retry-after when a profile stores too many uploads: those without a post expire with time. */
const fullSeconds = 3_600

const beginning = z.object({
  media_type: z.enum(['image/jpeg', 'image/png', 'image/webp', 'image/gif']),
  total_bytes: z.int().min(1),
  media_category: z.enum(['tweet_image', 'tweet_gif']),
})

/** Null when it belongs to another user, or has expired. */
export function mediaOf({ store, clock }: SandboxPorts, id: string, remoteId: string): SandboxMedia | null {
  const media = store.media.find('twitter', id)
  return media?.remoteId === remoteId && later(media.createdAt, lifeSeconds * 1000) > clock.now() ? media : null
}

export function mediaRoutes(ports: SandboxPorts): Router {
  const { store, clock, faults, bodies } = ports
  const router = Router()
  const hasKey = withKey(ports, 'media.write')
  const troubles = xTroubles(clock)
  const keyOf = (id: string) => `3_${id}`

  router.post('/2/media/upload/initialize', hasKey, bodies.json(maxBodyBytes.json), async (request, response) => {
    const holder = holderOf(ports, request, response, 'media.write')
    if (!holder) return
    const { remoteId } = holder
    await underFaults(
      faults,
      troubles,
      { platform: 'twitter', remoteId, step: 'prepare' },
      { request, response },
      async () => {
        const wanted = beginning.safeParse(request.body)
        if (!wanted.success) return () => invalid(response, 'One or more parameters to your request was invalid.')
        const { media_type: type, total_bytes: size, media_category: category } = wanted.data
        if ((type === 'image/gif') !== (category === 'tweet_gif'))
          return () => invalid(response, 'media_category does not fit the media_type.')
        if (size > maxBytes[category]) return () => invalid(response, `File size exceeds ${maxBytes[category]} bytes.`)
        const id = numericId(19)
        const kept = await store.media.add({
          ...upload({ id, platform: 'twitter', remoteId, createdAt: clock.now() }),
          type,
          size,
        })
        if (!kept) return () => troubles.rateLimited(response, remoteId, fullSeconds)
        return () => void response.json({ data: { id, media_key: keyOf(id), expires_after_secs: lifeSeconds } })
      },
    )
  })

  router.post(
    '/2/media/upload/:id/append',
    hasKey,
    ...bodies.multipart(maxBodyBytes.xSegment),
    async (request, response) => {
      const holder = holderOf(ports, request, response, 'media.write')
      if (!holder) return
      const media = mediaOf(ports, String(request.params['id']), holder.remoteId)
      const segment = fileIn(request.body, 'media')
      const place = given(request, 'segment_index')
      if (
        media?.state !== 'waiting' ||
        !segment ||
        segment.size === 0 ||
        segment.size > maxSegmentBytes ||
        !/^\d{1,3}$/.test(place)
      ) {
        return void invalid(response, 'One or more parameters to your request was invalid.')
      }
      if (!(await store.media.addSegment(media, Number(place), await bytesOf(segment)))) {
        return void invalid(response, 'Segments are larger than the provided total file size.')
      }
      response.json({ data: { expires_at: Math.floor(Date.parse(media.createdAt) / 1000) + lifeSeconds } })
    },
  )

  router.post('/2/media/upload/:id/finalize', async (request, response) => {
    const holder = holderOf(ports, request, response, 'media.write')
    if (!holder) return
    const media = mediaOf(ports, request.params.id, holder.remoteId)
    const bytes = media?.state === 'waiting' ? store.media.segments(media.id) : null
    if (!media || bytes?.length !== media.size)
      return void invalid(response, 'Segments do not add up to provided total file size.')
    const animated = media.type === 'image/gif'
    const state = await store.media.fill(media, new Uint8Array(bytes), animated ? 'working' : 'ready')
    if (state === null) return void troubles.rateLimited(response, holder.remoteId, fullSeconds)
    if (state === 'failed') return void invalid(response, 'The media is not an image that can be used.')
    const data = { id: media.id, media_key: keyOf(media.id), size: media.size, expires_after_secs: lifeSeconds }
    response.json({
      data: { ...data, ...(animated ? { processing_info: { state: 'pending', check_after_secs: 1 } } : {}) },
    })
  })

  const status: RequestHandler = async (request, response) => {
    const holder = holderOf(ports, request, response, 'media.write')
    if (!holder) return
    const media = mediaOf(ports, given(request, 'media_id'), holder.remoteId)
    if (!media || media.state === 'waiting')
      return void invalid(response, 'One or more parameters to your request was invalid.')
    // Processing takes one second, or until the first status request.
    const isDone = media.state !== 'working' || later(media.createdAt, 1_000) <= clock.now()
    if (media.state === 'working') await store.media.move(media.id, 'ready')
    const working = isDone
      ? { state: 'succeeded', progress_percent: 100 }
      : { state: 'in_progress', check_after_secs: 1, progress_percent: 50 }
    const info = media.state === 'failed' ? { state: 'failed' } : working
    response.json({
      data: { id: media.id, media_key: keyOf(media.id), expires_after_secs: lifeSeconds, processing_info: info },
    })
  }
  router.get('/2/media/upload', status)
  return router
}
