import type { ClientEvent } from '../../domain/client/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { scheduleView } from './view.ts'

type ScheduleEvent = Extract<ClientEvent, { type: `PostingSchedule${string}` }>

export const schedulesProjection = projection<ScheduleEvent>()({
  name: 'schedules',
  version: 1,
  view: scheduleView,
  indexes: [['clientId', 'createdAt'], ['agencyId'], ['isActive']],
  keys: ({ data }) => [data.scheduleId],
  on: {
    PostingScheduleAdded: (_, { stream, data: { scheduleId, accountId, ...rules }, metadata }) => ({
      id: scheduleId,
      agencyId: metadata.agencyId,
      clientId: idOf(stream),
      socialAccountId: accountId,
      ...rules,
      isActive: true,
      revision: 0,
      createdAt: metadata.at,
    }),
    PostingScheduleRevised: (schedule, { data: { scheduleId: _, accountId: __, ...rules } }) =>
      schedule && { ...schedule, ...rules, revision: schedule.revision + 1 },
    PostingSchedulePaused: (schedule) => schedule && { ...schedule, isActive: false },
    PostingScheduleResumed: (schedule) => schedule && { ...schedule, isActive: true },
    PostingScheduleRemoved: () => null,
  },
})
