/**
 * The planner: keeps the coming days of every posting schedule filled with posts that wait for review, and deletes the
 * posts that a changed schedule no longer wants. Each round starts from the stored state, so it completes what a crash
 * left half-done.
 */
import type { Instant } from '../../../domain/core/event.ts'
import { pause } from '../../../projections/core/pause.ts'
import type { PlannedPostView } from '../../../projections/planned-posts/view.ts'
import { Lanes, type Job } from '../lanes.ts'
import { settledWithin, startLoop, type Loop } from '../../core/loop.ts'
import { Claims } from './claims.ts'
import { plannerDefaults, type PlannerConfig } from './config.ts'
import { byPlanner, filler } from './fill.ts'
import { listen, type Listening } from './planner-wakeups.ts'
import { toDo, writing, type Because, type ScheduleRef } from './plan.ts'
import type { PlannerPorts } from './ports.ts'
import { Backoff } from './backoff.ts'
import { SlotBook } from './slot-book.ts'
import type { Slot } from '../../features/schedules/slots.ts'

export interface Planner {
  /** Looks at every schedule immediately. */
  start(): Promise<void>
  wake(): void
  /** Starts nothing new and waits for texts in flight, up to `stopWithinMs`. */
  stop(): Promise<void>
}

const maxSchedules = 100_000
const slotsInMemory = 200_000

const keyOf = (scheduleId: string, revision: number, slot: Instant) => `${scheduleId} ${revision} ${slot}`

export async function createPlanner({
  config: given,
  ...ports
}: PlannerPorts & { readonly config?: Partial<PlannerConfig> }): Promise<Planner> {
  const config = { ...plannerDefaults, ...given }
  const { commands, views, clock, log } = ports
  const claims = config.alone ? null : await Claims.open(ports.records, clock, 3 * config.longestMs)
  const fill = filler(ports, claims)
  const lanes = new Lanes(config.concurrency)
  const backoff = new Backoff(clock, config)
  const book = new SlotBook(clock, config.aheadMs)
  const slotsOf = book.of.bind(book)
  /** Slots known to have, or to have had, their post. Only saves reads: the log is authoritative. */
  const filled = new Set<string>()
  /** Schedules with recent events that the views may not show yet. */
  const changedSchedules = new Map<string, ScheduleRef>()
  /** Agencies with jobs in progress, and those with events meanwhile. */
  const busy = new Set<string>()
  const waiting = new Set<string>()
  const stopping = new AbortController()
  let loop: Loop | null = null
  let subscription: Listening | null = null
  let isStopping = false

  const withdraw = async (
    { id, agencyId, scheduleId, revision, slot }: PlannedPostView,
    because: Because,
  ): Promise<void> => {
    await commands.post(id, { type: 'WithdrawPost', because }, byPlanner(agencyId))
    filled.delete(keyOf(scheduleId, revision, slot))
  }

  const write = async (ref: ScheduleRef, revision: number, slot: Slot): Promise<void> => {
    const key = keyOf(ref.id, revision, slot.at)
    if (filled.has(key) || backoff.isActive(ref.agencyId, key)) return
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(config.longestMs)])
    const outcome = await fill({ ref, revision, slot, signal })
    if (outcome.kind === 'left') return
    if (outcome.kind === 'failed') return backoff.failed(ref.agencyId, key, outcome.backoffMs)
    if (outcome.kind === 'deferred') {
      log.info(
        { agencyId: ref.agencyId, backoffMs: outcome.backoffMs },
        'Postponed the posting schedules of an agency: its daily budget is used up',
      )
      return backoff.defer(ref.agencyId, outcome.backoffMs)
    }
    if (filled.size >= slotsInMemory) filled.clear()
    filled.add(key)
    backoff.done(ref.agencyId, key)
  }

  /** Returns true for a failed job too, so that its lane continues. */
  const job =
    (ref: ScheduleRef, work: () => Promise<void>): Job =>
    async () => {
      if (isStopping) return false
      try {
        await work()
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ scheduleId: ref.id, err: error }, 'Could not plan a post; retrying')
      }
      return true
    }

  const missing = async (ref: ScheduleRef, revision: number, wanted: readonly Slot[]): Promise<readonly Slot[]> => {
    const lacks = ({ at }: Slot) => !filled.has(keyOf(ref.id, revision, at))
    const [first] = wanted
    if (!first || !wanted.some(lacks)) return []
    const written = await views.plannedPosts.all({ where: { scheduleId: ref.id, slot: { gte: first.at } } })
    for (const post of written) if (post.revision === revision) filled.add(keyOf(ref.id, revision, post.slot))
    return wanted.filter(lacks)
  }

  /** The jobs of a schedule, in order: first the deletions, then the new posts. */
  const jobsFor = async (ref: ScheduleRef, untouched: readonly PlannedPostView[]): Promise<readonly Job[]> => {
    const { state: agency } = await commands.loadAgency(ref.agencyId)
    const { state: client } = await commands.loadClient(ref.clientId)
    if (!(ref.clientId in agency.clients)) return [job(ref, () => removeSchedule(ref))]
    const known = { agency, client, now: clock.now(), slotsOf }
    const { stale, wanted } = toDo(ref, untouched, known)
    const withdrawals = stale.map(({ post, because }) => job(ref, () => withdraw(post, because)))
    const schedule = writing(ref, known)
    if (!schedule) return withdrawals
    for (const slot of Object.keys(schedule.failures)) backoff.inherit(keyOf(ref.id, schedule.revision, slot))
    const isFree = ({ at }: Slot) => !backoff.isActive(ref.agencyId, keyOf(ref.id, schedule.revision, at))
    const slots = (await missing(ref, schedule.revision, wanted)).filter(isFree)
    return [...withdrawals, ...slots.map((slot) => job(ref, () => write(ref, schedule.revision, slot)))]
  }

  /** The client is removed: the client cleanup deletes its posts. */
  const removeSchedule = async ({ id, clientId, agencyId }: ScheduleRef): Promise<void> => {
    await commands.client(clientId, { type: 'RemovePostingSchedule', scheduleId: id }, byPlanner(agencyId))
  }

  const workFor = async (
    agencyId: string,
    refs: readonly ScheduleRef[],
    untouched: ReadonlyMap<string, readonly PlannedPostView[]>,
  ): Promise<void> => {
    busy.add(agencyId)
    try {
      const changed = refs.filter((ref) => changedSchedules.get(ref.id) === ref)
      const jobs = await Promise.all(refs.map((ref) => jobsFor(ref, untouched.get(ref.id) ?? [])))
      for (const ref of changed) if (changedSchedules.get(ref.id) === ref) changedSchedules.delete(ref.id)
      await lanes.run(agencyId, inTurns(jobs))
    } catch (error) {
      log.error({ agencyId, err: error }, 'Could not read the posting schedules of an agency')
    } finally {
      busy.delete(agencyId)
      if (waiting.delete(agencyId)) loop?.wake()
    }
  }

  const round = async (): Promise<void> => {
    const active = await views.schedules.all({ where: { isActive: true } }, maxSchedules)
    const ahead = await views.plannedPosts.all(
      { where: { isTouched: false, slot: { gte: clock.now() } } },
      maxSchedules,
    )
    const untouched = grouped(ahead, ({ scheduleId }) => scheduleId)
    const refs = new Map<string, ScheduleRef>()
    for (const { id, clientId, agencyId } of active) refs.set(id, { id, clientId, agencyId })
    for (const { scheduleId: id, clientId, agencyId } of ahead) refs.set(id, { id, clientId, agencyId })
    for (const [id, ref] of changedSchedules) refs.set(id, ref)
    for (const [agencyId, ofAgency] of grouped([...refs.values()], (ref) => ref.agencyId)) {
      if (isStopping) return
      if (!busy.has(agencyId)) void workFor(agencyId, ofAgency, untouched)
      else if (ofAgency.some(({ id }) => changedSchedules.has(id))) waiting.add(agencyId)
    }
    await claims?.sweep()
  }

  return {
    async start() {
      const onError = (error: unknown) => log.error({ err: error }, 'The planner could not read the posting schedules')
      subscription = await listen(ports, {
        schedulesChanged(refs) {
          for (const ref of refs) changedSchedules.set(ref.id, ref)
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

function grouped<T>(all: readonly T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const each of all) {
    const group = groups.get(keyOf(each))
    if (group) group.push(each)
    else groups.set(keyOf(each), [each])
  }
  return groups
}

/** Interleaves the rows, so that a schedule with many slots doesn't delay the others. */
function inTurns<T>(rows: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...rows.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => rows.flatMap((row) => row.slice(index, index + 1))).flat()
}
