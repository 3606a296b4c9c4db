/** Wakes the planner after events that concern it. Only a speed-up: the regular rounds find the same work. */
import type { AgencyEvent } from '../../../domain/agency/events.ts'
import type { ClientEvent } from '../../../domain/client/events.ts'
import type { Position, Recorded } from '../../../domain/core/event.ts'
import { events as catalogue, recorded } from '../../../domain/event-store/catalogue.ts'
import { startLoop } from '../../core/loop.ts'
import type { ScheduleRef } from './plan.ts'
import type { PlannerPorts } from './ports.ts'

type OfSchedule = Extract<
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
type HandledEvent = OfSchedule | Extract<AgencyEvent, { type: 'TimeZoneChanged' | 'SubscriptionActivated' }>

const types: readonly HandledEvent['type'][] = [
  'PostingScheduleAdded',
  'PostingScheduleRevised',
  'PostingScheduleResumed',
  'PostingScheduleRemoved',
  'PostPlanningRetried',
  'TimeZoneChanged',
  'SubscriptionActivated',
]
const retryMs = 1_000

export interface Listening {
  stop(): Promise<void>
}

export interface Listener {
  /** An empty list means all schedules of an agency. */
  schedulesChanged(schedules: readonly ScheduleRef[]): void
  /** A user asked to retry a slot. */
  wanted(agencyId: string, scheduleId: string, revision: number, slot: string): void
}

export async function listen({ events, log }: PlannerPorts, listener: Listener): Promise<Listening> {
  const filter = { names: catalogue.namesOf(types) }
  let position: Position | null = await events.head()
  const hear = ({ stream, metadata: { agencyId }, ...event }: Recorded<HandledEvent>) => {
    if (event.type === 'TimeZoneChanged' || event.type === 'SubscriptionActivated') return listener.schedulesChanged([])
    if (event.type === 'PostPlanningRetried')
      listener.wanted(agencyId, event.data.scheduleId, event.data.revision, event.data.slot)
    listener.schedulesChanged([{ id: event.data.scheduleId, clientId: stream.slice('client-'.length), agencyId }])
  }
  return startLoop({
    everyMs: retryMs,
    async round(signal) {
      for await (const batch of events.subscribe(position, filter, signal)) {
        for (const stored of batch) {
          hear(recorded(stored) as Recorded<HandledEvent>)
          position = stored.position
        }
      }
    },
    onError: (error) => log.warn({ err: error }, 'The planner could not follow the event log; retrying'),
  })
}
