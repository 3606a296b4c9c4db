/** Writes the post of one slot, if it still is wanted and nobody has written it. Killed anywhere, the next one goes on. */
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
  /** It has its post, or had one. */
  | { readonly kind: 'done' }
  /** Not now: another post has the time, another planner is at it, or nobody wants it any more. */
  | { readonly kind: 'left' }
  | { readonly kind: 'failed'; readonly restMs: number | null }
  /** Its agency has used what it may use today: the slot is filled later, and nothing failed. */
  | { readonly kind: 'deferred'; readonly restMs: number }

export const byPlanner = (agencyId: string): CommandContext => ({
  actor: { type: 'process', id: 'planner' },
  agencyId,
  correlationId: uuidv7(),
})

/** What can't be helped by trying again: the world has moved on. */
const movedOn = new Set(['scheduled-in-the-past', 'subscription-needed', 'client-unknown', 'account-unknown'])
/** Somebody wrote it meanwhile. */
const hasBeenWritten = new Set(['id-taken', 'made-and-deleted'])

interface Wish {
  readonly ref: ScheduleRef
  readonly revision: number
  readonly slot: Slot
  readonly signal: AbortSignal
}

/** @param claims null where this is the only planner */
export function filler(ports: PlannerPorts, claims: Claims | null) {
  const { handler, views, clock, budgets } = ports
  const justWritten = new JustWritten()

  /** Another post of the account has the time. One that was just taken back may still be in the view. */
  async function isTaken({ slot }: Wish, { accountId }: PostingSchedule): Promise<boolean> {
    const at = { gte: slot.at, lt: later(slot.at, 1) }
    const others = await views.duePosts.all({ where: { accountId, waiting: { in: [true, false] }, dueAt: at } })
    for (const { id } of others) if (!(await handler.loadPost(id)).state.deleted) return true
    return false
  }

  /** What is to be written, if it still is. */
  async function wantedFor(wish: Wish, postId: string): Promise<(Wanted & { readonly accountId: string }) | null> {
    const { ref, revision, slot } = wish
    const { state: agency } = await handler.loadAgency(ref.agencyId)
    const { state: client } = await handler.loadClient(ref.clientId)
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

  /** Before a text is paid for. 0: the agency may have one more written now. */
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
    if (waitMs > 0) return { kind: 'deferred', restMs: waitMs }
    const text = await textFor(ports, wanted, by, signal)
    if (!text) return { kind: 'left' }
    // Instagram's wait for an image; a person sends them on.
    const submit = platform !== 'instagram'
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
      submit,
      plan,
    }
    const written = await handler.post(postId, post, by)
    justWritten.add(clientId, { id: postId, content: text.content, createdAt: clock.now() })
    if (!('refused' in written) || hasBeenWritten.has(written.refused.reason)) return { kind: 'done' }
    if (movedOn.has(written.refused.reason)) return { kind: 'left' }
    // Its text is recorded, and found again then.
    if (written.refused.reason === 'log-budget-used-up') return { kind: 'deferred', restMs: written.refused.waitMs }
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
    await handler.client(ref.clientId, failure, byPlanner(ref.agencyId))
    return { kind: 'failed', restMs: error.retryAfterMs ?? null }
  }

  /** @throws what isn't the writer's: a store that is away, a stop */
  return async function fill(wish: Wish): Promise<Filled> {
    const { postId, post } = await slotPost(handler, wish.ref.id, wish.revision, wish.slot.at)
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

/** Nobody has typed anything here. */
const causeOf = ({ message }: WriterError): string =>
  message.replace(`${nothingLost} `, '').slice(0, maxCause).toWellFormed()
