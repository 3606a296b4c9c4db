import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { specification } from '../core/spec.ts'
import {
  clientProfileSchema,
  providerStatuses,
  type AgencyCommand,
  type ProviderStatus,
  type SubscriptionFacts,
  type SubscriptionStatus,
} from './commands.ts'
import { agencyDecider } from './decider.ts'
import type { AgencyEvent } from './events.ts'
import * as a from './examples.ts'
import { standingOf } from './state.ts'

const { given, fold } = specification(agencyDecider)
const during = { now: a.now }
const after = { now: a.trialEndsAt }
const trialing = [a.opened, a.trialStarted]
const active = [...trialing, a.activated]

describe('opening', () => {
  it('starts a trial of seven days', () => {
    expect(given().when(a.open, during).events).toEqual([a.opened, a.trialStarted])
  })
  it('happens once an owner, for ever', () => {
    expect(given(...trialing).when(a.open, during).reason).toBe('agency-exists')
  })
  it('comes before everything else', () => {
    expect(given().when({ type: 'ExpireTrial' }, during).reason).toBe('agency-unknown')
  })
})

describe('clients', () => {
  const add = (clientId: string): AgencyCommand => ({ type: 'AddClient', clientId, profile: a.profile })
  const ten = Array.from({ length: 10 }, (_, index): AgencyEvent => ({
    type: 'ClientAdded',
    data: { clientId: `client-${index}`, profile: a.profile },
  }))

  it('are added', () => {
    expect(given(...trialing).when(add(a.clientId), during).events).toEqual([a.clientAdded])
  })
  it('are added once', () => {
    expect(given(...trialing).when(add(a.clientId), during).again()).toEqual([])
  })
  it('are ten at most', () => {
    expect(given(...trialing, ...ten).when(add('eleventh'), during).refused).toEqual({ reason: 'client-limit-reached', limit: 10 })
  })
  it('make room when one is removed', () => {
    const removed: AgencyEvent = { type: 'ClientRemoved', data: { clientId: 'client-3', name: 'Blue Cup' } }
    expect(given(...trialing, ...ten, removed).when(add('eleventh'), during).events).toHaveLength(1)
  })
  it('never come back under the same id', () => {
    expect(given(...trialing, a.clientAdded, a.clientRemoved).when(add(a.clientId), during).reason).toBe('made-and-deleted')
  })
  it('are not added once the trial has ended', () => {
    expect(given(...trialing).when(add(a.clientId), after).refused).toEqual({ reason: 'subscription-needed', standing: 'trial-ended' })
  })
  it('are revised field by field, and what is absent stays', () => {
    const revise: AgencyCommand = { type: 'ReviseClientProfile', clientId: a.clientId, changes: { toneOfVoice: 'bold', industry: '' } }
    const step = given(...trialing, a.clientAdded).when(revise, during)
    expect(step.events).toEqual([
      { type: 'ClientProfileRevised', data: { clientId: a.clientId, profile: { ...a.profile, toneOfVoice: 'bold', industry: null } } },
    ])
    expect(step.again()).toEqual([])
  })
  it('that are unknown can not be revised or removed', () => {
    expect(given(...trialing).when({ type: 'ReviseClientProfile', clientId: 'x', changes: {} }, during).reason).toBe('client-unknown')
    expect(given(...trialing).when({ type: 'RemoveClient', clientId: 'x' }, during).reason).toBe('client-unknown')
  })
  it('are removed once, also after the trial has ended', () => {
    const step = given(...trialing, a.clientAdded).when({ type: 'RemoveClient', clientId: a.clientId }, after)
    expect(step.events).toEqual([a.clientRemoved])
    expect(step.again()).toEqual([])
  })
})

describe('the time zone', () => {
  it('changes once', () => {
    const step = given(...trialing).when({ type: 'ChangeTimeZone', timeZone: 'Asia/Tokyo' }, during)
    expect(step.events).toEqual([{ type: 'TimeZoneChanged', data: { timeZone: 'Asia/Tokyo', from: 'Europe/Berlin' } }])
    expect(step.again()).toEqual([])
  })
})

describe('the trial', () => {
  it('expires when its seven days have passed', () => {
    const step = given(...trialing).when({ type: 'ExpireTrial' }, after)
    expect(step.events).toEqual([a.trialExpired])
    expect(step.again()).toEqual([])
  })
  it('does not expire early', () => {
    expect(given(...trialing).when({ type: 'ExpireTrial' }, during).reason).toBe('trial-still-runs')
  })
  it('does not expire once it was paid for', () => {
    expect(given(...active).when({ type: 'ExpireTrial' }, after).events).toEqual([])
  })
})

describe('the subscription', () => {
  const at = (second: number) => `2026-04-01T10:00:${String(second).padStart(2, '0')}.000Z`
  const news = (status: ProviderStatus, second = 30, changes: Partial<SubscriptionFacts> = {}): AgencyCommand => ({
    type: 'RecordSubscription',
    subscriptionId: 'sub_1',
    customerId: 'cus_1',
    status,
    currentPeriodEnd: '2026-04-02T10:00:00.000Z',
    endsWithPeriod: false,
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
    trialing: 'active', active: 'active', past_due: 'past_due', unpaid: 'unpaid', canceled: 'canceled',
  }

  for (const told of providerStatuses) {
    it.each(Object.entries(states))(`told to be ${told}, from %s`, (from, past) => {
      const step = given(...past).when(news(told), after)
      expect(step.state.status).toBe(told === 'incomplete' ? from : leadsTo[told])
      expect(step.again()).toEqual([])
    })
  }
  for (const first of providerStatuses) {
    it.each(providerStatuses)(`${first}, then %s: the other order of arrival ends the same`, (second) => {
      const [earlier, later] = [news(first, 1), news(second, 2)]
      const inOrder = given(...trialing).when(earlier, after)
      const ended = given(...trialing, ...inOrder.events).when(later, after).state
      const turned = given(...trialing).when(later, after)
      expect(given(...trialing, ...turned.events).when(earlier, after).state).toMatchObject({ status: ended.status })
    })
  }
  it('ends as the newest news says, in whatever order all of them arrive', () => {
    const told = fc.shuffledSubarray(providerStatuses.flatMap((status) => [status, status]).map((status, index) => ({ status, index })), { minLength: 2 })
    fc.assert(
      fc.property(told, (arrived) => {
        const play = (order: typeof arrived) =>
          order.reduce<readonly AgencyEvent[]>((past, { status, index }) => [...past, ...given(...past).when(news(status, index), after).events], trialing)
        const { status } = fold(play(arrived))
        expect(status).toBe(fold(play(arrived.toSorted((x, y) => x.index - y.index))).status)
      }),
    )
  })
  it('takes the later step of a life when two news are of one second', () => {
    const canceled = given(...trialing).when(news('canceled', 5), after).events
    expect(given(...trialing, ...canceled).when(news('active', 5), after).events).toEqual([])
    const activated = given(...trialing).when(news('active', 5), after).events
    expect(given(...trialing, ...activated).when(news('canceled', 5), after).state.status).toBe('canceled')
  })
  it('carries a new period, and a cancellation for its end, as new facts', () => {
    const told = given(...trialing).when(news('active', 1), after).events
    const next = given(...trialing, ...told).when(news('active', 2, { currentPeriodEnd: '2026-05-02T10:00:00.000Z' }), after)
    expect(next.events).toMatchObject([{ type: 'SubscriptionActivated', data: { currentPeriodEnd: '2026-05-02T10:00:00.000Z' } }])
    expect(given(...trialing, ...told).when(news('active', 2, { endsWithPeriod: true }), after).state).toMatchObject({ status: 'active', endsWithPeriod: true })
  })
  it('is not ended by the end of one that was replaced', () => {
    const told = given(...trialing).when(news('active', 1), after).events
    expect(given(...trialing, ...told).when(news('canceled', 9, { subscriptionId: 'sub_0' }), after).events).toEqual([])
  })
  it('begins anew after it was canceled', () => {
    expect(given(...active, a.canceled).when(news('active', 9, { subscriptionId: 'sub_2' }), after).state).toMatchObject({ status: 'active', subscriptionId: 'sub_2' })
  })
})

describe('the standing', () => {
  it.each([
    ['a running trial', trialing, a.now, 'good'],
    ['a trial that is over, noticed or not', trialing, a.trialEndsAt, 'trial-ended'],
    ['an expired trial', [...trialing, a.trialExpired], a.trialEndsAt, 'trial-ended'],
    ['a subscription', active, a.trialEndsAt, 'good'],
    ['a late payment', [...active, a.overdue], a.trialEndsAt, 'good'],
    ['an unpaid subscription', [...active, a.unpaid], a.trialEndsAt, 'unpaid'],
    ['a canceled subscription', [...active, a.canceled], a.trialEndsAt, 'canceled'],
  ])('of %s', (_, past, now, standing) => {
    expect(standingOf(fold(past), now)).toBe(standing)
  })
})

describe("a client's form", () => {
  it('needs a name only, and the colour has a default', () => {
    expect(clientProfileSchema.parse({ name: ' Blue Cup ' })).toMatchObject({ name: 'Blue Cup', brandColor: '#3b82f6', industry: null })
  })
  it.each([{ name: '  ' }, { name: 'x', brandColor: 'red' }, { name: 'x', logoUrl: 'javascript:alert(1)' }])('refuses %j', (form) => {
    expect(clientProfileSchema.safeParse(form).success).toBe(false)
  })
})
