import type { Logger } from 'pino'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Budgets } from '../../features/usage/budgets.ts'
import type { Clock } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import type { Records } from '../../records/port.ts'
import type { Writer } from '../../features/writer/port.ts'

export interface PlannerPorts {
  readonly commands: Commands
  readonly events: EventStore
  readonly views: Pick<Views, 'schedules' | 'plannedPosts' | 'duePosts' | 'posts'>
  readonly records: Records
  readonly writer: Writer
  /** The daily budgets of an agency; without them there is no limit. */
  readonly budgets?: Pick<Budgets, 'log' | 'plannedTexts'>
  readonly clock: Clock
  readonly log: Logger
}
