/** Facebook Pages over the Graph API. */
import { trimEndOf } from '../../../domain/core/trim-end.ts'
import { query, type Answer } from '../http.ts'
import { networkClient, lostIfRefused, orNull, rejectionOf } from '../network-client.ts'
import { searchFeed } from '../lookup.ts'
import { ConnectionLost, type Network } from '../port.ts'
import { judgeGraph } from './errors.ts'
import { facebookTotals } from './metrics.ts'
import { exchangeForPages } from './profiles.ts'
import { pageSize, type FacebookSettings } from './settings.ts'
import { after, anything, created, feedPost, list, permalink } from './wire.ts'

export function facebook(settings: FacebookSettings): Network {
  const { mode, clientId, dialogUrl, graphUrl, version, scopes } = settings
  const line = networkClient('facebook', settings, judgeGraph)
  const at = (path: string) => `${graphUrl}/${version}/${path}`
  // In a header, never in a URL: proxies log URLs.
  const bearer = ({ accessToken }: { readonly accessToken: string }) => ({ authorization: `Bearer ${accessToken}` })
  const idIn = ({ body }: Answer) => created.safeParse(body).data?.id ?? null

  return {
    platform: 'facebook',
    mode,

    consentUrl: ({ state, redirectUri, accountName }) =>
      `${dialogUrl}/${version}/dialog/oauth?${query({
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        scope: scopes.join(','),
        response_type: 'code',
        sandbox_account: mode === 'sandbox' ? accountName : null,
      })}`,

    exchange: (consent) => exchangeForPages(line, settings, consent),

    // A Page's token doesn't expire, and a dead one can't be refreshed.
    renew: () =>
      Promise.reject(new ConnectionLost(`${line.name} can't renew the access to a Page. Connect the account again.`)),

    async check({ remoteId, tokens }) {
      await line
        .ask(at(`${remoteId}?${query({ fields: 'id,name' })}`), { headers: bearer(tokens) }, anything)
        .catch((error: unknown) => {
          throw lostIfRefused(error)
        })
    },

    // `DELETE /me/permissions` needs a user's token, which isn't stored; it would also disconnect the user's other
    // Pages.
    disconnect: () => Promise.resolve(),

    quota: () => Promise.resolve(null),

    async prepare({ tokens, remoteId, image }) {
      if (!image) return { kind: 'ready', media: [] }
      const body = new FormData()
      body.set(
        'source',
        new Blob([await image.read()], { type: image.type }),
        `image.${image.type.slice('image/'.length)}`,
      )
      body.set('published', 'false')
      try {
        const { id } = await line.ask(
          at(`${remoteId}/photos`),
          { method: 'POST', headers: bearer(tokens), body },
          created,
        )
        return { kind: 'ready', media: [id] }
      } catch (error) {
        return rejectionOf(error)
      }
    },

    async publish({ tokens, remoteId, content }, media) {
      const body = new URLSearchParams({ message: content })
      media.forEach((id, index) => body.set(`attached_media[${index}]`, JSON.stringify({ media_fbid: id })))
      const link = media.length === 0 ? firstLink(content) : null
      // developers.facebook.com/docs/pages-api/posts: a link is posted in `link`; a bare URL in `message` has no
      // preview.
      if (link !== null) body.set('link', link)
      const outcome = await line.mutate(at(`${remoteId}/feed`), { method: 'POST', headers: bearer(tokens), body }, idIn)
      if (outcome.kind !== 'accepted') return outcome
      const found = await orNull(
        line.ask(
          at(`${outcome.remoteId}?${query({ fields: 'permalink_url' })}`),
          { headers: bearer(tokens) },
          permalink,
        ),
      )
      return { ...outcome, url: found?.permalink_url ?? null }
    },

    lookUp: ({ tokens, remoteId, content }, _, since) =>
      searchFeed(line.name, { content, since }, async (cursor, from) => {
        const fields = 'id,message,created_time,permalink_url'
        const asked = query({ fields, since: Math.floor(from.getTime() / 1000), limit: pageSize, after: cursor })
        const { body, headers } = await line.whole(
          at(`${remoteId}/feed?${asked}`),
          { headers: bearer(tokens) },
          list(feedPost),
        )
        const posts = body.data.map(({ id, message, created_time: created, permalink_url: url }) => ({
          remoteId: id,
          url: url ?? null,
          text: message ?? '',
          at: Date.parse(created),
        }))
        return { posts, next: after(body), headers }
      }),

    metrics: ({ tokens, postId }) => facebookTotals(line, at(encodeURIComponent(postId)), tokens.accessToken),
  }
}

/** The first URL in a text, without the punctuation that ends its sentence. */
function firstLink(text: string): string | null {
  const [found] = /https?:\/\/[^\s<>"]+/i.exec(text) ?? []
  const link = trimEndOf(found ?? '', `.,;:!?'»”)]`)
  return URL.canParse(link) ? link : null
}
