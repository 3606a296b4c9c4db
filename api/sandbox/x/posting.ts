/** The user's own profile, and creating posts. https://docs.x.com/x-api/posts/creation-of-a-post */
import { Router } from 'express'
import { z } from 'zod'
import { textLength, textLimits } from '../../../domain/core/text-limits.ts'
import { maxBodyBytes } from '../bodies.ts'
import { underFaults } from '../faults.ts'
import type { SandboxPorts } from '../ports.ts'
import { numericId } from '../store/db.ts'
import { handleOf } from '../store/profiles.ts'
import { forbidden, holderOf, invalid, rateHeaders, tooMany, unauthorized, withKey, xTroubles } from './answers.ts'
import { mediaOf } from './media.ts'
import { textOnX } from './text.ts'

const sent = z.object({
  text: z.string().max(25_000).optional(),
  media: z.object({ media_ids: z.array(z.string()).min(1).max(4) }).optional(),
})

const writing = ['tweet.write', 'tweet.read', 'users.read']

export function postingRoutes(ports: SandboxPorts): Router {
  const { store, clock, faults, limits, base, bodies } = ports
  const router = Router()
  const troubles = xTroubles(clock)

  router.get('/2/users/me', (request, response) => {
    const holder = holderOf(ports, request, response, 'users.read', 'tweet.read')
    if (!holder) return
    const profile = store.profiles.profile('twitter', holder.remoteId)
    if (!profile) return void unauthorized(response)
    response.json({ data: { id: profile.remoteId, name: profile.name, username: handleOf(profile) } })
  })

  router.post('/2/tweets', withKey(ports, ...writing), bodies.json(maxBodyBytes.json), async (request, response) => {
    const holder = holderOf(ports, request, response, ...writing)
    if (!holder) return
    const { remoteId } = holder
    await underFaults(
      faults,
      troubles,
      { platform: 'twitter', remoteId, step: 'publish' },
      { request, response },
      async () => {
        const post = sent.safeParse(request.body)
        if (!post.success) return () => invalid(response, 'One or more parameters to your request was invalid.')
        const { text: content = '', media } = post.data
        const images = (media?.media_ids ?? []).map((id) => mediaOf(ports, id, remoteId))
        if (images.some((image) => image?.state !== 'ready'))
          return () => invalid(response, 'Your media IDs are invalid.')
        if (content.trim() === '' && images.length === 0)
          return () => invalid(response, 'Your request must include text or media.')
        if (textLength('twitter', content) > textLimits.twitter)
          return () => forbidden(response, 'Your Tweet text is too long.')
        const now = clock.now()
        const allowance = limits.allowance('twitter', remoteId, now)
        if (allowance) rateHeaders(response, allowance.limit, Math.max(0, allowance.remaining - 1), allowance.resetsAt)
        if (allowance?.remaining === 0) return () => tooMany(response)
        const id = numericId(19)
        const imageHash = images[0]?.imageHash ?? null
        await store.take(
          { id, platform: 'twitter', remoteId, content, imageUrl: null, imageHash, createdAt: now },
          media?.media_ids,
        )
        const { text } = textOnX(content, imageHash === null ? null : `${base}/x/i/web/status/${id}`)
        return () => void response.status(201).json({ data: { id, text, edit_history_tweet_ids: [id] } })
      },
    )
  })
  return router
}
