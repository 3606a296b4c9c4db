/**
 * Enters into the agenda which agencies an event concerns. It has a checkpoint of its own in the log, so that no event
 * is missed while no planner runs.
 */
import type { AgencyEvent } from '../../../domain/agency/events.ts'
import type { ClientEvent } from '../../../domain/client/events.ts'
import type { Position, Recorded } from '../../../domain/core/event.ts'
import { events as catalogue, recorded } from '../../../domain/event-store/catalogue.ts'
import { startLoop, type Loop } from '../../core/loop.ts'
import { moveOn, type Checkpoint } from '../checkpoint.ts'
import type { Agenda } from './agenda.ts'
import type { PlannerPorts } from './ports.ts'

type HandledEvent =
  | Extract<
      ClientEvent,
      {
        type:
          | 'PostingScheduleAdded'
          | 'PostingScheduleRevised'
          | 'PostingScheduleResumed'
          | 'PostingScheduleRemoved'
          | 'PostPlanningRetried'
      }
    >
  | Extract<AgencyEvent, { type: 'TimeZoneChanged' | 'ClientRemoved' | 'SubscriptionActivated' | 'PaymentFellOverdue' }>

const types: readonly HandledEvent['type'][] = [
  'PostingScheduleAdded',
  'PostingScheduleRevised',
  'PostingScheduleResumed',
  'PostingScheduleRemoved',
  'PostPlanningRetried',
  'TimeZoneChanged',
  'ClientRemoved',
  'SubscriptionActivated',
  // An unpaid subscription is in use again while its payment is overdue only.
  'PaymentFellOverdue',
]
const retryMs = 1_000
const atOnce = 16
const checkpointId = 'planner'

export interface Listener {
  /** The agenda has them already. */
  changed(agencyIds: readonly string[]): void
  /** A user asked to retry a slot. */
  wanted(agencyId: string, scheduleId: string, revision: number, slot: string): void
}

export async function listen(
  { events, records, log }: Pick<PlannerPorts, 'events' | 'records' | 'log'>,
  agenda: Agenda,
  listener: Listener,
): Promise<Loop> {
  const filter = { names: catalogue.namesOf(types) }
  const checkpoints = await records.table<Checkpoint>({ table: 'checkpoints' })
  let position = (await checkpoints.get(checkpointId))?.record.position ?? null
  const moveTo = async (reached: Position) => {
    position = reached
    await moveOn(checkpoints, { id: checkpointId, position: reached })
  }
  return startLoop({
    everyMs: retryMs,
    async round(signal) {
      for await (const batch of events.subscribe(position, filter, signal, moveTo)) {
        const heard = batch.map((stored) => recorded(stored) as Recorded<HandledEvent>)
        const agencies = [...new Set(heard.map(({ metadata }) => metadata.agencyId))]
        for (let from = 0; from < agencies.length; from += atOnce)
          await Promise.all(agencies.slice(from, from + atOnce).map((agencyId) => agenda.wake(agencyId)))
        for (const { metadata, ...event } of heard)
          if (event.type === 'PostPlanningRetried')
            listener.wanted(metadata.agencyId, event.data.scheduleId, event.data.revision, event.data.slot)
        listener.changed(agencies)
        const last = batch.at(-1)
        if (last) await moveTo(last.position)
      }
    },
    onError: (error) => log.warn({ err: error }, 'The planner could not follow the event log; retrying'),
  })
}
