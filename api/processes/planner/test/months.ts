/** Two simulated months of one schedule in one time zone, day by day, and the invariants that must hold. */
import { setTimeout as pause } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { ClientCommand, ScheduleRules } from '../../../../domain/client/commands.ts'
import type { PostEvent } from '../../../../domain/post/events.ts'
import type { Fact, Recorded } from '../../../../domain/core/event.ts'
import { events as catalogue, recorded } from '../../../../domain/event-store/catalogue.ts'
import { later } from '../../../core/clock.ts'
import { openWorld, StillClock, type World } from '../../test/helpers.ts'
import { generationsOf } from '../../../testing/generations.ts'
import { randoms, type Randoms } from '../../test/randoms.ts'
import { Calendar } from './calendar.ts'
import { claimMs, Planners } from './life.ts'

export interface Months {
  readonly rules: ScheduleRules
  readonly otherRules: ScheduleRules
  readonly zone: string
  readonly start: string
  readonly planners: 1 | 2
  readonly seed: number
}

export interface Outcome {
  readonly problems: readonly string[]
  readonly posts: number
  readonly deaths: number
}

const day = 86_400_000
const weekMs = 7 * day
const length = 60 * day
const patienceMs = 15_000

type Written = Extract<PostEvent, { type: 'PostWritten' }>

export async function liveMonths(months: Months): Promise<Outcome> {
  const world = await openWorld({ clock: new StillClock(months.start), timeZone: months.zone })
  const planners = new Planners(world, randoms(months.seed, 1), months.planners)
  try {
    return await new Life(world, planners, months, randoms(months.seed)).live()
  } finally {
    await planners.leave()
    await world.remove()
  }
}

const keyOf = (revision: number, slot: string) => `${revision} ${slot}`

class Life {
  readonly #scheduleId = uuidv7()
  /** Slots that were ahead while the schedule was active. */
  readonly #wanted = new Set<string>()
  /** Times taken by a user's own post. */
  readonly #held = new Set<string>()
  readonly #calendar: Calendar
  #rules: ScheduleRules
  #revision = 0
  #isActive = true
  #isPaid = true
  #isRemoved = false
  #clientId = ''

  constructor(
    private readonly world: World,
    private readonly planners: Planners,
    private readonly months: Months,
    private readonly random: Randoms,
  ) {
    this.#rules = months.rules
    this.#calendar = new Calendar(
      months.zone,
      later(months.start, -2 * day),
      later(months.start, length + weekMs + 2 * day),
    )
  }

  async live(): Promise<Outcome> {
    const { world, months } = this
    await this.#pay('active')
    this.#clientId = await world.addClient()
    const { accountId } = await world.addAccount(this.#clientId, 'facebook', false)
    await this.#tell({ type: 'AddPostingSchedule', scheduleId: this.#scheduleId, accountId, ...this.#rules })
    const end = later(months.start, length)
    for (let now = months.start; now < end;) {
      await this.#settle()
      await this.#act()
      await this.#settle()
      now = later(now, this.random.whole(1, 5) * day + this.random.whole(0, 23) * 3_600_000)
      world.clock.advance(Date.parse(now) - Date.parse(world.clock.now()))
    }
    await this.#settle()
    return this.#judge()
  }

  /** One random user action, or none. */
  async #act(): Promise<void> {
    const { random } = this
    const scheduleId = this.#scheduleId
    if (this.#isRemoved) return
    switch (random.whole(0, 9)) {
      case 0:
      case 1:
        if (!this.#isPaid) return
        this.#rules = this.#rules === this.months.rules ? this.months.otherRules : this.months.rules
        if (JSON.stringify(this.months.rules) !== JSON.stringify(this.months.otherRules)) this.#revision += 1
        return this.#tell({ type: 'RevisePostingSchedule', scheduleId, ...this.#rules })
      case 2:
        this.#isActive = false
        return this.#tell({ type: 'PausePostingSchedule', scheduleId })
      case 3:
      case 4:
        if (!this.#isPaid) return
        this.#isActive = true
        return this.#tell({ type: 'ResumePostingSchedule', scheduleId })
      case 5:
        this.#isPaid = !this.#isPaid
        return this.#pay(this.#isPaid ? 'active' : 'canceled')
      case 6:
        return this.#touch()
      case 7:
        if (!random.chance(0.2)) return
        this.#isRemoved = true
        return this.#tell({ type: 'RemovePostingSchedule', scheduleId })
      default:
        return
    }
  }

  async #touch(): Promise<void> {
    const [post] = await this.#untouchedAhead()
    if (!post || !this.#isPaid) return
    const done = await this.world.commands.post(post.id, { type: 'ApprovePost' }, this.world.by)
    if ('refused' in done) throw new Error(done.refused.reason)
    this.#held.add(post.slot)
    await this.world.projector.waitFor(done.appendedEvents, patienceMs)
  }

  /** Waits until the wanted posts exist and the unwanted ones are deleted; replaces planners that die. */
  async #settle(): Promise<void> {
    const { world, planners, random } = this
    if (this.random.chance(0.5)) planners.fate = { appendsLeft: random.whole(1, 12), takesPlace: random.chance(0.5) }
    const now = world.clock.now()
    if (this.#isActive && this.#isPaid && !this.#isRemoved) {
      for (const at of this.#calendar.slots(this.#rules, now, later(now, weekMs))) {
        if (!this.#held.has(at)) this.#wanted.add(keyOf(this.#revision, at))
      }
    }
    const since = performance.now()
    let deaths = planners.deaths
    for (;;) {
      await planners.fill()
      // Lets the dead planner's claims expire; no slot lies within so few seconds of a step.
      if (planners.deaths > deaths) world.clock.advance(claimMs)
      deaths = planners.deaths
      const missing = await this.#missing()
      const stale = await this.#stale()
      if (missing.length === 0 && stale.length === 0) return
      if (performance.now() - since > patienceMs)
        throw new Error(`At ${now} it lacks ${missing.join()} and keeps ${stale.join()}`)
      await pause(2)
    }
  }

  async #missing(): Promise<string[]> {
    const { world } = this
    const now = world.clock.now()
    const there = await world.views.plannedPosts.all({ where: { scheduleId: this.#scheduleId, slot: { gte: now } } })
    const keys = new Set(there.map(({ revision, slot }) => keyOf(revision, slot)))
    if (this.#isRemoved) return []
    return [...this.#wanted].filter((key) => {
      const [revision = '', slot = ''] = key.split(' ')
      return Number(revision) === this.#revision && slot > now && !keys.has(key)
    })
  }

  #untouchedAhead() {
    const where = { scheduleId: this.#scheduleId, isTouched: false, slot: { gte: this.world.clock.now() } }
    return this.world.views.plannedPosts.all({ where, sort: { field: 'slot', order: 'asc' } })
  }

  async #stale(): Promise<string[]> {
    // A paused or unpaid schedule keeps its posts, including those of earlier rules.
    if (!this.#isRemoved && !(this.#isActive && this.#isPaid)) return []
    return (await this.#untouchedAhead())
      .filter(({ revision }) => this.#isRemoved || revision !== this.#revision)
      .map(({ revision, slot }) => keyOf(revision, slot))
  }

  async #judge(): Promise<Outcome> {
    const problems: string[] = []
    const alive = new Map<string, string>()
    const written = await this.#written()
    for (const { stream, data } of written) {
      const { plan, scheduledFor } = data
      if (!plan) continue
      const key = keyOf(plan.revision, plan.slot)
      if (scheduledFor !== plan.slot) problems.push(`${key} is planned for ${scheduledFor}`)
      if (!this.#wanted.has(key)) problems.push(`${key} was written though nobody wanted it`)
      const { state } = await this.world.commands.loadPost(stream.slice('post-'.length))
      if (state.deleted) continue
      if (alive.has(plan.slot)) problems.push(`${plan.slot} has two posts: ${alive.get(plan.slot)} and ${key}`)
      alive.set(plan.slot, key)
    }
    const keys = written.flatMap(({ data: { plan } }) => (plan ? [keyOf(plan.revision, plan.slot)] : []))
    if (new Set(keys).size !== keys.length) problems.push('A slot was written twice')
    for (const key of this.#wanted) if (!keys.includes(key)) problems.push(`${key} was never written`)
    const texts = await generationsOf(this.world.events, this.#clientId)
    // A text may be wasted only when a planner died, or a user acted, after it was written.
    if (texts.length < keys.length) problems.push('A post has no text of its own')
    return { problems, posts: keys.length, deaths: this.planners.deaths }
  }

  async #written(): Promise<(Recorded<Fact> & Written)[]> {
    const found: (Recorded<Fact> & Written)[] = []
    for await (const batch of this.world.events.readAll(null, { names: catalogue.namesOf(['PostWritten']) })) {
      for (const stored of batch) found.push(recorded(stored) as Recorded<Fact> & Written)
    }
    return found
  }

  async #tell(command: ClientCommand): Promise<void> {
    const outcome = await this.world.commands.client(this.#clientId, command, this.world.by)
    if ('refused' in outcome) throw new Error(outcome.refused.reason)
    await this.world.projector.waitFor(outcome.appendedEvents, patienceMs)
  }

  async #pay(status: 'active' | 'canceled'): Promise<void> {
    const { world } = this
    const asOf = world.clock.now()
    const update = {
      heard: 'told',
      subscriptionId: 'subscription',
      customerId: 'customer',
      currentPeriodEnd: null,
      endsWithPeriod: false,
      begunAt: this.months.start,
    } as const
    const done = await world.commands.agency(
      world.agencyId,
      { type: 'RecordSubscription', ...update, status, asOf },
      world.by,
    )
    if ('refused' in done) throw new Error(done.refused.reason)
  }
}
