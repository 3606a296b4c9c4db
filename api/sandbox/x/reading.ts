/** A user's posts and their figures. https://docs.x.com/x-api/users/get-posts */
import { Router } from 'express'
import { underFaults } from '../faults.ts'
import { figuresOf } from '../figures.ts'
import { given, pageSize, type SandboxPorts } from '../ports.ts'
import type { SandboxPost } from '../store/feed.ts'
import { forbidden, holderOf, invalid, xTroubles } from './answers.ts'
import { textOnX } from './text.ts'

export function readingRoutes(ports: SandboxPorts): Router {
  const { store, clock, faults, base } = ports
  const router = Router()
  const troubles = xTroubles(clock)

  router.get('/2/users/:id/tweets', async (request, response) => {
    const holder = holderOf(ports, request, response, 'tweet.read', 'users.read')
    if (!holder) return
    const { id: remoteId } = request.params
    if (remoteId !== holder.remoteId)
      return void forbidden(response, 'This sandbox shows a person their own posts only.')
    await underFaults(
      faults,
      troubles,
      { platform: 'twitter', remoteId, step: 'lookup' },
      { request, response },
      () => {
        const start = given(request, 'start_time')
        // Whole seconds: X rejects fractions.
        if (start !== '' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(start))
          return () => invalid(response, 'Invalid start_time: YYYY-MM-DDTHH:mm:ssZ is expected.')
        const from = start === '' ? undefined : start.replace('Z', '.000Z')
        const after = given(request, 'pagination_token') || undefined
        const { posts, next } = store.feed.page('twitter', remoteId, {
          from,
          after,
          limit: pageSize(given(request, 'max_results'), 10, 100),
        })
        const fields = given(request, 'tweet.fields').split(',')
        const excluded = given(request, 'exclude').split(',')
        // A post that begins with a mention counts as a reply. A page may be short because of it, as X's are.
        const shownPosts = excluded.includes('replies') ? posts.filter(({ content }) => !/^@\w/.test(content)) : posts
        const meta = { result_count: shownPosts.length, ...(next === null ? {} : { next_token: next }) }
        const data = shownPosts.map((post) => shown(post, fields))
        return () => void response.json(data.length === 0 ? { meta } : { data, meta })
      },
    )
  })

  router.get('/2/tweets/:id', async (request, response) => {
    const holder = holderOf(ports, request, response, 'tweet.read', 'users.read')
    if (!holder) return
    const { id } = request.params
    await underFaults(
      faults,
      troubles,
      { platform: 'twitter', remoteId: holder.remoteId, step: 'metrics' },
      { request, response },
      () => {
        const post = store.feed.post('twitter', id)
        if (!post) return () => void response.json({ errors: [missing(id)] })
        return () => void response.json({ data: shown(post, given(request, 'tweet.fields').split(',')) })
      },
    )
  })

  const shown = (post: SandboxPost, fields: readonly string[]) => {
    const { id, content, imageHash, createdAt } = post
    const { text, urls } = textOnX(content, imageHash === null ? null : `${base}/x/i/web/status/${id}`)
    return {
      id,
      text,
      edit_history_tweet_ids: [id],
      ...(fields.includes('created_at') ? { created_at: createdAt } : {}),
      ...(fields.includes('entities') && urls.length > 0 ? { entities: { urls } } : {}),
      ...(fields.includes('public_metrics') ? { public_metrics: metricsOf(post) } : {}),
    }
  }

  const metricsOf = (post: SandboxPost) => {
    const { views, likes, comments, shares = 0 } = figuresOf(post, clock.now())
    const quotes = Math.floor(shares / 4)
    return {
      retweet_count: shares - quotes,
      reply_count: comments,
      like_count: likes,
      quote_count: quotes,
      bookmark_count: Math.floor(likes / 6),
      impression_count: views,
    }
  }
  return router
}

/** X reports a missing post with status 200. */
const missing = (id: string) => ({
  value: id,
  detail: `Could not find tweet with id: [${id}].`,
  title: 'Not Found Error',
  resource_type: 'tweet',
  parameter: 'id',
  resource_id: id,
  type: 'https://api.twitter.com/2/problems/resource-not-found',
})
