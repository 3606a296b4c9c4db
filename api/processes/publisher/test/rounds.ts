/**
 * Crash rounds: posts, faults and a crash are random; the clock advances until all is settled; then the feed is
 * checked.
 */
import type { Platform } from '../../../../domain/core/values.ts'
import { later } from '../../../core/clock.ts'
import { linkedinDefaults } from '../../../networks/linkedin/settings.ts'
import { sandboxNetworks } from '../../../sandbox/connectors.ts'
import { allow, redirectUri, pkce } from '../../../sandbox/test/helpers.ts'
import { randoms, type Randoms } from '../../test/randoms.ts'
import type { Account, World } from '../../test/helpers.ts'
import { certainAt, decide, feedLags, longestOnTheWayMs } from './person.ts'
import { Stage } from './stage.ts'
import { Fate, lookUpSteps, mediaSteps, onceAt, steps, type Step } from './steps.ts'
import { judge, type Planned } from './verdict.ts'

export interface CrashReport {
  readonly platform: Platform
  readonly seed: number
  rounds: number
  posts: number
  /** Copies in the feed. */
  copies: number
  deaths: number
  /** Deaths by step. */
  readonly steps: Partial<Record<Step, number>>
  /** Rounds that never reached their step. */
  unreached: number
  /** Copies of posts that were in the feed before. */
  twice: number
  /** Outcomes that are unknown at a round's end, because its user decided nothing. */
  leftUnknown: number
  /** Outcomes that a user decided. */
  decided: number
  readonly problems: string[]
}

const roundsOfAWorld = 25
const outcomes = [
  'timeout-after',
  'reset-after',
  'error-after',
  'timeout-before',
  'reset-before',
  'error-before',
] as const
const moves = [1_000, 3_000, 10_000, 30_000, 60_000, 150_000]
/** What only a user or a look-up changes. */
const resting: ReadonlySet<string> = new Set(['unknown', 'held', 'failed'])
/** While nothing else is left. */
const restMs = 20 * 60_000
/** Without a user, unknown outcomes are left at a round's end: after the longest lag and the look-up after it. */
const calmMs = 2 * 3_600_000

export async function crashRounds(
  platform: Platform,
  rounds: number,
  seed: number,
  only: number | null = null,
): Promise<CrashReport> {
  const report: CrashReport = {
    platform,
    seed,
    rounds: 0,
    posts: 0,
    copies: 0,
    deaths: 0,
    steps: {},
    unreached: 0,
    twice: 0,
    leftUnknown: 0,
    decided: 0,
    problems: [],
  }
  for (let first = 0; first < rounds; first += roundsOfAWorld) {
    const numbers = Array.from(
      { length: Math.min(roundsOfAWorld, rounds - first) },
      (_, index) => first + index,
    ).filter((number) => only === null || number === only)
    if (numbers.length > 0) await inOneWorld(platform, numbers, report)
  }
  return report
}

async function inOneWorld(platform: Platform, numbers: readonly number[], report: CrashReport): Promise<void> {
  const stage = await Stage.open({ feedLagMs: feedLags(report.seed + (numbers[0] ?? 0)) })
  const all: Planned[] = []
  try {
    const clientId = await stage.world.addClient()
    for (const number of numbers) {
      const random = randoms(report.seed, number, platform.length)
      // Steps in turn, so that each gets its share of the rounds.
      const step = steps[(number + report.seed) % steps.length] ?? random.pick(steps)
      const round = new Round(stage, random, step, { platform, clientId, number })
      const problems = await round.play().catch((error: unknown) => [String(error)])
      all.push(...round.planned)
      report.rounds += 1
      report.posts += round.planned.length
      report.leftUnknown += round.leftUnknown
      report.decided += round.decided
      report.problems.push(
        ...problems.map((problem) => `seed ${report.seed}, ${platform}, round ${number}, ${step}: ${problem}`),
      )
      if (!round.fates.some(({ struck }) => struck)) report.unreached += 1
      for (const fate of round.fates) if (fate.struck) report.steps[fate.step] = (report.steps[fate.step] ?? 0) + 1
    }
    // Nothing that was open at a round's end may have gone wrong since.
    stage.watchers = []
    await mend(stage.world)
    for (let rests = 0; rests < 4; rests++) await stage.move(restMs)
    await stage.untilTaken(all.map(({ postId }) => postId))
    const { twice, problems } = await judge(stage.world, all, true)
    report.twice += twice
    report.problems.push(
      ...problems.map((problem) => `seed ${report.seed}, ${platform}, rounds from ${numbers[0]}, at last: ${problem}`),
    )
    report.copies += (await stage.world.sandbox.posts()).length
    report.deaths += stage.deaths
  } finally {
    await stage.close()
  }
}

interface Setting {
  readonly platform: Platform
  readonly clientId: string
  readonly number: number
}

class Round {
  readonly planned: Planned[] = []
  fates: readonly Fate[] = []
  leftUnknown = 0
  decided = 0
  /** When each attempt was first seen to be unknown. */
  readonly #unknownSince = new Map<string, string>()
  #hasUser = true
  #changes = ''
  #changedAt = ''
  #fillIn = 0
  #arrivesAt: string | null = null

  constructor(
    private readonly stage: Stage,
    private readonly random: Randoms,
    private readonly step: Step,
    private readonly setting: Setting,
  ) {}

  async play(): Promise<readonly string[]> {
    const { stage, random, step } = this
    const { world } = stage
    const { platform } = this.setting
    const isUnreadable = random.chance(0.06)
    this.#hasUser = random.chance(0.75)
    const accounts = await this.#connect(isUnreadable)
    await this.#write(accounts, isUnreadable)
    await this.#spoil(accounts, isUnreadable)
    const nth = lookUpSteps.has(step) ? 1 : random.whole(1, this.planned.length)
    this.fates = [new Fate(step, nth), ...(random.chance(0.2) ? [new Fate(random.pick(steps), 1)] : [])]
    stage.watchers =
      isUnreadable && platform === 'instagram'
        ? [...this.fates, onceAt('before the outcome is unknown', () => stage.sent(this.#blind(accounts)))]
        : this.fates

    for (let count = 0; !(await this.#isSettled()); count++) {
      if (count > 1_000) return ['nothing settles']
      await this.#goOn()
    }
    stage.watchers = []
    const { unknown, problems } = await judge(world, this.planned)
    this.leftUnknown = unknown
    await stage.fill()
    return unknown > 0 && this.#hasUser
      ? [...problems, `${unknown} outcomes are unknown after a user decided`]
      : problems
  }

  async #connect(isUnreadable: boolean): Promise<Account[]> {
    const { world } = this.stage
    const { platform, clientId } = this.setting
    const accounts: Account[] = []
    for (let left = this.random.whole(1, 2); left > 0; left--) accounts.push(await world.addAccount(clientId, platform))
    if (platform === 'linkedin' && isUnreadable) for (const account of accounts) await this.#connectNarrowly(account)
    return accounts
  }

  /** Like most apps: with permission to post but not to read. */
  async #connectNarrowly({ accountId, name: accountName }: Account): Promise<void> {
    const { url } = this.stage.world.sandbox
    const { linkedin } = sandboxNetworks({
      baseUrl: url,
      publicBaseUrl: url,
      clock: this.stage.world.clock,
      linkedinScope: linkedinDefaults.scope,
    })
    const code = await allow(
      linkedin.consentUrl({ state: 's', redirectUri, accountName, codeChallenge: pkce.challenge }),
    )
    const [profile] = await linkedin.exchange({ code, redirectUri, codeVerifier: pkce.verifier })
    if (profile) await this.stage.world.vault.put(accountId, { remoteId: profile.remoteId, tokens: profile.tokens })
  }

  async #write(accounts: readonly Account[], isUnreadable: boolean): Promise<void> {
    const { random, setting } = this
    const { world } = this.stage
    // Instagram's preparation uses the same reads as a look-up, so no other post could be prepared there.
    const isAlone = isUnreadable && setting.platform === 'instagram'
    const areEqual = !isAlone && random.chance(0.35)
    const count = isAlone ? 1 : areEqual ? random.whole(2, 4) : random.whole(1, 4)
    const haveImages = random.chance(0.4)
    for (let index = 0; index < count; index++) {
      const account = areEqual && index < 2 ? accounts[0] : random.pick(accounts)
      if (!account) continue
      const content = areEqual ? `Round ${setting.number}, the same words` : `Round ${setting.number}, post ${index}`
      const hasImage =
        setting.platform === 'instagram' || mediaSteps.has(this.step) || (areEqual ? haveImages : random.chance(0.4))
      const inMs = random.pick([20_000, 20_000, 30_000, 30_001, 75_000])
      const scheduledFor = later(world.clock.now(), inMs)
      // In every third round, the posts were approved step by step.
      const schedule = setting.number % 3 === 2 ? world.scheduleInSteps : world.schedule
      const postId = await schedule(account, content, inMs, hasImage)
      this.planned.push({ postId, account, content, scheduledFor, hasImage })
    }
  }

  async #spoil(accounts: readonly Account[], isUnreadable: boolean): Promise<void> {
    const { random, step } = this
    const { sandbox } = this.stage.world
    const { platform } = this.setting
    const struck = new Set(this.planned.map(({ account }) => account.name))
    for (const { name } of accounts.filter((account) => struck.has(account.name))) {
      const mustBeOpen = lookUpSteps.has(step) || isUnreadable
      if (mustBeOpen || (step !== 'in flight, taken' && random.chance(0.35)))
        await sandbox.plan(platform, name, { kind: random.pick(outcomes) })
      if (isUnreadable && platform !== 'instagram') await this.#blind(accounts)
      else if (!isUnreadable && random.chance(0.2))
        await sandbox.plan(platform, name, { kind: random.pick(outcomes), step: 'lookup' })
      if (random.chance(0.15)) await sandbox.plan(platform, name, { kind: random.pick(outcomes), step: 'prepare' })
      if (random.chance(0.1))
        await sandbox.plan(platform, name, { kind: 'rate-limited', retryAfterSeconds: random.whole(5, 120) })
      if (random.chance(0.15)) await sandbox.plan(platform, name, { kind: 'slow', delayMs: 20 })
    }
  }

  /** From now on the profiles can't be read. */
  async #blind(accounts: readonly Account[]): Promise<void> {
    for (const { name } of accounts)
      await this.stage.world.sandbox.plan(this.setting.platform, name, {
        kind: 'error-before',
        step: 'lookup',
        times: 500,
      })
  }

  async #goOn(): Promise<void> {
    const { stage, random } = this
    const { clock } = stage.world
    await stage.quiet()
    if (this.#fillIn-- <= 0) {
      await stage.fill()
      this.#fillIn = random.whole(0, 3)
    }
    await stage.untilTaken(this.planned.map(({ postId }) => postId))
    const [late] = stage.late
    if (late && this.#arrivesAt === null) this.#arrivesAt = later(late.since, random.whole(0, longestOnTheWayMs))
    const isOpen = await this.#isOpen()
    if (!isOpen && late === undefined && (await this.#letUserDecide())) return
    let ms = isOpen || late ? random.pick(moves) : restMs
    if (this.#arrivesAt !== null) ms = Math.min(ms, Math.max(0, Date.parse(this.#arrivesAt) - Date.parse(clock.now())))
    await stage.move(ms)
    if (this.#arrivesAt !== null && clock.now() >= this.#arrivesAt) {
      this.#arrivesAt = null
      for (const { arrive } of stage.late.splice(0)) await arrive()
    }
  }

  /** A post is still to be sent, or being sent. */
  async #isOpen(): Promise<boolean> {
    const posts = await this.#posts()
    return posts.some(({ status, delivery }) => isOnItsWay(status) && !resting.has(delivery))
  }

  /** False while there is nothing to decide, or the network may not list all that was accepted. */
  async #letUserDecide(): Promise<boolean> {
    const { world } = this.stage
    const now = world.clock.now()
    const posts = await this.#posts()
    const unknown = posts.flatMap(({ delivery, attemptId }) =>
      delivery === 'unknown' && attemptId !== null ? [attemptId] : [],
    )
    for (const attemptId of unknown)
      if (!this.#unknownSince.has(attemptId)) this.#unknownSince.set(attemptId, certainAt(now))
    const isStuck = posts.some(({ delivery }) => delivery === 'held' || delivery === 'failed')
    if (!this.#hasUser && !isStuck) return false
    if (this.#hasUser && unknown.some((attemptId) => (this.#unknownSince.get(attemptId) ?? now) > now)) return false
    // The user decides when the network works again; on Instagram, preparing needs the same reads as a look-up.
    if (isStuck || unknown.length > 0) await mend(world)
    const done = await decide(world, this.planned, this.#hasUser)
    if (done === 'decided') this.decided += 1
    return done !== 'nothing'
  }

  #posts() {
    return Promise.all(this.planned.map(({ postId }) => this.stage.world.post(postId)))
  }

  /** All are published, or nothing has changed for so long that nothing will. */
  async #isSettled(): Promise<boolean> {
    const { world, late } = this.stage
    const loaded = await Promise.all(this.planned.map(({ postId }) => world.commands.loadPost(postId)))
    const changes = loaded.map(({ head }) => head.revision).join()
    const now = world.clock.now()
    if (changes !== this.#changes) [this.#changes, this.#changedAt] = [changes, now]
    if (late.length > 0) return false
    if (loaded.every(({ state }) => state.status === 'published')) return true
    const isOpen = loaded.some(({ state }) => isOnItsWay(state.status) && state.delivery !== 'unknown')
    return !isOpen && now > later(this.#changedAt, calmMs)
  }
}

/** Posts that were approved step by step are approved, not scheduled. */
const isOnItsWay = (status: string) => status === 'scheduled' || status === 'approved'

/** Ends all planned faults. */
const mend = ({ sandbox }: World) => fetch(`${sandbox.url}/admin/faults`, { method: 'DELETE' })
