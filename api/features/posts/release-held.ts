/** Releases posts that were held for lack of payment, on request after the payment. */
import type { DuePostView } from '../../../projections/due-posts/view.ts'
import type { Views } from '../../../projections/registry.ts'
import { later } from '../../core/clock.ts'
import { whereFor } from '../../core/member-scope.ts'
import type { CommandContext, AppendedEvent } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import { problemOf } from '../../http/sentences.ts'
import { standingOf } from '../../../domain/agency/state.ts'
import type { Instant } from '../../../domain/core/event.ts'

interface Ports {
  readonly commands: Commands
  readonly views: Pick<Views, 'duePosts'>
}

const defaultBatch = 1_000
/** Time limit of one request, because the user waits for the answer; another request releases the rest. */
const longestMs = 20_000

/** @param maxAtOnce the posts read at once */
export function releaseHeldHandlers(
  { commands, views }: Ports,
  maxAtOnce = defaultBatch,
): Handlers<'releaseHeldPosts'> {
  const { clock } = commands.ports

  /** Null: the post was released, moved or deleted meanwhile. @throws Problem (402) */
  async function release(postId: string, scheduledFor: Instant | null, by: CommandContext) {
    const result = await commands.post(postId, { type: 'ReleasePost', scheduledFor }, by)
    if (!('refused' in result)) return result
    const { reason } = result.refused
    // The chosen time passed meanwhile, so release the post now.
    if (reason === 'scheduled-in-the-past')
      return accepted(await commands.post(postId, { type: 'ReleasePost', scheduledFor: null }, by))
    if (reason === 'subscription-needed' || reason === 'log-budget-used-up') throw problemOf(result.refused)
    return null
  }

  /** Releases an account's posts one after the other, each a moment later than the one before, to keep their order. */
  async function releaseInOrder(posts: readonly DuePostView[], by: CommandContext): Promise<AppendedEvent[]> {
    const appendedEvents: AppendedEvent[] = []
    let last: Instant = ''
    for (const { id, scheduledFor } of posts) {
      const now = clock.now()
      const isAhead = scheduledFor !== null && scheduledFor > now
      const done = await release(id, isAhead ? scheduledFor : now > last ? null : later(last, 1), by)
      if (!done || done.appended === 0) continue
      appendedEvents.push(...done.appendedEvents)
      if (!isAhead) last = done.state.scheduledFor ?? last
    }
    return appendedEvents
  }

  return {
    async releaseHeldPosts({ agencyId, me, by, loadAgency, visible }) {
      const agency = await loadAgency()
      const standing = standingOf(agency, clock.now())
      if (standing !== 'good') throw problemOf({ reason: 'subscription-needed', standing })
      const where = { ...whereFor(agencyId, me.clients), heldBecause: 'subscription-needed' }
      const began = performance.now()
      let released = 0
      for (;;) {
        const held = await views.duePosts.find({
          where,
          sort: { field: 'scheduledFor', order: 'asc' },
          limit: maxAtOnce,
        })
        const known = held.filter(({ clientId }) => clientId in agency.clients)
        const accountIds = [...new Set(known.map(({ accountId }) => accountId))]
        const appendedEvents = (
          await Promise.all(
            accountIds.map((of) =>
              releaseInOrder(
                known.filter(({ accountId }) => accountId === of),
                by,
              ),
            ),
          )
        ).flat()
        released += appendedEvents.length
        // The next batch is read from the view, so the view must have these events first.
        const isSeen = await visible(appendedEvents)
        const isLast = held.length < maxAtOnce || appendedEvents.length === 0
        if (isLast || !isSeen || performance.now() - began > longestMs) break
      }
      return { body: { released, left: await views.duePosts.count(where) } }
    },
  }
}
