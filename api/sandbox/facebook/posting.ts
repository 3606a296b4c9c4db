/** Photos and posts of a Page. https://developers.facebook.com/docs/pages-api/posts */
import { Router, type Request, type RequestHandler, type Response } from 'express'
import { z } from 'zod'
import { textLength, textLimits } from '../../../domain/core/text-limits.ts'
import { bytesOf, fileIn, maxBodyBytes } from '../bodies.ts'
import { underFaults } from '../faults.ts'
import { secondsUntil } from '../limits.ts'
import { holderOf, keyFirst, keyIn, metaTroubles, refuse, unknownObject, type MetaProblem } from '../meta.ts'
import { given, type SandboxPorts } from '../ports.ts'
import { numericId } from '../store/db.ts'
import { upload, type SandboxMedia } from '../store/media.ts'
import type { Holder } from '../store/tokens.ts'

export const facebookTroubles = metaTroubles('pages', 80001)

const maxPhotoBytes = 4 * 1024 * 1024
const maxPhotos = 10
/** Retry-after when a profile stores too many photos: those without a post expire with time. */
const fullSeconds = 3_600
const attached = z.object({ media_fbid: z.string() })
const badPhoto: MetaProblem = { code: 100, subcode: 1366046, message: 'Invalid parameter' }
const published: MetaProblem = {
  code: 100,
  message: '(#100) This sandbox takes photos for a later post only: published=false',
}
const tooLong: MetaProblem = { code: 100, message: '(#100) The status you are trying to publish is too long' }
const badAttachment: MetaProblem = { code: 100, message: '(#100) Invalid parameter: attached_media' }

/** The Page of the request's token; null after an error response. */
export function pageOf(
  ports: SandboxPorts,
  request: Request,
  response: Response,
  page: string,
  scope: string,
): Holder | null {
  const holder = holderOf(ports, 'facebook', request, response, scope)
  if (!holder) return null
  if (holder.kind !== 'page')
    return refuse(response, { code: 210, message: '(#210) A page access token is required to request this resource.' })
  return holder.remoteId === page ? holder : refuse(response, unknownObject(page))
}

export function postingRoutes(ports: SandboxPorts): Router {
  const { store, clock, faults, limits, bodies } = ports
  const router = Router()
  const isPages = (request: Request, response: Response) =>
    pageOf(ports, request, response, String(request.params['page']), 'pages_manage_posts') !== null

  router.post(
    '/:version/:page/photos',
    (request, response, next) => void (isPages(request, response) && next()),
    ...bodies.multipart(maxBodyBytes.facebookPhoto),
    async (request, response) => {
      const remoteId = String(request.params['page'])
      if (!pageOf(ports, request, response, remoteId, 'pages_manage_posts')) return
      await underFaults(
        faults,
        facebookTroubles,
        { platform: 'facebook', remoteId, step: 'prepare' },
        { request, response },
        async () => {
          const file = fileIn(request.body, 'source')
          if (!file) return () => refuse(response, { code: 324, message: '(#324) Requires upload file' })
          if (given(request, 'published') !== 'false') return () => refuse(response, published)
          if (file.size > maxPhotoBytes) return () => refuse(response, badPhoto)
          const id = numericId(15)
          const bytes = await bytesOf(file)
          const photo = upload({ id, platform: 'facebook', remoteId, createdAt: clock.now() })
          const state = (await store.media.add(photo)) ? await store.media.fill(photo, bytes, 'ready') : null
          if (state === null) return () => facebookTroubles.rateLimited(response, remoteId, fullSeconds)
          return () => void (state === 'failed' ? refuse(response, badPhoto) : response.json({ id }))
        },
      )
    },
  )

  const [keyed, keyless] = [bodies.form(maxBodyBytes.facebookPost), bodies.form(maxBodyBytes.keyedForm)]
  const formWithin: RequestHandler = (request, response, next) =>
    (keyIn(request) === '' ? keyless : keyed)(request, response, next)

  router.post('/:version/:page/feed', keyFirst(isPages), formWithin, async (request, response) => {
    const remoteId = String(request.params['page'])
    if (!pageOf(ports, request, response, remoteId, 'pages_manage_posts')) return
    await underFaults(
      faults,
      facebookTroubles,
      { platform: 'facebook', remoteId, step: 'publish' },
      { request, response },
      async () => {
        const content = given(request, 'message')
        const photos = photosIn(request, remoteId)
        if (photos === null) return () => refuse(response, badAttachment)
        if (content.trim() === '' && photos.length === 0)
          return () => refuse(response, { code: 100, message: '(#100) Missing message or attachment' })
        if (textLength('facebook', content) > textLimits.facebook) return () => refuse(response, tooLong)
        const now = clock.now()
        const allowance = limits.allowance('facebook', remoteId, now)
        if (allowance?.remaining === 0)
          return () => facebookTroubles.rateLimited(response, remoteId, secondsUntil(allowance.resetsAt, now))
        const id = `${remoteId}_${numericId(15)}`
        const post = {
          id,
          platform: 'facebook',
          remoteId,
          content,
          imageUrl: null,
          imageHash: photos[0]?.imageHash ?? null,
          createdAt: now,
        } as const
        await store.take(
          post,
          photos.map((photo) => photo.id),
        )
        return () => void response.json({ id })
      },
    )
  })

  /** Null when one does not belong to this Page, or is published already. */
  const photosIn = (request: Request, remoteId: string): SandboxMedia[] | null => {
    const photos: SandboxMedia[] = []
    for (let index = 0; ; index++) {
      const text = given(request, `attached_media[${index}]`)
      if (text === '') return photos
      const photo = store.media.find('facebook', idIn(text))
      if (photo?.remoteId !== remoteId || photo.state !== 'ready' || index >= maxPhotos) return null
      photos.push(photo)
    }
  }
  return router
}

function idIn(text: string): string {
  try {
    return attached.parse(JSON.parse(text)).media_fbid
  } catch {
    return ''
  }
}
