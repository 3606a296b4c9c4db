/** A Page's feed, its posts and their figures. https://developers.facebook.com/docs/graph-api/reference/insights */
import { Router } from 'express'
import { underFaults } from '../faults.ts'
import { figuresOf } from '../figures.ts'
import { refuse, unknownObject } from '../meta.ts'
import { feedUrl, given, metaTime, pageSize, type SandboxPorts } from '../ports.ts'
import type { SandboxPost } from '../store/feed.ts'
import { facebookTroubles, pageOf } from './posting.ts'

export function readingRoutes(ports: SandboxPorts): Router {
  const { store, clock, base, faults } = ports
  const router = Router()

  router.get('/:version/:page/feed', async (request, response) => {
    const { page: remoteId } = request.params
    if (!pageOf(ports, request, response, remoteId, 'pages_read_engagement')) return
    await underFaults(
      faults,
      facebookTroubles,
      { platform: 'facebook', remoteId, step: 'lookup' },
      { request, response },
      () => {
        const since = given(request, 'since')
        const from = /^\d{1,12}$/.test(since) ? new Date(Number(since) * 1000).toISOString() : undefined
        const after = given(request, 'after') || undefined
        const { posts, next } = store.feed.page('facebook', remoteId, {
          from,
          after,
          limit: pageSize(given(request, 'limit'), 25, 100),
        })
        const fields = (given(request, 'fields') || 'id,message,created_time').split(',')
        const query = new URLSearchParams({ ...textsOf(request.query), ...(next === null ? {} : { after: next }) })
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

  router.get('/:version/:post/insights', async (request, response) => {
    const { post: id } = request.params
    const remoteId = pageIn(id)
    if (!pageOf(ports, request, response, remoteId, 'read_insights')) return
    await underFaults(
      faults,
      facebookTroubles,
      { platform: 'facebook', remoteId, step: 'metrics' },
      { request, response },
      () => {
        const post = store.feed.post('facebook', id)
        if (!post) return () => refuse(response, unknownObject(id))
        const figures = insights(post)
        const names = given(request, 'metric').split(',')
        // A retired metric fails the whole call.
        if (!names.every((name) => figures.has(name))) {
          return () => refuse(response, { code: 100, message: '(#100) The value must be a valid insights metric' })
        }
        const data = names.map((name) => ({
          name,
          period: 'lifetime',
          values: [{ value: figures.get(name) }],
          id: `${id}/insights/${name}/lifetime`,
        }))
        return () => void response.json({ data })
      },
    )
  })

  router.get('/:version/:id', async (request, response) => {
    const { id } = request.params
    const remoteId = pageIn(id)
    if (!pageOf(ports, request, response, remoteId, id === remoteId ? 'pages_show_list' : 'pages_read_engagement'))
      return
    const fields = (given(request, 'fields') || 'id,name').split(',')
    if (id === remoteId)
      return void response.json({
        id,
        ...(fields.includes('name') ? { name: store.profiles.profile('facebook', id)?.name } : {}),
      })
    const counts = fields.some((field) => field === 'shares' || field.startsWith('comments'))
    const step = counts ? 'metrics' : 'lookup'
    await underFaults(faults, facebookTroubles, { platform: 'facebook', remoteId, step }, { request, response }, () => {
      const post = store.feed.post('facebook', id)
      return () => void (post ? response.json(shown(post, fields)) : refuse(response, unknownObject(id)))
    })
  })

  /** The requested fields; the count of shares is absent while it is zero. */
  const shown = (post: SandboxPost, fields: readonly string[]): Record<string, unknown> => {
    const { id, content, createdAt } = post
    const { shares = 0, comments } = fields.some((field) => /^(shares|comments)/.test(field))
      ? figuresOf(post, clock.now())
      : { comments: 0 }
    return {
      id,
      ...(fields.includes('message') && content !== '' ? { message: content } : {}),
      ...(fields.includes('created_time') ? { created_time: metaTime(createdAt) } : {}),
      ...(fields.includes('permalink_url') ? { permalink_url: feedUrl(base, post) } : {}),
      ...(fields.includes('shares') && shares > 0 ? { shares: { count: shares } } : {}),
      ...(fields.some((field) => field.startsWith('comments'))
        ? { comments: { data: [], summary: { order: 'ranked', total_count: comments, can_comment: true } } }
        : {}),
    }
  }

  const insights = (post: SandboxPost): ReadonlyMap<string, unknown> => {
    const { views, likes } = figuresOf(post, clock.now())
    const love = Math.floor(likes / 5)
    const reactions = Object.fromEntries(Object.entries({ like: likes - love, love }).filter(([, count]) => count > 0))
    return new Map<string, unknown>([
      ['post_media_view', views],
      ['post_total_media_view_unique', Math.ceil(views * 0.8)],
      ['post_clicks', Math.floor(views / 20)],
      ['post_reactions_by_type_total', reactions],
    ])
  }
  return router
}

/** A post's id begins with its Page's. Posts of former versions have no Page: no client may read them here. */
const pageIn = (id: string) => id.split('_')[0] ?? ''

const textsOf = (query: object): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
