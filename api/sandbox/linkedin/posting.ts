/** Creates and finds posts. https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api */
import { Router } from 'express'
import { z } from 'zod'
import { textLength, textLimits } from '../../../domain/core/text-limits.ts'
import { maxBodyBytes } from '../bodies.ts'
import { underFaults } from '../faults.ts'
import { given, pageSize, type SandboxPorts } from '../ports.ts'
import { numericId } from '../store/db.ts'
import { holderOf, invalid, linkedinTroubles, may, refuse, withKey } from './answers.ts'
import { readOnLinkedin } from './text.ts'

const sent = z.object({
  author: z.string(),
  commentary: z.string().max(20_000),
  visibility: z.literal('PUBLIC'),
  distribution: z.object({
    feedDistribution: z.enum(['MAIN_FEED', 'NONE']),
    targetEntities: z.array(z.unknown()),
    thirdPartyDistributionChannels: z.array(z.unknown()),
  }),
  content: z
    .object({
      media: z.object({ id: z.string(), altText: z.string().max(4_086).optional(), title: z.string().optional() }),
    })
    .optional(),
  lifecycleState: z.literal('PUBLISHED'),
  isReshareDisabledByAuthor: z.boolean().optional(),
})
const writing = { member: ['w_member_social'], organization: ['w_organization_social'] }
const reading = { member: ['r_member_social'], organization: ['r_organization_social'] }

export function postingRoutes(ports: SandboxPorts): Router {
  const { store, clock, faults, limits, bodies } = ports
  const router = Router()

  router.post('/rest/posts', withKey(ports), bodies.json(maxBodyBytes.json), async (request, response) => {
    const holder = holderOf(ports, request, response)
    if (!holder) return
    const wanted = sent.safeParse(request.body)
    if (!wanted.success) {
      const field = wanted.error.issues[0]?.path.join('/') ?? ''
      return void refuse(response, {
        status: 422,
        code: 'UNPROCESSABLE_ENTITY',
        message: `ERROR :: /${field} :: field is required, unrecognised or not valid`,
      })
    }
    const { author: remoteId, commentary, content: attached } = wanted.data
    if (!may(ports, response, holder, remoteId, writing)) return
    await underFaults(
      faults,
      linkedinTroubles,
      { platform: 'linkedin', remoteId, step: 'publish' },
      { request, response },
      async () => {
        const content = readOnLinkedin(commentary)
        if (textLength('linkedin', content) > textLimits.linkedin)
          return () => invalid(response, 'commentary: the text has more than 3000 characters')
        const image = attached && store.media.find('linkedin', attached.media.id)
        if (attached && (image?.remoteId !== remoteId || image.state !== 'ready')) {
          return () => invalid(response, `The media asset ${attached.media.id} is not available`)
        }
        if (content.trim() === '' && !attached) return () => invalid(response, 'A post needs commentary or content')
        const now = clock.now()
        if (limits.allowance('linkedin', remoteId, now)?.remaining === 0)
          return () => linkedinTroubles.rateLimited(response, remoteId, null)
        const id = `urn:li:share:7${numericId(18)}`
        const post = {
          id,
          platform: 'linkedin',
          remoteId,
          content,
          written: commentary,
          imageUrl: null,
          imageHash: image?.imageHash ?? null,
          createdAt: now,
        } as const
        await store.take(post, image ? [image.id] : [])
        return () =>
          void response
            .status(201)
            .set('x-restli-id', id)
            .set('location', `/rest/posts/${encodeURIComponent(id)}`)
            .end()
      },
    )
  })

  router.get('/rest/posts', async (request, response) => {
    const holder = holderOf(ports, request, response)
    if (!holder) return
    const remoteId = given(request, 'author')
    if (given(request, 'q') !== 'author' || request.get('x-restli-method')?.toUpperCase() !== 'FINDER') {
      return void invalid(response, 'q=author with X-RestLi-Method: FINDER is expected')
    }
    if (!may(ports, response, holder, remoteId, reading)) return
    await underFaults(
      faults,
      linkedinTroubles,
      { platform: 'linkedin', remoteId, step: 'lookup' },
      { request, response },
      () => {
        const start = Math.max(0, Math.trunc(Number(given(request, 'start'))) || 0)
        const count = pageSize(given(request, 'count'), 10, 100)
        const { posts, next } = store.feed.page('linkedin', remoteId, { skip: start, limit: count })
        const elements = posts.map(({ id, written, createdAt }) => {
          const at = Date.parse(createdAt)
          return {
            id,
            author: remoteId,
            commentary: written,
            visibility: 'PUBLIC',
            lifecycleState: 'PUBLISHED',
            createdAt: at,
            publishedAt: at,
            lastModifiedAt: at,
          }
        })
        const href = `/rest/posts?${new URLSearchParams({ author: remoteId, q: 'author', count: String(count), start: String(start + posts.length) })}`
        const links = next === null ? [] : [{ type: 'application/json', rel: 'next', href }]
        return () => void response.json({ elements, paging: { start, count, links } })
      },
    )
  })
  return router
}
