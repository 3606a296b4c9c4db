import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { specification } from '../test/specification.ts'
import {
  providerStatuses,
  type AgencyCommand,
  type ProviderStatus,
  type SubscriptionFacts,
  type SubscriptionStatus,
} from './commands.ts'
import { agencyDecider } from './decider.ts'
import type { AgencyEvent } from './events.ts'
import * as a from './test/examples.ts'
import { followed } from './subscriptions.ts'

const { given, fold } = specification(agencyDecider)
const after = { now: a.trialEndsAt }
const trialing = [a.opened, a.trialStarted]
const active = [...trialing, a.activated]

describe('the subscription', () => {
  const at = (second: number) => `2026-04-01T10:00:${String(second).padStart(2, '0')}.000Z`
  const update = (
    status: ProviderStatus,
    second = 30,
    changes: Partial<SubscriptionFacts> = {},
    heard: 'told' | 'asked' = 'told',
  ): AgencyCommand => ({
    type: 'RecordSubscription',
    heard,
    subscriptionId: 'sub_1',
    customerId: 'cus_1',
    status,
    currentPeriodEnd: '2026-04-02T10:00:00.000Z',
    endsWithPeriod: false,
    begunAt: at(0),
    asOf: at(second),
    ...changes,
  })
  const states = {
    trialing,
    expired: [...trialing, a.trialExpired],
    active,
    past_due: [...active, a.overdue],
    unpaid: [...active, a.overdue, a.unpaid],
    canceled: [...active, a.canceled],
  }
  const leadsTo: Readonly<Record<Exclude<ProviderStatus, 'incomplete'>, SubscriptionStatus>> = {
    trialing: 'active',
    active: 'active',
    past_due: 'past_due',
    unpaid: 'unpaid',
    canceled: 'canceled',
  }

  for (const result of providerStatuses) {
    it.each(Object.entries(states))(`updated to ${result}, from %s`, (from, past) => {
      const step = given(...past).when(update(result), after)
      expect(step.state.status).toBe(result === 'incomplete' ? from : leadsTo[result])
      expect(step.again()).toEqual([])
    })
  }
  for (const first of providerStatuses) {
    it.each(providerStatuses)(`${first}, then %s: the reverse order of arrival gives the same status`, (second) => {
      const [earlier, later] = [update(first, 1), update(second, 2)]
      const inOrder = given(...trialing).when(earlier, after)
      const ended = given(...trialing, ...inOrder.events).when(later, after).state
      const turned = given(...trialing).when(later, after)
      expect(given(...trialing, ...turned.events).when(earlier, after).state).toMatchObject({ status: ended.status })
    })
  }
  it('has the status of the newest update, in any order of arrival', () => {
    const result = fc.shuffledSubarray(
      providerStatuses.flatMap((status) => [status, status]).map((status, index) => ({ status, index })),
      { minLength: 2 },
    )
    fc.assert(
      fc.property(result, (arrived) => {
        const play = (order: typeof arrived) =>
          order.reduce<readonly AgencyEvent[]>(
            (past, { status, index }) => [...past, ...given(...past).when(update(status, index), after).events],
            trialing,
          )
        const { status } = fold(play(arrived))
        expect(status).toBe(fold(play(arrived.toSorted((x, y) => x.index - y.index))).status)
      }),
    )
  })
  it('takes the later lifecycle status when two updates have the same second', () => {
    const canceled = given(...trialing).when(update('canceled', 5), after).events
    expect(given(...trialing, ...canceled).when(update('active', 5), after).events).toEqual([])
    const activated = given(...trialing).when(update('active', 5), after).events
    expect(given(...trialing, ...activated).when(update('canceled', 5), after).state.status).toBe('canceled')
  })
  it('records a new period, and a cancellation at its end, as new events', () => {
    const seen = given(...trialing).when(update('active', 1), after).events
    const next = given(...trialing, ...seen).when(
      update('active', 2, { currentPeriodEnd: '2026-05-02T10:00:00.000Z' }),
      after,
    )
    expect(next.events).toMatchObject([
      { type: 'SubscriptionActivated', data: { currentPeriodEnd: '2026-05-02T10:00:00.000Z' } },
    ])
    expect(given(...trialing, ...seen).when(update('active', 2, { endsWithPeriod: true }), after).state).toMatchObject({
      status: 'active',
      subscriptions: [{ endsWithPeriod: true }],
    })
  })
  it('is confirmed by a webhook, but not by each request of ours', () => {
    const seen = given(...trialing).when(update('active', 1), after).events
    expect(given(...trialing, ...seen).when(update('active', 2, {}, 'asked'), after).events).toEqual([])
    expect(given(...trialing, ...seen).when(update('active', 2), after).events).toMatchObject([
      { type: 'SubscriptionConfirmed' },
    ])
  })
})

describe('several subscriptions', () => {
  const at = (second: number) => `2026-04-01T10:00:${String(second).padStart(2, '0')}.000Z`
  /** The first was created at second 0, the second at second 10, and so on. */
  const update = (
    number: number,
    status: ProviderStatus,
    second: number,
    heard: 'told' | 'asked' = 'told',
  ): AgencyCommand => ({
    type: 'RecordSubscription',
    heard,
    subscriptionId: `sub_${number}`,
    customerId: 'cus_1',
    status,
    currentPeriodEnd: null,
    endsWithPeriod: false,
    begunAt: at(number * 10),
    asOf: at(second),
  })
  const play = (commands: readonly AgencyCommand[]) =>
    commands.reduce<readonly AgencyEvent[]>(
      (past, command) => [...past, ...given(...past).when(command, after).events],
      trialing,
    )
  const outcome = (commands: readonly AgencyCommand[]) => {
    const { status, subscriptions } = fold(play(commands))
    return { status, by: followed(subscriptions)?.id }
  }

  it.each([
    [
      'a late word that an old one was active',
      [update(1, 'active', 20), update(0, 'active', 30)],
      { status: 'active', by: 'sub_1' },
    ],
    [
      'the end of an old one',
      [update(0, 'active', 1), update(1, 'active', 20), update(0, 'canceled', 30)],
      { status: 'active', by: 'sub_1' },
    ],
    [
      'an old one that is listed as dead',
      [update(1, 'active', 20), update(0, 'canceled', 30)],
      { status: 'active', by: 'sub_1' },
    ],
    ['two dead ones', [update(1, 'canceled', 20), update(0, 'unpaid', 30)], { status: 'canceled', by: 'sub_1' }],
    [
      'the end of the newer of two that live',
      [update(0, 'active', 1), update(1, 'active', 20), update(1, 'canceled', 30)],
      { status: 'active', by: 'sub_0' },
    ],
    [
      'a late payment of the newer of two',
      [update(0, 'active', 1), update(1, 'past_due', 20)],
      { status: 'past_due', by: 'sub_1' },
    ],
    ['a new one after the end', [update(0, 'canceled', 1), update(1, 'active', 20)], { status: 'active', by: 'sub_1' }],
  ] as const)('%s: the latest live subscription counts', (_, result, expected) => {
    expect(outcome(result)).toEqual(expected)
  })
  for (const first of providerStatuses) {
    it.each(providerStatuses)(`one ${first}, the next %s: both orders give the same result`, (second) => {
      const [one, next] = [update(0, first, 15), update(1, second, 16)]
      expect(outcome([one, next])).toEqual(outcome([next, one]))
    })
  }
  it('give the same result in any order of their updates', () => {
    const all = [0, 1, 2].flatMap((number) =>
      providerStatuses.map((status, index) => ({ number, status, second: number * 10 + index })),
    )
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: 2 }), (arrived) => {
        const finalState = (order: typeof arrived) =>
          outcome(order.map(({ number, status, second }) => update(number, status, second)))
        expect(finalState(arrived)).toEqual(finalState(arrived.toSorted((x, y) => x.second - y.second)))
      }),
    )
  })
  it('that are requested repeatedly append nothing once they are known', () => {
    const past = play([update(0, 'canceled', 20), update(1, 'unpaid', 21)])
    for (const command of [update(0, 'canceled', 40, 'asked'), update(1, 'unpaid', 40, 'asked')]) {
      expect(given(...past).when(command, after).events).toEqual([])
    }
  })
  it('of a log from before events named them are distinguished by their order', () => {
    const second: AgencyEvent = {
      type: 'SubscriptionActivated',
      data: { subscriptionId: 'sub_2', customerId: 'cus_1', currentPeriodEnd: null },
    }
    const state = fold([...active, a.canceled, second, a.overdue])
    expect(state.subscriptions.map(({ id, status }) => [id, status])).toEqual([
      ['sub_1', 'canceled'],
      ['sub_2', 'past_due'],
    ])
    expect(state.status).toBe('past_due')
  })
})
