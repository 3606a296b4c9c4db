/**
 * Writes the post of one slot if the slot is still wanted and empty. After a crash at any step, another run completes
 * it.
 */
import { v7 as uuidv7 } from 'uuid'
import type { PostingSchedule } from '../../../domain/client/schedule-state.ts'
import type { PostCommand } from '../../../domain/post/commands.ts'
import { later } from '../../core/clock.ts'
import type { CommandContext } from '../../core/command-handler.ts'
import { problemOf } from '../../http/sentences.ts'
import { slotPost } from '../../features/schedules/slot-post.ts'
import { topicOf, type Slot } from '../../features/schedules/slots.ts'
import { nothingLost, WriterError } from '../../features/writer/port.ts'
import { JustWritten } from '../../features/writer/voice.ts'
import type { Claims } from './claims.ts'
import { writing, type ScheduleRef } from './plan.ts'
import type { PlannerPorts } from './ports.ts'
import { textFor, type Wanted } from './text.ts'

export type Filled =
  /** The slot has its post, or had one that was deleted. */
  | { readonly kind: 'done' }
  /** Skipped: another post has the time, another planner holds the claim, or the slot is no longer wanted. */
  | { readonly kind: 'left' }
  | { readonly kind: 'failed'; readonly backoffMs: number | null }
  /** The agency's daily budget is used up: the slot is filled later; this is no failure. */
  | { readonly kind: 'deferred'; readonly backoffMs: number }

export const byPlanner = (agencyId: string): CommandContext => ({
  actor: { type: 'process', id: 'planner' },
  agencyId,
  correlationId: uuidv7(),
})

/** Refusals that a retry can't fix: the slot is no longer wanted. */
const movedOn = new Set(['scheduled-in-the-past', 'subscription-needed', 'client-unknown', 'account-unknown'])
/** Refusals that mean the post already exists, or did. */
const hasBeenWritten = new Set(['id-taken', 'made-and-deleted'])

interface Wish {
  readonly ref: ScheduleRef
  readonly revision: number
  readonly slot: Slot
  readonly signal: AbortSignal
}

/** @param claims null for a single planner */
export function filler(ports: PlannerPorts, claims: Claims | null) {
  const { commands, views, clock, budgets } = ports
  const justWritten = new JustWritten()

  /** Whether another post of the account has the time. Reads the posts too: the view may still show a deleted one. */
  async function isTaken({ slot }: Wish, { accountId }: PostingSchedule): Promise<boolean> {
    const at = { gte: slot.at, lt: later(slot.at, 1) }
    const others = await views.duePosts.all({ where: { accountId, waiting: { in: [true, false] }, dueAt: at } })
    for (const { id } of others) if (!(await commands.loadPost(id)).state.deleted) return true
    return false
  }

  /** The inputs of the text, or null when the slot is no longer wanted. */
  async function wantedFor(wish: Wish, postId: string): Promise<(Wanted & { readonly accountId: string }) | null> {
    const { ref, revision, slot } = wish
    const { state: agency } = await commands.loadAgency(ref.agencyId)
    const { state: client } = await commands.loadClient(ref.clientId)
    const schedule = writing(ref, { agency, client, now: clock.now() })
    const profile = agency.clients[ref.clientId]
    const account = schedule && client.accounts[schedule.accountId]
    if (schedule?.revision !== revision || !profile || !account || (await isTaken(wish, schedule))) return null
    const { accountId } = schedule
    return {
      postId,
      clientId: ref.clientId,
      accountId,
      profile,
      platform: account.platform,
      topic: topicOf(schedule, slot),
      before: justWritten.of(ref.clientId),
    }
  }

  /** Checked before a text is paid for. 0: the agency may have one more text written now. */
  async function untilRoom(agencyId: string): Promise<number> {
    const usedUp = await budgets?.log.usedUp(agencyId)
    return usedUp ? usedUp.waitMs : ((await budgets?.plannedTexts.take(agencyId, 1)) ?? 0)
  }

  async function write(
    wanted: Wanted & { readonly accountId: string },
    { ref, revision, slot, signal }: Wish,
  ): Promise<Filled> {
    const { postId, clientId, accountId, platform } = wanted
    const by = byPlanner(ref.agencyId)
    const waitMs = await untilRoom(ref.agencyId)
    if (waitMs > 0) return { kind: 'deferred', backoffMs: waitMs }
    const text = await textFor(ports, wanted, by, signal)
    if (!text) return { kind: 'left' }
    // An Instagram post needs an image first; a user adds it and submits the post.
    const as = platform === 'instagram' ? 'draft' : 'pending'
    const plan = { scheduleId: ref.id, revision, slot: slot.at }
    const post: PostCommand = {
      type: 'WritePost',
      postId,
      clientId,
      accountId,
      platform,
      ...text,
      imageUrl: null,
      scheduledFor: slot.at,
      as,
      plan,
    }
    const written = await commands.post(postId, post, by)
    justWritten.add(clientId, { id: postId, content: text.content, createdAt: clock.now() })
    if (!('refused' in written) || hasBeenWritten.has(written.refused.reason)) return { kind: 'done' }
    if (movedOn.has(written.refused.reason)) return { kind: 'left' }
    // The text is recorded; the next run finds it and pays for no second one.
    if (written.refused.reason === 'log-budget-used-up') return { kind: 'deferred', backoffMs: written.refused.waitMs }
    throw new WriterError(problemOf(written.refused).message)
  }

  async function note({ ref, revision, slot }: Wish, error: WriterError): Promise<Filled> {
    const failure = {
      type: 'RecordPlanningFailed',
      scheduleId: ref.id,
      revision,
      slot: slot.at,
      cause: causeOf(error),
    } as const
    await commands.client(ref.clientId, failure, byPlanner(ref.agencyId))
    return { kind: 'failed', backoffMs: error.retryAfterMs ?? null }
  }

  /** @throws errors that aren't the writer's: a store is unavailable, the planner stops */
  return async function fill(wish: Wish): Promise<Filled> {
    const { postId, post } = await slotPost(commands, wish.ref.id, wish.revision, wish.slot.at)
    if (post) return { kind: 'done' }
    const wanted = await wantedFor(wish, postId)
    if (!wanted || (claims && !(await claims.take(postId)))) return { kind: 'left' }
    try {
      return await write(wanted, wish)
    } catch (error) {
      if (!(error instanceof WriterError)) throw error
      return await note(wish, error)
    } finally {
      await claims?.give(postId)
    }
  }
}

const maxCause = 300

/** The planner's writer had no user input, so the sentence about it is cut off. */
const causeOf = ({ message }: WriterError): string =>
  message.replace(`${nothingLost} `, '').slice(0, maxCause).toWellFormed()
