/**
 * A post's figures: one call for all of an organization's, one call each for a member's. Null where the consent doesn't
 * cover them.
 */
import type { Totals } from '../../../domain/post/commands.ts'
import { Refused, type NetworkClient } from '../network-client.ts'
import { NetworkError, type Connection } from '../port.ts'
import { restHeaders } from './headers.ts'
import type { LinkedInSettings } from './settings.ts'
import { memberCount, shareStatistics } from './wire.ts'

const none: Totals = { views: null, likes: null, comments: null, shares: null }

/** @throws ConnectionLost, NetworkError */
export async function linkedinTotals(
  line: NetworkClient,
  settings: LinkedInSettings,
  { tokens, remoteId, postId }: Connection & { readonly postId: string },
): Promise<Totals> {
  const { apiUrl } = settings
  const headers = { ...restHeaders(settings, tokens), 'x-restli-method': 'FINDER' }
  const urn = encodeURIComponent(postId)
  const isUgc = postId.startsWith('urn:li:ugcPost:')
  const unlessForbidden = async <T>(wanted: Promise<T>): Promise<T | null> => {
    try {
      return await wanted
    } catch (error) {
      if (error instanceof Refused && error.status === 403) return null
      if (error instanceof Refused && error.status === 404)
        throw new NetworkError(`${line.name} does not have this post any more.`)
      throw error
    }
  }

  if (remoteId.startsWith('urn:li:organization:')) {
    // .../community-management/organizations/share-statistics
    const posts = `${isUgc ? 'ugcPosts' : 'shares'}=List(${urn})`
    const url = `${apiUrl}/rest/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=${encodeURIComponent(remoteId)}&${posts}`
    const found = await unlessForbidden(line.ask(url, { headers }, shareStatistics))
    if (!found) return none
    const total = found.elements[0]?.totalShareStatistics
    // No element means neither zero nor unsupported.
    if (!total) throw new NetworkError(`${line.name} has no figures of this post yet.`)
    const { impressionCount: views, likeCount: likes, commentCount: comments, shareCount: shares } = total
    return { views: views ?? null, likes: likes ?? null, comments: comments ?? null, shares: shares ?? null }
  }

  // .../community-management/members/post-statistics
  const entity = `(${isUgc ? 'ugc' : 'share'}:${urn})`
  const count = async (queryType: string) => {
    const url = `${apiUrl}/rest/memberCreatorPostAnalytics?q=entity&entity=${entity}&queryType=${queryType}&aggregation=TOTAL`
    const found = await unlessForbidden(line.ask(url, { headers }, memberCount))
    return found?.elements[0]?.count ?? null
  }
  return {
    views: await count('IMPRESSION'),
    likes: await count('REACTION'),
    comments: await count('COMMENT'),
    shares: await count('RESHARE'),
  }
}
