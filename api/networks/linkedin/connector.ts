/** LinkedIn members and organizations over its versioned REST API. */
import { query } from '../http.ts'
import { networkClient, lostIfRefused, Refused, rejectionOf } from '../network-client.ts'
import { searchFeed } from '../lookup.ts'
import { NetworkError, type Network } from '../port.ts'
import { judgeLinkedIn } from './errors.ts'
import { restHeaders } from './headers.ts'
import { uploadImage } from './images.ts'
import { linkedinTotals } from './metrics.ts'
import { exchangeForProfiles, memberOf, renewed } from './profiles.ts'
import { postsPage, type LinkedInSettings } from './settings.ts'
import { asCommentary, asRead } from './text.ts'
import { posts as postsShape } from './wire.ts'

export function linkedin(settings: LinkedInSettings): Network {
  const { mode, clientId, authorizeUrl, apiUrl, scope, permalink, clock } = settings
  const line = networkClient(
    'linkedin',
    settings,
    judgeLinkedIn(() => clock.now()),
  )

  return {
    platform: 'linkedin',
    mode,

    consentUrl: ({ state, redirectUri, accountName }) =>
      `${authorizeUrl}/oauth/v2/authorization?${query({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        scope,
        sandbox_account: mode === 'sandbox' ? accountName : null,
      })}`,

    exchange: (consent) => exchangeForProfiles(line, settings, consent),
    renew: (tokens) => renewed(line, settings, tokens),

    async check({ tokens }) {
      await memberOf(line, settings, tokens).catch((error: unknown) => {
        throw lostIfRefused(error)
      })
    },

    // The token is the member's: revoking it would also disconnect the other profiles of the same consent.
    disconnect: () => Promise.resolve(),

    quota: () => Promise.resolve(null),

    async prepare(submission) {
      try {
        return await uploadImage(line, settings, submission)
      } catch (error) {
        return rejectionOf(error)
      }
    },

    async publish({ tokens, remoteId, content }, [image]) {
      const headers = { ...restHeaders(settings, tokens), 'content-type': 'application/json' }
      const body = JSON.stringify({
        author: remoteId,
        commentary: asCommentary(content),
        visibility: 'PUBLIC',
        distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
        ...(image === undefined ? {} : { content: { media: { id: image } } }),
        lifecycleState: 'PUBLISHED',
        isReshareDisabledByAuthor: false,
      })
      // The body is empty: the id is in a header.
      const outcome = await line.mutate(`${apiUrl}/rest/posts`, { method: 'POST', headers, body }, (answer) =>
        answer.headers.get('x-restli-id'),
      )
      return outcome.kind === 'accepted'
        ? { ...outcome, url: permalink({ remoteId, postId: outcome.remoteId }) }
        : outcome
    },

    lookUp: ({ tokens, remoteId, content }, _, since) =>
      searchFeed(line.name, { content, since }, async (cursor) => {
        const start = Number(cursor ?? 0)
        const asked = query({ author: remoteId, q: 'author', count: postsPage, sortBy: 'LAST_MODIFIED', start })
        const headers = { ...restHeaders(settings, tokens), 'x-restli-method': 'FINDER' }
        const answer = await line
          .whole(`${apiUrl}/rest/posts?${asked}`, { headers }, postsShape)
          .catch((error: unknown) => {
            const isForbidden = error instanceof Refused && error.status === 403
            throw isForbidden
              ? new NetworkError(`${line.name} doesn't let us read the profile's posts. Look there yourself.`)
              : error
          })
        const { elements, paging } = answer.body
        // A page may be short because it omits posts that the member may not see.
        const isLast = elements.length < postsPage && !paging?.links?.some(({ rel }) => rel === 'next')
        const posts = elements.map(({ id, commentary, createdAt, lastModifiedAt }) => ({
          remoteId: id,
          url: permalink({ remoteId, postId: id }),
          text: asRead(commentary),
          at: createdAt,
          changedAt: lastModifiedAt ?? createdAt,
        }))
        return { posts, next: isLast ? null : String(start + postsPage), headers: answer.headers }
      }),

    metrics: (post) => linkedinTotals(line, settings, post),
  }
}
