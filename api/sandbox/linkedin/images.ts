/**
 * Images: initialize, send, process, available.
 * https://learn.microsoft.com/linkedin/marketing/community-management/shares/images-api
 */
import { randomBytes } from 'node:crypto'
import { Router } from 'express'
import { z } from 'zod'
import { later } from '../../core/clock.ts'
import { maxBodyBytes } from '../bodies.ts'
import { underFaults } from '../faults.ts'
import { given, type SandboxPorts } from '../ports.ts'
import { upload } from '../store/media.ts'
import { holderOf, invalid, linkedinTroubles, may, missing, withKey } from './answers.ts'

const beginning = z.object({ initializeUploadRequest: z.object({ owner: z.string() }) })
const uploadLifeMs = 24 * 3_600_000
const workMs = 1_000
/** Retry-after when a profile stores too many images: those without a post expire with time. */
const fullSeconds = 3_600
const writing = { member: ['w_member_social'], organization: ['w_organization_social'] }

export function imageRoutes(ports: SandboxPorts): Router {
  const { store, clock, faults, bodies } = ports
  const router = Router()
  const hasKey = withKey(ports)
  const urnOf = (id: string) => `urn:li:image:${id}`

  router.post('/rest/images', hasKey, bodies.json(maxBodyBytes.json), async (request, response) => {
    const holder = holderOf(ports, request, response)
    if (!holder) return
    const wanted = beginning.safeParse(request.body)
    if (given(request, 'action') !== 'initializeUpload' || !wanted.success)
      return void invalid(response, 'initializeUploadRequest with its owner is expected')
    const { owner: remoteId } = wanted.data.initializeUploadRequest
    if (!may(ports, response, holder, remoteId, writing)) return
    await underFaults(
      faults,
      linkedinTroubles,
      { platform: 'linkedin', remoteId, step: 'prepare' },
      { request, response },
      async () => {
        const id = `C4E10AQ${randomBytes(9).toString('hex')}`
        const now = clock.now()
        const kept = await store.media.add(upload({ id: urnOf(id), platform: 'linkedin', remoteId, createdAt: now }))
        if (!kept) return () => linkedinTroubles.rateLimited(response, remoteId, fullSeconds)
        const uploadUrl = `${request.protocol}://${request.get('host') ?? ''}${request.baseUrl}/dms-uploads/${id}`
        return () =>
          void response.json({
            value: { uploadUrlExpiresAt: Date.parse(later(now, uploadLifeMs)), uploadUrl, image: urnOf(id) },
          })
      },
    )
  })

  router.put('/dms-uploads/:id', hasKey, bodies.bytes(maxBodyBytes.linkedinImage), async (request, response) => {
    const holder = holderOf(ports, request, response)
    if (!holder) return
    const media = store.media.find('linkedin', urnOf(String(request.params['id'])))
    const body: unknown = request.body
    if (media?.state !== 'waiting' || !store.profiles.covers(holder.consent, media.remoteId))
      return void missing(response, 'upload')
    if (later(media.createdAt, uploadLifeMs) <= clock.now()) return void invalid(response, 'The upload URL has expired')
    if (!Buffer.isBuffer(body)) return void invalid(response, 'There are no bytes')
    const state = await store.media.fill(media, new Uint8Array(body), 'working')
    if (state === null) return void linkedinTroubles.rateLimited(response, media.remoteId, fullSeconds)
    response.status(201).end()
  })

  router.get('/rest/images/:urn', async (request, response) => {
    const holder = holderOf(ports, request, response)
    if (!holder) return
    const { urn } = request.params
    const media = store.media.find('linkedin', urn)
    if (!media || !store.profiles.covers(holder.consent, media.remoteId)) return void missing(response, urn)
    // Processing takes one second, or until the first status request.
    const isDone = media.state !== 'working' || later(media.createdAt, workMs) <= clock.now()
    if (media.state === 'working') await store.media.move(media.id, 'ready')
    const status =
      media.state === 'waiting'
        ? 'WAITING_UPLOAD'
        : media.state === 'failed'
          ? 'PROCESSING_FAILED'
          : isDone
            ? 'AVAILABLE'
            : 'PROCESSING'
    response.json({ owner: media.remoteId, id: urn, status })
  })
  return router
}
