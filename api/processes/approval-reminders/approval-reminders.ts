/**
 * Reminds of approval steps that wait: letters to their people, then the event. The letters come first, because the
 * outbox takes a letter once: a process that dies in between leaves the reminder due, and the next one asks for the
 * same letters again. In the other order, its letters would be lost. Among several workers, one reminds.
 */
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { standingOf } from '../../../domain/agency/state.ts'
import { StoreUnavailable, type EventStore } from '../../../domain/event-store/port.ts'
import { dueReminder } from '../../../domain/post/reminders.ts'
import type { ApprovalReminderView } from '../../../projections/approval-reminders/view.ts'
import type { Views } from '../../../projections/registry.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { CommandContext } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { settledWithin, startLoop, type Loop } from '../../core/loop.ts'
import { reportOutages } from '../../core/report-outages.ts'
import type { Contacts } from '../../features/contacts/contacts.ts'
import type { LetterBox } from '../../features/mail/letter-record.ts'
import { reachesAnyone, reminderLetters } from '../../features/review/reminder-letters.ts'
import { RecordsFull } from '../../records/bounded.ts'
import { remindersPart, wholeWork, type WorkShares } from '../work-shares.ts'

export interface ApprovalRemindersConfig {
  /** Poll interval for reminders that are due. */
  readonly pollMs: number
  /** Posts that one round looks at. The next round goes on behind them, so that none hides those after it. */
  readonly postsAtATime: number
  /** How long `stop` waits for work in flight. */
  readonly stopWithinMs: number
}

export const approvalRemindersDefaults = {
  postsAtATime: 200,
  stopWithinMs: 10_000,
} as const satisfies Partial<ApprovalRemindersConfig>

export interface ApprovalRemindersPorts {
  readonly commands: Commands
  readonly events: EventStore
  readonly views: Pick<Views, 'approvalReminders' | 'reviewLinks'>
  readonly letters: Pick<LetterBox, 'enqueue'>
  readonly clientContacts: Contacts
  /** Whether a user has a confirmed address: letters to others are not composed. */
  readonly isReachable: (userId: string) => Promise<boolean>
  readonly clock: Clock
  readonly log: Logger
  readonly shares?: WorkShares
  readonly config: Partial<ApprovalRemindersConfig> & Pick<ApprovalRemindersConfig, 'pollMs'>
}

export interface ApprovalReminders {
  start(): void
  wake(): void
  /** Looks once at what is due, as each turn of the loop does. */
  round(signal?: AbortSignal): Promise<void>
  /** Starts nothing new and waits for work in flight, up to `stopWithinMs`. */
  stop(): Promise<void>
}

export function createApprovalReminders({
  commands,
  events,
  views,
  letters,
  clientContacts,
  isReachable,
  clock,
  log,
  shares = wholeWork,
  config: given,
}: ApprovalRemindersPorts): ApprovalReminders {
  const config: ApprovalRemindersConfig = { ...approvalRemindersDefaults, ...given }
  const recipients = { events, views: () => views, clientContacts, clock }
  let loop: Loop | null = null
  /** Behind the posts of the last round; null: the next one begins with the longest due. */
  let cursor: string | null = null

  const remind = async ({ id: postId, agencyId }: ApprovalReminderView): Promise<void> => {
    const scope = commands.newScope()
    const [{ state: post }, { state: agency }] = await Promise.all([
      commands.loadPost(postId, scope),
      commands.loadAgency(agencyId, scope),
    ])
    const now = clock.now()
    // The view may be behind the log. While approvals are paused, nothing is sent, and the reminder stays due.
    const reminder = dueReminder(post, now)
    if (!reminder || !(post.clientId in agency.clients) || standingOf(agency, now) !== 'good') return
    const asked = await reminderLetters(recipients, { postId, agencyId, agency, post, reminder })
    for (const letter of asked) await letters.enqueue(letter)
    const unreached = !(await reachesAnyone(asked, isReachable))
    const by: CommandContext = {
      actor: { type: 'process', id: 'approval-reminders' },
      agencyId,
      correlationId: uuidv7(),
    }
    // Refused when the step was settled meanwhile. The letters of such a step are not composed any more.
    await commands.post(postId, { type: 'RemindOfStep', ...reminder, ...(unreached && { unreached }) }, by, scope)
  }

  const round = async (signal?: AbortSignal): Promise<void> => {
    if (!shares.leads(remindersPart)) return
    const { items, next } = await views.approvalReminders.page({
      // What is due at this very instant is due.
      where: { dueAt: { lt: later(clock.now(), 1) } },
      sort: { field: 'dueAt', order: 'asc' },
      limit: config.postsAtATime,
      ...(cursor !== null && { cursor }),
    })
    for (const item of items) {
      if (signal?.aborted || !shares.leads(remindersPart)) return
      try {
        await shares.during(remindersPart, () => remind(item))
      } catch (error) {
        // The next posts would fail alike. One post's own error must not stop the others; a later round retries it.
        if (error instanceof StoreUnavailable || error instanceof RecordsFull) throw error
        log.error({ postId: item.id, err: error }, 'Could not remind of a step')
      }
    }
    cursor = next
  }

  return {
    start() {
      const report = reportOutages(log, 'Could not remind of approval steps')
      loop = startLoop({ everyMs: config.pollMs, round, onError: (error) => report('approval-reminders', error) })
    },
    wake: () => loop?.wake(),
    round,
    async stop() {
      if (!(await settledWithin(Promise.resolve(loop?.stop()), config.stopWithinMs)))
        log.warn('The process that reminds of approval steps stopped in the middle of a round')
    },
  }
}
