/** Creates and publishes containers. https://developers.facebook.com/docs/instagram-platform/content-publishing */
import { Router, type Request, type Response } from 'express'
import { maxBodyBytes } from '../bodies.ts'
import { underFaults } from '../faults.ts'
import { holderOf, keyFirst, metaTroubles, refuse, unknownObject } from '../meta.ts'
import { given, type SandboxPorts } from '../ports.ts'
import { numericId } from '../store/db.ts'
import { upload } from '../store/media.ts'
import type { Holder } from '../store/tokens.ts'
import { problemWith, statusOf, unfetchable } from './container.ts'

/** Retry-after when a profile stores too many containers: those without a post expire with time. */
const fullSeconds = 3_600
const maxAddress = 2_048

export const instagramTroubles = metaTroubles('instagram', 80002)

/** The account of the request's token; null after an error response. */
export function accountOf(
  ports: SandboxPorts,
  request: Request,
  response: Response,
  account: string,
  scope: string,
): Holder | null {
  const holder = holderOf(ports, 'instagram', request, response, scope)
  if (!holder) return null
  return holder.remoteId === account ? holder : refuse(response, unknownObject(account))
}

export function postingRoutes(ports: SandboxPorts): Router {
  const { store, clock, faults, limits, fetchImage, bodies } = ports
  const router = Router()
  const scope = 'instagram_business_content_publish'
  const knownKey = keyFirst(
    (request, response) => accountOf(ports, request, response, String(request.params['account']), scope) !== null,
  )
  const form = bodies.form(maxBodyBytes.keyedForm)

  router.post('/:version/:account/media', knownKey, form, async (request, response) => {
    const remoteId = String(request.params['account'])
    if (!accountOf(ports, request, response, remoteId, scope)) return
    await underFaults(
      faults,
      instagramTroubles,
      { platform: 'instagram', remoteId, step: 'prepare' },
      { request, response },
      async () => {
        const imageUrl = given(request, 'image_url')
        const caption = given(request, 'caption')
        if (imageUrl === '')
          return () => refuse(response, { code: 100, message: '(#100) The parameter image_url is required' })
        const image = imageUrl.length > maxAddress ? null : await fetchImage(imageUrl)
        const problem = image ? problemWith(image, caption) : unfetchable
        if (!image || problem) return () => refuse(response, problem ?? unfetchable)
        const id = numericId(17)
        const { type, size } = image
        const container = upload({ id, platform: 'instagram', remoteId, createdAt: clock.now() })
        const kept = await store.media.add({
          ...container,
          state: 'working',
          type,
          size,
          caption,
          imageUrl: new URL(imageUrl).href,
        })
        if (!kept) return () => instagramTroubles.rateLimited(response, remoteId, fullSeconds)
        return () => void response.json({ id })
      },
    )
  })

  router.post('/:version/:account/media_publish', knownKey, form, async (request, response) => {
    const remoteId = String(request.params['account'])
    if (!accountOf(ports, request, response, remoteId, scope)) return
    await underFaults(
      faults,
      instagramTroubles,
      { platform: 'instagram', remoteId, step: 'publish' },
      { request, response },
      async () => {
        const container = store.media.find('instagram', given(request, 'creation_id'))
        const now = clock.now()
        const status = container?.remoteId === remoteId ? statusOf(container, now) : 'EXPIRED'
        if (!container || status === 'EXPIRED' || status === 'ERROR') {
          return () =>
            refuse(response, {
              code: 24,
              subcode: 2207008,
              message: 'The media builder does not exist or has been expired.',
            })
        }
        if (status === 'IN_PROGRESS')
          return () => refuse(response, { code: 9007, subcode: 2207027, message: 'Media ID is not available' })
        // A container can be published only once.
        if (status === 'PUBLISHED')
          return () =>
            refuse(response, {
              code: 9007,
              subcode: 2207027,
              message: 'Media ID is not available: it has been published',
            })
        if (limits.allowance('instagram', remoteId, now)?.remaining === 0) {
          return () => refuse(response, { code: 9, subcode: 2207042, message: 'Application request limit reached' })
        }
        const id = numericId(17)
        const { caption, imageUrl } = container
        await store.take(
          { id, platform: 'instagram', remoteId, content: caption ?? '', imageUrl, imageHash: null, createdAt: now },
          [container.id],
        )
        return () => void response.json({ id })
      },
    )
  })
  return router
}
