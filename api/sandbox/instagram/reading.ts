/**
 * The account, its quota, its containers, its media and their figures.
 * https://developers.facebook.com/docs/instagram-platform/insights
 */
import { Router } from 'express'
import type { SandboxMedia } from '../store/media.ts'
import { underFaults } from '../faults.ts'
import { figuresOf } from '../figures.ts'
import { holderOf, refuse, unknownObject } from '../meta.ts'
import { feedUrl, given, metaTime, pageSize, type SandboxPorts } from '../ports.ts'
import { later } from '../../core/clock.ts'
import type { SandboxPost } from '../store/feed.ts'
import { handleOf } from '../store/profiles.ts'
import { sentenceOf, statusOf } from './container.ts'
import { accountOf, instagramTroubles } from './posting.ts'
import { appScopedId } from './tokens.ts'

/** Instagram's usual quota; a client must read config.quota_total instead of assuming it. */
const usualQuota = { posts: 100, windowMs: 24 * 3_600_000 }

export function readingRoutes(ports: SandboxPorts): Router {
  const { store, clock, base, faults, limits } = ports
  const router = Router()
  const basic = 'instagram_business_basic'

  router.get('/:version/me', (request, response) => {
    const holder = holderOf(ports, 'instagram', request, response, basic)
    const profile = holder && store.profiles.profile('instagram', holder.remoteId)
    if (!profile) return
    const { remoteId, name } = profile
    const known = { user_id: remoteId, username: handleOf(profile), name, account_type: 'BUSINESS' }
    response.json({ ...picked(known, given(request, 'fields') || 'user_id,username'), id: appScopedId(remoteId) })
  })

  router.get('/:version/:account/content_publishing_limit', (request, response) => {
    const { account: remoteId } = request.params
    if (!accountOf(ports, request, response, remoteId, 'instagram_business_content_publish')) return
    const now = clock.now()
    const allowance = limits.allowance('instagram', remoteId, now)
    const windowMs = allowance?.windowMs ?? usualQuota.windowMs
    const used = allowance
      ? allowance.limit - allowance.remaining
      : store.feed.count('instagram', remoteId, later(now, -windowMs)).posts
    // Without a limit, the reported quota must never block a post.
    const total = allowance?.limit ?? Math.max(usualQuota.posts, used + usualQuota.posts)
    response.json({
      data: [{ quota_usage: used, config: { quota_total: total, quota_duration: Math.floor(windowMs / 1000) } }],
    })
  })

  router.get('/:version/:account/media', async (request, response) => {
    const { account: remoteId } = request.params
    if (!accountOf(ports, request, response, remoteId, basic)) return
    await underFaults(
      faults,
      instagramTroubles,
      { platform: 'instagram', remoteId, step: 'lookup' },
      { request, response },
      () => {
        const after = given(request, 'after') || undefined
        const { posts, next } = store.feed.page('instagram', remoteId, {
          after,
          limit: pageSize(given(request, 'limit'), 25, 100),
        })
        const fields = given(request, 'fields') || 'id'
        const query = new URLSearchParams({ fields, after: next ?? '' })
        const address = `${request.protocol}://${request.get('host') ?? ''}${request.baseUrl}${request.path}?${query}`
        const paging = {
          cursors: { before: after ?? '', after: next ?? '' },
          ...(next === null ? {} : { next: address }),
        }
        return () =>
          void response.json({
            data: posts.map((post) => shown(post, fields)),
            ...(posts.length === 0 ? {} : { paging }),
          })
      },
    )
  })

  router.get('/:version/:media/insights', async (request, response) => {
    const holder = holderOf(ports, 'instagram', request, response, 'instagram_business_manage_insights')
    if (!holder) return
    const { media: id } = request.params
    await underFaults(
      faults,
      instagramTroubles,
      { platform: 'instagram', remoteId: holder.remoteId, step: 'metrics' },
      { request, response },
      () => {
        const post = store.feed.post('instagram', id)
        if (post?.remoteId !== holder.remoteId) return () => refuse(response, unknownObject(id))
        const figures: ReadonlyMap<string, number> = new Map(Object.entries(figuresOf(post, clock.now())))
        const names = given(request, 'metric').split(',')
        // A metric that isn't offered fails the whole call.
        if (!names.every((name) => figures.has(name))) {
          return () =>
            refuse(response, {
              code: 100,
              message: `(#100) metric[0] must be one of the readModels values: ${[...figures.keys()].join(', ')}`,
            })
        }
        const data = names.map((name) => ({
          name,
          period: 'lifetime',
          values: [{ value: figures.get(name) }],
          title: name,
          id: `${id}/insights/${name}/lifetime`,
        }))
        return () => void response.json({ data })
      },
    )
  })

  router.get('/:version/:id', async (request, response) => {
    const holder = holderOf(ports, 'instagram', request, response, basic)
    if (!holder) return
    const { id } = request.params
    const { remoteId } = holder
    const container = store.media.find('instagram', id)
    const step = container?.state === 'working' ? 'prepare' : 'lookup'
    await underFaults(
      faults,
      instagramTroubles,
      { platform: 'instagram', remoteId, step },
      { request, response },
      async () => {
        if (container?.remoteId === remoteId) return progress(container, (result) => void response.json(result))
        const post = store.feed.post('instagram', id)
        if (post?.remoteId !== remoteId) return () => refuse(response, unknownObject(id))
        return () => void response.json(shown(post, given(request, 'fields') || 'id'))
      },
    )
  })

  const progress = async (container: SandboxMedia, tell: (result: object) => void) => {
    const status = statusOf(container, clock.now())
    if (status === 'IN_PROGRESS') await store.media.move(container.id, 'ready')
    return () => tell({ id: container.id, status_code: status, status: sentenceOf[status] })
  }

  const shown = (post: SandboxPost, fields: string) => ({
    id: post.id,
    ...picked(
      {
        caption: post.content,
        permalink: feedUrl(base, post),
        timestamp: metaTime(post.createdAt),
        media_type: 'IMAGE',
      },
      fields,
    ),
  })

  return router
}

function picked(known: Readonly<Record<string, string>>, fields: string): Record<string, string> {
  const wanted = new Set(fields.split(','))
  return Object.fromEntries(Object.entries(known).filter(([name]) => wanted.has(name)))
}
