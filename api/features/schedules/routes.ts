import { v7 as uuidv7 } from 'uuid'
import type { Client } from '../../../domain/client/state.ts'
import type { ClientCommand } from '../../../domain/client/commands.ts'
import type { Views } from '../../../projections/registry.ts'
import { schedulesProjection } from '../../../projections/schedules/projection.ts'
import type { ScheduleView } from '../../../projections/schedules/view.ts'
import { idFromKey } from '../../core/agency-id.ts'
import { mustHaveClient } from '../clients/routes.ts'
import type { Clock } from '../../core/clock.ts'
import type { Body, Routes, Schedule } from '../../contract/index.ts'
import type { Newest } from '../../core/read-your-writes.ts'
import type { AppendedEvent } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers, type OfAgency } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import { upcoming } from './upcoming.ts'

export interface SchedulePorts {
  readonly commands: Commands
  readonly views: Views
  readonly newest: Newest
  readonly clock: Clock
}

type Names = 'listSchedules' | 'addSchedule' | 'previewSchedule' | 'changeSchedule' | 'removeSchedule' | 'retrySlots'
type Change = Extract<
  ClientCommand,
  { type: 'RevisePostingSchedule' | 'PausePostingSchedule' | 'ResumePostingSchedule' }
>
type Changing = OfAgency & { readonly visible: (appendedEvents: readonly AppendedEvent[]) => Promise<boolean> }

export function scheduleHandlers(ports: SchedulePorts): Handlers<Names> {
  const { commands, views, newest, clock } = ports
  const slotsFor = upcoming(ports)

  async function replyOf(
    { agencyId: _, ...schedule }: ScheduleView,
    { loadAgency }: OfAgency,
    client: Client,
  ): Promise<Schedule> {
    const { timeZone } = await loadAgency()
    const { id, socialAccountId: accountId } = schedule
    const saved = { id, revision: schedule.revision, failures: client.schedules[id]?.failures ?? {} }
    const ahead = await slotsFor({ accountId, rules: schedule, timeZone, saved })
    const untouchedPosts = await views.plannedPosts.count({
      scheduleId: id,
      slot: { gte: clock.now() },
      isTouched: false,
    })
    return { ...schedule, ...ahead, untouchedPosts }
  }

  async function mustHaveSchedule({ agencyId, loadAgency }: OfAgency, scheduleId: string): Promise<ScheduleView> {
    const schedule = await views.schedules.get(scheduleId)
    const isKnown = schedule?.agencyId === agencyId && schedule.clientId in (await loadAgency()).clients
    if (!isKnown) throw notFound('This posting schedule')
    return schedule
  }

  async function mustHaveAccount(clientId: string, accountId: string): Promise<void> {
    if (!(accountId in (await commands.loadClient(clientId)).state.accounts)) throw notFound('This social account')
  }

  /** Runs the commands on the client's stream one after the other, and returns the schedule. */
  async function tell(
    ask: Changing,
    clientId: string,
    scheduleId: string,
    wanted: readonly ClientCommand[],
  ): Promise<Schedule> {
    const appendedEvents: AppendedEvent[] = []
    for (const command of wanted)
      appendedEvents.push(...accepted(await commands.client(clientId, command, ask.by)).appendedEvents)
    const sought = {
      id: scheduleId,
      view: views.schedules,
      projection: schedulesProjection,
      stream: `client-${clientId}`,
    }
    const schedule = await newest(sought, await ask.visible(appendedEvents))
    if (!schedule) throw notFound('This posting schedule')
    return replyOf(schedule, ask, (await commands.loadClient(clientId)).state)
  }

  return {
    async listSchedules(ask) {
      const clientId = ask.params.id
      await mustHaveClient(ask, clientId)
      const found = await views.schedules.all({ where: { clientId }, sort: { field: 'createdAt', order: 'asc' } })
      const { state: client } = await commands.loadClient(clientId)
      return { body: await Promise.all(found.map((schedule) => replyOf(schedule, ask, client))) }
    },

    async addSchedule(ask) {
      const { agencyId, body, idempotencyKey, params } = ask
      const clientId = params.id
      await mustHaveClient(ask, clientId)
      const { socialAccountId: accountId, ...rules } = body
      const scheduleId = idempotencyKey === null ? uuidv7() : idFromKey(agencyId, 'addSchedule', idempotencyKey)
      return {
        body: await tell(ask, clientId, scheduleId, [{ type: 'AddPostingSchedule', scheduleId, accountId, ...rules }]),
      }
    },

    async previewSchedule(ask) {
      const clientId = ask.params.id
      await mustHaveClient(ask, clientId)
      const { socialAccountId: accountId, ...rules } = ask.body
      await mustHaveAccount(clientId, accountId)
      const { timeZone } = await ask.loadAgency()
      return { body: (await slotsFor({ accountId, rules, timeZone, saved: null })).slots }
    },

    async changeSchedule(ask) {
      const { id, clientId } = await mustHaveSchedule(ask, ask.params.id)
      const before = (await commands.loadClient(clientId)).state.schedules[id]
      if (!before) throw notFound('This posting schedule')
      // The revision is the schedule's own, not that of the client's stream, which has other events too.
      const { ifRevision, ...by } = ask.by
      const [first, ...more] = commandsFor(id, before, ask.body)
      const seen = first && ifRevision !== undefined ? { ...first, ifRevision } : first
      const schedule = await tell({ ...ask, by }, clientId, id, seen ? [seen, ...more] : [])
      return { body: schedule, etag: `"${schedule.revision}"` }
    },

    async removeSchedule(ask) {
      const { id: scheduleId, clientId } = await mustHaveSchedule(ask, ask.params.id)
      const { appendedEvents } = accepted(
        await commands.client(clientId, { type: 'RemovePostingSchedule', scheduleId }, ask.by),
      )
      await ask.visible(appendedEvents)
      return {}
    },

    async retrySlots(ask) {
      const { id: scheduleId, clientId } = await mustHaveSchedule(ask, ask.params.id)
      return {
        body: await tell(
          ask,
          clientId,
          scheduleId,
          ask.body.slots.map((slot) => ({ type: 'RetryPlanning', scheduleId, slot })),
        ),
      }
    },
  }
}

/** The rule change comes first: a schedule that is resumed with new rules must never post by the old ones. */
function commandsFor(
  scheduleId: string,
  before: Client['schedules'][string],
  { isActive, ...given }: Body<Routes['changeSchedule']>,
): Change[] {
  const { frequency = before.frequency, postsPerWeek = before.postsPerWeek } = given
  const { preferredTimes = before.preferredTimes, contentTopics = before.contentTopics } = given
  const revise = {
    type: 'RevisePostingSchedule',
    scheduleId,
    frequency,
    postsPerWeek,
    preferredTimes,
    contentTopics,
  } as const
  const change =
    isActive === undefined
      ? null
      : ({ type: isActive ? 'ResumePostingSchedule' : 'PausePostingSchedule', scheduleId } as const)
  return [...(Object.keys(given).length > 0 ? [revise] : []), ...(change ? [change] : [])]
}
