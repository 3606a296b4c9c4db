/**
 * The planner: keeps the coming days of every posting schedule filled with posts that wait for review, and deletes the
 * posts that a changed schedule no longer wants. A round looks at the agencies that are due in the agenda. Each look
 * starts from the stored state, so it completes what a crash left half-done.
 */
import type { PlannedPostView } from '../../../projections/planned-posts/view.ts'
import { pause } from '../../../projections/core/pause.ts'
import { reportOutages } from '../../core/report-outages.ts'
import { settledWithin, startLoop, type Loop } from '../../core/loop.ts'
import type { Slot } from '../../features/schedules/slots.ts'
import { Lanes, type Job } from '../lanes.ts'
import { Agenda } from './agenda.ts'
import { Backoff } from './backoff.ts'
import { Claims } from './claims.ts'
import { plannerDefaults, type PlannerConfig } from './config.ts'
import { byPlanner, filler } from './fill.ts'
import { FilledSlots } from './filled-slots.ts'
import { keyOf, looker, type Task } from './look.ts'
import type { Because, ScheduleRef } from './plan.ts'
import { listen } from './planner-wakeups.ts'
import type { PlannerPorts } from './ports.ts'
import { Settling } from './settling.ts'
import { SlotBook } from './slot-book.ts'

export interface Planner {
  /** Looks at every due agency immediately. */
  start(): Promise<void>
  wake(): void
  /** Starts nothing new and waits for texts in flight, up to `stopWithinMs`. */
  stop(): Promise<void>
}

export async function createPlanner({
  config: given,
  ...ports
}: PlannerPorts & { readonly config?: Partial<PlannerConfig> }): Promise<Planner> {
  const config = { ...plannerDefaults, ...given }
  const { commands, clock, log, records } = ports
  // Longer than writing a text takes: an older claim, or look, belongs to a planner that died.
  const claimMs = 3 * config.longestMs
  const claims = config.alone ? null : await Claims.open(records, clock, claimMs)
  const agenda = await Agenda.open(records, clock, config.alone ? 0 : claimMs)
  const fill = filler(ports, claims)
  const lanes = new Lanes(config.concurrency)
  const backoff = new Backoff(clock, config)
  const filled = new FilledSlots()
  const look = looker({
    ...ports,
    backoff,
    book: new SlotBook(clock, config.aheadMs),
    isFilled: (agencyId, key) => filled.has(agencyId, key),
  })
  /** Agencies with a look or tasks in progress. */
  const busy = new Set<string>()
  const settling = new Settling(config.settleMs, config.pollMs)
  const stopping = new AbortController()
  let loop: Loop | null = null
  let subscription: Loop | null = null
  let isStopping = false
  /** More agencies were due than may be in progress at once. */
  let hasMore = false

  const withdraw = async (
    { id, agencyId, scheduleId, revision, slot }: PlannedPostView,
    because: Because,
  ): Promise<void> => {
    await commands.post(id, { type: 'WithdrawPost', because }, byPlanner(agencyId))
    filled.remove(agencyId, keyOf(scheduleId, revision, slot))
  }

  const write = async (ref: ScheduleRef, revision: number, slot: Slot): Promise<void> => {
    const key = keyOf(ref.id, revision, slot.at)
    if (filled.has(ref.agencyId, key) || backoff.until(ref.agencyId, key) !== null) return
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(config.longestMs)])
    const outcome = await fill({ ref, revision, slot, signal })
    if (outcome.kind === 'left') return backoff.left(key)
    if (outcome.kind === 'failed') return backoff.failed(ref.agencyId, key, outcome.backoffMs)
    if (outcome.kind === 'deferred') {
      log.info(
        { agencyId: ref.agencyId, backoffMs: outcome.backoffMs },
        'Postponed the posting schedules of an agency: its daily budget is used up',
      )
      return backoff.defer(ref.agencyId, outcome.backoffMs)
    }
    filled.add(ref.agencyId, key)
    backoff.done(ref.agencyId, key)
  }

  const removeSchedule = async ({ id, clientId, agencyId }: ScheduleRef): Promise<void> => {
    await commands.client(clientId, { type: 'RemovePostingSchedule', scheduleId: id }, byPlanner(agencyId))
  }

  const perform = (task: Task): Promise<void> => {
    switch (task.kind) {
      case 'withdraw':
        return withdraw(task.post, task.because)
      case 'write':
        return write(task.ref, task.revision, task.slot)
      case 'remove':
        return removeSchedule(task.ref)
    }
  }

  /** Returns true for a failed task too, so that its lane continues. */
  const jobFor =
    (task: Task, onFailed: () => void): Job =>
    async () => {
      if (isStopping) return false
      try {
        await perform(task)
      } catch (error) {
        onFailed()
        if (!stopping.signal.aborted)
          log.error({ scheduleId: task.ref.id, err: error }, 'Could not plan a post; retrying')
      }
      return true
    }

  /**
   * Looks at a busy agency and does what is to be done. After that, or after a failure, the next round looks again.
   */
  const workFor = async (agencyId: string, lookId: string): Promise<void> => {
    let nextAt = clock.now()
    let isDone = true
    const onFailed = () => (isDone = false)
    try {
      const { tasks, nextAt: rested } = await look(agencyId)
      if (tasks.length === 0) nextAt = rested
      else
        await lanes.run(
          agencyId,
          tasks.map((task) => jobFor(task, onFailed)),
        )
      if (tasks.length > 0) settling.add(agencyId)
    } catch (error) {
      onFailed()
      log.error({ agencyId, err: error }, 'Could not read the posting schedules of an agency')
    }
    await agenda.end(agencyId, lookId, nextAt).catch((error: unknown) => {
      onFailed()
      log.error({ agencyId, err: error }, 'Could not note the next look at an agency')
    })
    busy.delete(agencyId)
    // After a failure the agency is still due: it would be looked at without a pause.
    if (hasMore && isDone) loop?.wake()
  }

  const begin = async (agencyId: string): Promise<void> => {
    busy.add(agencyId)
    let isBegun = false
    try {
      const lookId = isStopping ? null : await agenda.begin(agencyId)
      if (lookId === null) return
      isBegun = true
      void workFor(agencyId, lookId)
    } finally {
      if (!isBegun) busy.delete(agencyId)
    }
  }

  const round = async (): Promise<void> => {
    hasMore = false
    const visited = new Set<string>()
    const isNew = (agencyId: string) => !busy.has(agencyId) && !visited.has(agencyId)
    for (;;) {
      const room = Math.max(0, config.agenciesAtOnce - busy.size)
      const due = (await agenda.due(room + busy.size + visited.size + 1)).filter(isNew)
      hasMore = due.length > room
      const again = settling.take(room - due.length).filter((agencyId) => isNew(agencyId) && !due.includes(agencyId))
      const next = [...due.slice(0, room), ...again]
      if (isStopping || next.length === 0) break
      for (const agencyId of next) visited.add(agencyId)
      await Promise.all(next.map(begin))
    }
    await claims?.sweep()
  }

  return {
    async start() {
      const report = reportOutages(log, 'The planner could not read its agenda')
      const onError = (error: unknown) => report('schedules', error)
      subscription = await listen(ports, agenda, {
        changed(agencyIds) {
          for (const agencyId of agencyIds) {
            filled.forget(agencyId)
            settling.add(agencyId)
          }
          loop?.wake()
        },
        wanted: (agencyId, scheduleId, revision, slot) => backoff.done(agencyId, keyOf(scheduleId, revision, slot)),
      })
      loop = startLoop({ everyMs: config.pollMs, round, onError })
    },
    wake: () => loop?.wake(),
    async stop() {
      isStopping = true
      const ended = Promise.all([subscription?.stop(), loop?.stop()]).then(() => idle(busy, lanes))
      if (!(await settledWithin(ended, config.stopWithinMs))) log.warn('The planner stopped while it was writing posts')
      stopping.abort()
    },
  }
}

async function idle(busy: ReadonlySet<string>, lanes: Lanes): Promise<void> {
  do await lanes.idle()
  while (busy.size > 0 && (await pause(10)) === undefined)
}
