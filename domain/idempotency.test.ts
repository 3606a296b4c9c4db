/**
 * Properties of every command of every decider, in every state that random commands lead to.
 *
 * @module-tag sampled
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgencyCommand } from './agency/commands.ts'
import { agencyDecider } from './agency/decider.ts'
import {
  actingUser,
  agencyCommand,
  auditorLinkCommand,
  aroundDiscussion,
  aroundClient,
  aroundPost,
  aroundPostUnderPolicy,
  aroundReviewLink,
  clientCommand,
  clockAt,
  discussionCommand,
  generationCommand,
  postCommand,
  postKinds,
  reviewLinkCommand,
  sampleCommand,
  waits,
} from './test/arbitraries.ts'
import { auditorLinkDecider } from './auditor-link/decider.ts'
import type { ClientCommand, ScheduleRules } from './client/commands.ts'
import { clientDecider } from './client/decider.ts'
import type { ClientContext } from './client/state.ts'
import { isRefused, type Decider, type Refusal } from './core/decider.ts'
import type { Fact } from './core/event.ts'
import { discussionDecider } from './discussion/decider.ts'
import { events as catalogue } from './event-store/catalogue.ts'
import { generationDecider } from './generation/decider.ts'
import type { PostCommand } from './post/commands.ts'
import { postDecider } from './post/decider.ts'
import * as post from './post/test/examples.ts'
import type { PostEvent } from './post/events.ts'
import type { PostContext } from './post/rules.ts'
import { abilitiesOf, type Ability } from './post/state-table.ts'
import { reviewLinkDecider } from './review-link/decider.ts'
import { sampleDecider } from './sample/decider.ts'
import { sample, seedOr } from './test/sample.ts'

/** Commands whose repeat is refused instead of appending nothing, and the reason. */
const exceptions: Readonly<Record<string, string>> = {
  // An owner opens an agency only once; a repeated request gets an error instead of a success.
  OpenAgency: 'agency-exists',
}

interface Step<Command, Around> {
  readonly command: Command
  readonly around: Around
  readonly wait: number
}

type ClientAround = Omit<ClientContext, 'now'>

const steps = <Command, Around>(command: fc.Arbitrary<Command>, around: fc.Arbitrary<Around>) =>
  fc.array(fc.record({ command, around, wait: waits }), { minLength: 1, maxLength: 40, size: 'max' })

/** Runs the steps; each accepted command is repeated at the same clock and both results are checked. */
function live<State, Command extends { readonly type: string }, Event extends Fact, R extends Refusal, Given, Around>(
  decider: Decider<State, Command, Event, R, Given>,
  give: (around: Around, now: string, minutes: number) => Given,
  taken: readonly Step<Command, Around>[],
  seen: Set<string>,
): State {
  let state = decider.initial
  let minutes = 0
  for (const { command, around, wait } of taken) {
    minutes += wait
    const given = give(around, clockAt(minutes), minutes)
    const before = JSON.stringify(state)
    const decision = decider.decide(state, command, given)
    expect(JSON.stringify(state)).toBe(before)
    if (isRefused(decision)) continue
    // The decided events can be stored: their data matches the schema.
    for (const event of decision) catalogue.encode(event)
    state = decision.reduce(decider.evolve, state)
    const again = decider.decide(state, command, given)
    expect({ command, again: isRefused(again) ? again.refused.reason : again }).toEqual({
      command,
      again: exceptions[command.type] ?? [],
    })
    if (decision.length > 0) seen.add(command.type)
  }
  return state
}

const postGiven = (around: Omit<PostContext, 'now' | 'freeSlot'>, now: string, minutes: number): PostContext => ({
  ...around,
  now,
  freeSlot: clockAt(minutes + 60),
})
/** A fixed seed: each run of a size accepts all types of commands. */
const runs = { seed: seedOr(1), numRuns: sample('PROPERTY_RUNS', { test: 120, long: 400 }) }
const manyRuns = { ...runs, numRuns: 4 * runs.numRuns }

describe('An accepted command appends nothing when it is repeated at the same clock', () => {
  it('to an agency', () => {
    const seen = new Set<string>()
    const expiresAt = clockAt(20_000)
    const invite = { type: 'InviteMember', role: 'admin', clients: 'all', expiresAt, replaces: null } as const
    const past: readonly (readonly [AgencyCommand, string])[] = [
      [{ type: 'OpenAgency', agencyId: 'a', ownerId: 'o', name: 'North Star', timeZone: 'UTC' }, 'o'],
      [{ ...invite, invitationId: 'id-1' }, 'o'],
      [{ type: 'JoinTeam', invitationId: 'id-1', memberId: 'id-1' }, 'id-1'],
      [{ type: 'SetSecondFactorPolicy', isRequired: true }, 'o'],
      [{ type: 'OfferOwnership', memberId: 'id-1' }, 'o'],
    ]
    const opened = past.map(([command, around]) => ({ command, around, wait: 0 }))
    fc.assert(
      fc.property(
        steps(agencyCommand, actingUser),
        fc.integer({ min: 1, max: opened.length }),
        (taken, length) =>
          void live(
            agencyDecider,
            (userId, now) => ({ now, userId, hasFactors: true }),
            [...opened.slice(0, length), ...taken],
            seen,
          ),
      ),
      manyRuns,
    )
    expect(seen.size).toBe(19)
  })
  it('to a client', () => {
    const seen = new Set<string>()
    const fine = { standing: 'good', onRoster: true, approvers: [] } as const
    const rules: ScheduleRules = {
      frequency: 'weekly',
      postsPerWeek: 3,
      preferredTimes: [{ day: 1, time: '09:00' }],
      contentTopics: [],
    }
    const opened: Step<ClientCommand, ClientAround>[] = [
      {
        command: {
          type: 'AddSocialAccount',
          accountId: 'id-1',
          platform: 'facebook',
          accountName: 'Blue Cup',
          accountUrl: null,
        },
        around: fine,
        wait: 0,
      },
      {
        command: { type: 'AddPostingSchedule', scheduleId: 'id-1', accountId: 'id-1', ...rules },
        around: fine,
        wait: 0,
      },
      {
        command: {
          type: 'RecordPlanningFailed',
          scheduleId: 'id-1',
          revision: 0,
          slot: '2026-03-03T09:00:00.000Z',
          cause: 'No answer',
        },
        around: fine,
        wait: 0,
      },
    ]
    fc.assert(
      fc.property(
        steps(clientCommand, aroundClient),
        fc.boolean(),
        (taken, isOpen) =>
          void live(clientDecider, (around, now) => ({ ...around, now }), [...(isOpen ? opened : []), ...taken], seen),
      ),
      manyRuns,
    )
    expect(seen.size).toBe(18)
  })
  it('to a generated text', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(
        steps(generationCommand, aroundClient),
        (taken) => void live(generationDecider, (around) => around, taken, seen),
      ),
      runs,
    )
    expect(seen.size).toBe(1)
  })
  it('to a post', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(steps(postCommand, aroundPostUnderPolicy), (taken) => void live(postDecider, postGiven, taken, seen)),
      manyRuns,
    )
    fc.assert(
      fc.property(
        fc.constantFrom<readonly PostEvent[]>(...Object.values(post.pasts), post.pendingForClient),
        steps(postCommand, aroundPostUnderPolicy),
        (past, taken) => {
          const started = { ...postDecider, initial: past.reduce(postDecider.evolve, postDecider.initial) }
          live(started, postGiven, taken, seen)
        },
      ),
      manyRuns,
    )
    // Tested by themselves: they need an hour of a policy to pass, and a post of a schedule that was not touched.
    const rare = ['RemindOfStep', 'WithdrawPost']
    expect(Object.keys(postKinds).filter((type) => !seen.has(type) && !rare.includes(type))).toEqual([])
  })
  it('to sample figures', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(
        steps(sampleCommand, fc.constant(null)),
        (taken) => void live(sampleDecider, () => ({ clientId: post.clientId }), taken, seen),
      ),
      runs,
    )
    expect(seen.size).toBe(2)
  })
  it("to an auditor's link", () => {
    const seen = new Set<string>()
    const around = fc.record({ scopeExists: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, fc.boolean()) })
    fc.assert(
      fc.property(
        steps(auditorLinkCommand, around),
        (taken) => void live(auditorLinkDecider, (given, now) => ({ ...given, now }), taken, seen),
      ),
      runs,
    )
    expect(seen.size).toBe(3)
  })
  it('to a review link', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(
        steps(reviewLinkCommand, aroundReviewLink),
        (taken) => void live(reviewLinkDecider, (given, now) => ({ ...given, now }), taken, seen),
      ),
      runs,
    )
    expect(seen.size).toBe(3)
  })
  it('to a discussion', () => {
    const seen = new Set<string>()
    /** Who acted last: a fold takes the author from the metadata. */
    let metadata = {}
    const evolve: typeof discussionDecider.evolve = (state, event) =>
      discussionDecider.evolve(state, Object.assign({}, event, { metadata }))
    fc.assert(
      fc.property(steps(discussionCommand, aroundDiscussion), (taken) => {
        const give = (around: (typeof taken)[number]['around'], now: string) => {
          metadata = { actor: around.actor, at: now }
          return { ...around, now }
        }
        live({ ...discussionDecider, evolve }, give, taken, seen)
      }),
      runs,
    )
    expect(seen.size).toBe(3)
  })
})

/** A valid command for each ability, at a time when nothing is overdue. */
const goodCommands: Readonly<Record<Exclude<Ability, 'skip-step' | 'reassign-step'>, PostCommand>> = {
  edit: { type: 'ReviseContent', content: 'Words that no test uses', generation: null },
  plan: { type: 'PlanPost', scheduledFor: '2030-01-01T09:00:00.000Z' },
  submit: { type: 'SubmitPost' },
  approve: { type: 'ApprovePost' },
  reject: { type: 'RejectPost', reason: null },
  schedule: { type: 'SchedulePost', scheduledFor: '2030-01-01T09:00:00.000Z' },
  'publish-now': { type: 'PublishPostNow' },
  reschedule: { type: 'ReschedulePost', scheduledFor: '2030-01-01T09:00:00.000Z' },
  'return-to-draft': { type: 'ReturnPostToDraft' },
  resolve: { type: 'ResolveAsLive', attemptId: null, url: 'https://network.example/found', remoteId: null },
  retry: { type: 'RetryPost', scheduledFor: '2030-01-01T09:00:00.000Z' },
  assign: { type: 'AssignPost', memberId: 'a member that no test names' },
  release: { type: 'ReleasePost', scheduledFor: '2030-01-01T09:00:00.000Z' },
  delete: { type: 'DeletePost', because: 'asked' },
}

it('A post’s abilities match what its rules accept, in every state', () => {
  const reached = new Set<string>()
  const everyLife = fc.tuple(fc.constantFrom([], ...Object.values(post.pasts)), steps(postCommand, aroundPost))
  fc.assert(
    fc.property(everyLife, ([past, taken]) => {
      const started = { ...postDecider, initial: past.reduce(postDecider.evolve, postDecider.initial) }
      const lived = live(started, postGiven, taken, new Set())
      if (!lived.exists || lived.deleted) return
      // A text that every network accepts, and a time to come, so that only the state decides.
      const scheduledFor = lived.scheduledFor && '2030-01-02T09:00:00.000Z'
      const state = { ...lived, content: 'Fine', imageUrl: 'https://img.example/a.png', scheduledFor }
      const able = abilitiesOf(state)
      for (const [ability, command] of Object.entries(goodCommands) as [keyof typeof goodCommands, PostCommand][]) {
        const decision = postDecider.decide(state, command, post.context)
        const happens = !isRefused(decision) && decision.length > 0
        expect({ ability, status: state.status, delivery: state.delivery, happens }).toMatchObject({
          happens: able.includes(ability),
        })
        if (happens) reached.add(ability)
      }
    }),
    manyRuns,
  )
  expect(reached.size).toBe(Object.keys(goodCommands).length)
})
