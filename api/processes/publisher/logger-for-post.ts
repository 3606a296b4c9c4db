/** What is logged of a post's publishing, under the id of the request that sent it on its way: both are found together. */
import type { Logger } from 'pino'
import { lastIn } from '../../core/aggregates.ts'
import type { PublisherPorts } from './ports.ts'

/** The acts of a person that give a post its way, anew each time. */
export const restarts: ReadonlySet<string> = new Set(['PostApproved', 'PostScheduled', 'PostRetried', 'PostReleased'])

/** Without that id while the log is away: a line is worth more than its link. */
export async function loggerForPost(
  { handler, log }: Pick<PublisherPorts, 'handler' | 'log'>,
  postId: string,
): Promise<Logger> {
  const last = await lastIn(handler.streams.store, `post-${postId}`, ({ type }) => restarts.has(type)).catch(() => null)
  const correlationId = last?.metadata.correlationId
  return log.child({ postId, correlationId })
}
