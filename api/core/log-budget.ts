/**
 * Limits the log bytes that users and schedules may add, per agency and day: events are kept forever, so they fill the
 * disk.
 */
import type { AgencyCommand } from '../../domain/agency/commands.ts'
import type { AuditorLinkCommand } from '../../domain/auditor-link/commands.ts'
import type { ClientCommand } from '../../domain/client/commands.ts'
import type { Actor, ChainedEvent } from '../../domain/core/event.ts'
import type { DiscussionCommand } from '../../domain/discussion/commands.ts'
import type { GenerationCommand } from '../../domain/generation/commands.ts'
import type { PostCommand } from '../../domain/post/commands.ts'
import type { ReviewLinkCommand } from '../../domain/review-link/commands.ts'
import type { SampleCommand } from '../../domain/sample/commands.ts'

export const bytesAMegabyte = 1_000_000

/** Usage per agency and day. @see DailyBudget */
export interface DailyUse {
  readonly options: { readonly limit: number }
  /** Returns 0, or the milliseconds until there is budget again. */
  take(agencyId: string, amount: number): Promise<number>
  count(agencyId: string, amount: number): Promise<void>
  giveBack(agencyId: string, amount: number): Promise<void>
  waitFor(agencyId: string): Promise<number>
}

export interface LogBudgetUsedUp {
  readonly reason: 'log-budget-used-up'
  readonly megabytes: number
  readonly waitMs: number
}

type Command =
  | AgencyCommand
  | AuditorLinkCommand
  | ClientCommand
  | DiscussionCommand
  | GenerationCommand
  | PostCommand
  | ReviewLinkCommand
  | SampleCommand

/**
 * Commands that undo something, record what a network has done, or are needed for payments. Each can follow only once
 * on a counted command, so repetition can't fill the log.
 */
const neverRefused: ReadonlySet<string> = new Set<Command['type']>([
  'DeletePost',
  'WithdrawPost',
  'RejectPost',
  'ReturnPostToDraft',
  'ResolveAsLive',
  'ResolveAsNotLive',
  'RemoveClient',
  'ConnectSocialAccount',
  'DisconnectSocialAccount',
  'PausePostingSchedule',
  'RemovePostingSchedule',
  'RecordPlanningFailed',
  'RevokeAuditorLink',
  'RevokeReviewLink',
  'RecordReviewLinkUse',
  'GiveVerdict',
  'HoldByReviewer',
  'RemoveComment',
  'RemoveSampleFigures',
  'ExpireTrial',
  'RecordSubscription',
])

/** Other processes record what happened, and none of it may be lost. */
const isCounted = ({ type, id }: Actor) =>
  type === 'user' || type === 'reviewer' || (type === 'process' && id === 'planner')

const bytesOf = (events: readonly ChainedEvent[]) =>
  events.reduce(
    (sum, { data, metadata }) =>
      sum + Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata)),
    0,
  )

export class LogBudget {
  constructor(private readonly daily: DailyUse) {}

  /** Null while the budget lasts. */
  async usedUp(agencyId: string): Promise<LogBudgetUsedUp | null> {
    return this.#refusalOf(await this.daily.waitFor(agencyId))
  }

  /**
   * Counts events before they are appended; call `giveBack` if the append fails. @returns the refusal when the day's
   * budget was used up before, else null
   */
  async take(
    actor: Actor,
    agencyId: string,
    command: { readonly type: string },
    events: readonly ChainedEvent[],
  ): Promise<LogBudgetUsedUp | null> {
    if (!isCounted(actor)) return null
    if (neverRefused.has(command.type)) {
      await this.daily.count(agencyId, bytesOf(events))
      return null
    }
    return this.#refusalOf(await this.daily.take(agencyId, bytesOf(events)))
  }

  async giveBack(actor: Actor, agencyId: string, events: readonly ChainedEvent[]): Promise<void> {
    if (isCounted(actor)) await this.daily.giveBack(agencyId, bytesOf(events))
  }

  #refusalOf(waitMs: number): LogBudgetUsedUp | null {
    return waitMs === 0
      ? null
      : { reason: 'log-budget-used-up', megabytes: this.daily.options.limit / bytesAMegabyte, waitMs }
  }
}
