/** X over its API v2. */
import { query, type Answer } from '../http.ts'
import { networkClient, lostIfRefused, Refused, rejectionOf } from '../network-client.ts'
import { searchFeed } from '../lookup.ts'
import { NetworkError, type Network } from '../port.ts'
import { judgeX } from './errors.ts'
import { uploadImage } from './media.ts'
import { timelinePage, type XSettings } from './settings.ts'
import { asWritten } from './text.ts'
import { keyring } from './tokens.ts'
import { created, figures, me, timeline } from './wire.ts'

export function x(settings: XSettings): Network {
  const { mode, clientId, authorizeUrl, apiUrl, scopes, permalink, clock } = settings
  const line = networkClient(
    'twitter',
    settings,
    judgeX(() => clock.now()),
  )
  const keys = keyring(line, settings)
  const bearer = ({ accessToken }: { readonly accessToken: string }) => ({ authorization: `Bearer ${accessToken}` })
  const idIn = ({ body }: Answer) => created.safeParse(body).data?.data.id ?? null

  return {
    platform: 'twitter',
    mode,

    consentUrl: ({ state, redirectUri, accountName, codeChallenge }) =>
      `${authorizeUrl}/i/oauth2/authorize?${query({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        sandbox_account: mode === 'sandbox' ? accountName : null,
      })}`,

    exchange: (consent) => keys.exchange(consent),
    renew: (tokens) => keys.renew(tokens),
    disconnect: (connection) => keys.revoke(connection),

    async check({ tokens }) {
      await line.ask(`${apiUrl}/2/users/me`, { headers: bearer(tokens) }, me).catch((error: unknown) => {
        throw lostIfRefused(error)
      })
    },

    // X reports its limits only in the response headers of a post.
    quota: () => Promise.resolve(null),

    async prepare({ tokens, image }) {
      if (!image) return { kind: 'ready', media: [] }
      try {
        return await uploadImage(line, settings, image, bearer(tokens))
      } catch (error) {
        return rejectionOf(error)
      }
    },

    async publish({ tokens, remoteId, content }, media) {
      const headers = { ...bearer(tokens), 'content-type': 'application/json' }
      const body = JSON.stringify({ text: content, ...(media.length === 0 ? {} : { media: { media_ids: media } }) })
      const outcome = await line.mutate(`${apiUrl}/2/tweets`, { method: 'POST', headers, body }, idIn)
      return outcome.kind === 'accepted'
        ? { ...outcome, url: permalink({ remoteId, postId: outcome.remoteId }) }
        : outcome
    },

    lookUp: ({ tokens, remoteId, content }, _, since) =>
      searchFeed(line.name, { content, since }, async (cursor, from) => {
        const asked = query({
          // X accepts no fractions of a second.
          start_time: from.toISOString().replace(/\.\d+Z$/, 'Z'),
          max_results: timelinePage,
          'tweet.fields': 'created_at,text,entities',
          // Not replies: X counts a post that begins with `@name` as one.
          exclude: 'retweets',
          pagination_token: cursor,
        })
        const { body, headers } = await line.whole(
          `${apiUrl}/2/users/${remoteId}/tweets?${asked}`,
          { headers: bearer(tokens) },
          timeline,
        )
        const posts = (body.data ?? []).map((post) => ({
          remoteId: post.id,
          url: permalink({ remoteId, postId: post.id }),
          text: asWritten(post),
          at: Date.parse(post.created_at),
        }))
        return { posts, next: body.meta?.next_token ?? null, headers }
      }),

    async metrics({ tokens, postId }) {
      const gone = new NetworkError(`${line.name} does not have this post any more.`)
      const url = `${apiUrl}/2/tweets/${encodeURIComponent(postId)}?${query({ 'tweet.fields': 'public_metrics' })}`
      const { data } = await line.ask(url, { headers: bearer(tokens) }, figures).catch((error: unknown) => {
        throw error instanceof Refused && error.status === 404 ? gone : error
      })
      if (!data) throw gone
      const {
        impression_count: views,
        like_count: likes,
        reply_count: comments,
        retweet_count: reposts,
        quote_count: quotes,
      } = data.public_metrics
      return { views: views ?? null, likes, comments, shares: reposts + quotes }
    },
  }
}
