/** Logs a post's publishing under the request id that scheduled it, so that both are found together. */
import type { Logger } from 'pino'
import { lastIn } from '../../core/aggregates.ts'
import type { PublisherPorts } from './ports.ts'

/** User actions that start a post's delivery anew. */
export const restarts: ReadonlySet<string> = new Set(['PostApproved', 'PostScheduled', 'PostRetried', 'PostReleased'])

/** Omits the request id while the log is unavailable: the log line matters more than the link. */
export async function loggerForPost(
  { commands, log }: Pick<PublisherPorts, 'commands' | 'log'>,
  postId: string,
): Promise<Logger> {
  const last = await lastIn(commands.ports.events, `post-${postId}`, ({ type }) => restarts.has(type)).catch(() => null)
  const correlationId = last?.metadata.correlationId
  return log.child({ postId, correlationId })
}
