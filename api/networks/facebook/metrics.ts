/** A post's figures, one metric per call: a retired one would fail the whole call. */
import type { z } from 'zod'
import type { Totals } from '../../../domain/post/commands.ts'
import { query, type Answer } from '../http.ts'
import { understood, type NetworkClient, type Refusal } from '../network-client.ts'
import { ConnectionLost, NetworkError } from '../port.ts'
import { graphError, isNotOffered, isNotThere, judgeGraph } from './errors.ts'
import { comments, figureOf, insights, shares } from './wire.ts'

/** developers.facebook.com/docs/graph-api/reference/insights: post metrics, lifetime. */
const metrics = { views: 'post_media_view', likes: 'post_reactions_by_type_total' } as const

/** @param post the post's URL, with version @throws ConnectionLost, NetworkError */
export async function facebookTotals(line: NetworkClient, post: string, accessToken: string): Promise<Totals> {
  const get = figureAt(line, { authorization: `Bearer ${accessToken}` }, judgeGraph)
  const insight = (metric: string) =>
    get(`${post}/insights?${query({ metric, period: 'lifetime' })}`, insights, figureOf)
  return {
    views: await insight(metrics.views),
    likes: await insight(metrics.likes),
    comments: await get(
      `${post}?${query({ fields: 'comments.summary(true).limit(0)' })}`,
      comments,
      (body) => body.comments?.summary.total_count ?? null,
    ),
    // Graph omits the field while the post has no shares.
    shares: await get(`${post}?${query({ fields: 'shares' })}`, shares, (body) => body.shares?.count ?? 0),
  }
}

/** Reads one figure; null when the network doesn't offer it. @throws ConnectionLost, NetworkError */
export const figureAt =
  (line: NetworkClient, headers: Record<string, string>, judge: (name: string, answer: Answer) => Refusal) =>
  async <T>(url: string, shape: z.ZodType<T>, figure: (body: T) => number | null): Promise<number | null> => {
    const answer = await line.any(url, { headers })
    if (answer.status === 200) return figure(understood(line.name, shape, answer.body))
    const error = graphError(answer)
    if (error && isNotThere(error)) throw new NetworkError(`${line.name} does not have this post any more.`)
    if (error && isNotOffered(error)) return null
    const { verdict, cause } = judge(line.name, answer)
    throw verdict === 'lost' ? new ConnectionLost(cause) : new NetworkError(cause)
  }
