/** Instagram professional accounts over the Instagram API with Instagram Login. */
import { figureAt } from '../facebook/metrics.ts'
import { after, anything, created, figureOf, insights, list } from '../facebook/wire.ts'
import { query, type Answer } from '../http.ts'
import { networkClient, lostIfRefused, orNull, rejected, rejectionOf } from '../network-client.ts'
import { searchFeed, undecidedOnError } from '../lookup.ts'
import { ConnectionLost, type LookUp, type Network, type Submission } from '../port.ts'
import { statusOf, waitFor } from './container.ts'
import { judgeInstagram } from './errors.ts'
import { mediaPageSize, type InstagramSettings } from './settings.ts'
import { exchangeForAccount, renewed } from './tokens.ts'
import { media as mediaEntry, permalink, publishingLimit } from './wire.ts'

export function instagram(settings: InstagramSettings): Network {
  const { mode, clientId, wwwUrl, graphUrl, version, scopes, poll } = settings
  const line = networkClient('instagram', settings, judgeInstagram)
  const at = (path: string) => `${graphUrl}/${version}/${path}`
  const bearer = ({ accessToken }: { readonly accessToken: string }) => ({ authorization: `Bearer ${accessToken}` })
  const idIn = ({ body }: Answer) => created.safeParse(body).data?.id ?? null
  const needsImage = rejected('Instagram takes no post without an image. Add an image.', 'edit')

  const search = ({ tokens, remoteId, content }: Submission, since: string): Promise<LookUp> =>
    searchFeed(line.name, { content, since }, async (cursor) => {
      const asked = query({ fields: 'id,caption,permalink,timestamp', limit: mediaPageSize, after: cursor })
      const { body, headers } = await line.whole(
        at(`${remoteId}/media?${asked}`),
        { headers: bearer(tokens) },
        list(mediaEntry),
      )
      const posts = body.data.map(({ id, caption, permalink: url, timestamp }) => ({
        remoteId: id,
        url: url ?? null,
        text: caption ?? '',
        at: Date.parse(timestamp),
      }))
      return { posts, next: after(body), headers }
    })

  return {
    platform: 'instagram',
    mode,

    consentUrl: ({ state, redirectUri, accountName }) =>
      `${wwwUrl}/oauth/authorize?${query({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: scopes.join(','),
        state,
        sandbox_account: mode === 'sandbox' ? accountName : null,
      })}`,

    exchange: (consent) => exchangeForAccount(line, settings, consent),

    async renew({ refreshToken }) {
      if (refreshToken === null)
        throw new ConnectionLost(`${line.name} gave access that can't be renewed. Connect the account again.`)
      return renewed(line, settings, refreshToken)
    },

    async check({ tokens }) {
      await line
        .ask(at(`me?${query({ fields: 'user_id,username' })}`), { headers: bearer(tokens) }, anything)
        .catch((error: unknown) => {
          throw lostIfRefused(error)
        })
    },

    // Instagram Login has no call for it: users remove the app in Instagram's settings.
    disconnect: () => Promise.resolve(),

    async quota({ remoteId, tokens }) {
      const url = at(`${remoteId}/content_publishing_limit?${query({ fields: 'quota_usage,config' })}`)
      const {
        data: [limit],
      } = await line.ask(url, { headers: bearer(tokens) }, publishingLimit)
      if (!limit) return null
      return { used: limit.quota_usage, total: limit.config.quota_total, hours: limit.config.quota_duration / 3600 }
    },

    async prepare({ tokens, remoteId, content, image }) {
      if (!image) return needsImage
      const headers = bearer(tokens)
      const body = new URLSearchParams({ image_url: image.publicUrl, caption: content })
      try {
        const { id } = await line.ask(at(`${remoteId}/media`), { method: 'POST', headers, body }, created)
        return await waitFor(() => statusOf(line, at(id), headers), line.name, id, poll)
      } catch (error) {
        return rejectionOf(error)
      }
    },

    async publish({ tokens, remoteId }, [container]) {
      if (container === undefined) return needsImage
      const headers = bearer(tokens)
      const body = new URLSearchParams({ creation_id: container })
      const outcome = await line.mutate(at(`${remoteId}/media_publish`), { method: 'POST', headers, body }, idIn)
      if (outcome.kind !== 'accepted') return outcome
      const found = await orNull(
        line.ask(at(`${outcome.remoteId}?${query({ fields: 'permalink' })}`), { headers }, permalink),
      )
      return { ...outcome, url: found?.permalink ?? null }
    },

    // A container's status says whether it was published; one that is IN_PROGRESS may be publishing just now.
    // developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-container (v25.0)
    lookUp: (submission, [container], since) =>
      undecidedOnError(async () => {
        // Nothing can be published without a container.
        if (container === undefined) return { kind: 'absent' }
        const { status_code: code } = await statusOf(line, at(container), bearer(submission.tokens))
        if (code === 'IN_PROGRESS') return { kind: 'undecided', cause: `${line.name} is still working on the post.` }
        if (code !== 'PUBLISHED') return { kind: 'absent' }
        const found = await search(submission, since)
        if (found.kind !== 'found' || found.candidates.length > 0) return found
        return {
          kind: 'undecided',
          cause: `${line.name} has published the post but doesn't list it yet.`,
          isLive: true,
        }
      }),

    async metrics({ tokens, postId }) {
      const get = figureAt(line, bearer(tokens), judgeInstagram)
      const insight = (metric: string) =>
        get(at(`${encodeURIComponent(postId)}/insights?${query({ metric })}`), insights, figureOf)
      return {
        views: await insight('views'),
        likes: await insight('likes'),
        comments: await insight('comments'),
        shares: await insight('shares'),
      }
    },
  }
}
