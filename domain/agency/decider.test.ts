import { describe, expect, it } from 'vitest'
import { specification } from '../test/specification.ts'
import { clientProfileSchema, type AgencyCommand } from './commands.ts'
import { agencyDecider } from './decider.ts'
import type { AgencyEvent } from './events.ts'
import * as a from './test/examples.ts'
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
  it('is possible once per owner, for ever', () => {
    expect(given(...trialing).when(a.open, during).reason).toBe('agency-exists')
  })
  it('is required before any other command', () => {
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
  it('are added only once', () => {
    expect(
      given(...trialing)
        .when(add(a.clientId), during)
        .again(),
    ).toEqual([])
  })
  it('are limited to ten [9.4]', () => {
    expect(given(...trialing, ...ten).when(add('eleventh'), during).refused).toEqual({
      reason: 'client-limit-reached',
      limit: 10,
    })
  })
  it('can be added again after one is removed', () => {
    const removed: AgencyEvent = { type: 'ClientRemoved', data: { clientId: 'client-3', name: 'Blue Cup' } }
    expect(given(...trialing, ...ten, removed).when(add('eleventh'), during).events).toHaveLength(1)
  })
  it('are never added again under the same id', () => {
    expect(given(...trialing, a.clientAdded, a.clientRemoved).when(add(a.clientId), during).reason).toBe(
      'made-and-deleted',
    )
  })
  it('are not added after the trial has ended', () => {
    expect(given(...trialing).when(add(a.clientId), after).refused).toEqual({
      reason: 'subscription-needed',
      standing: 'trial-ended',
    })
  })
  it('are revised field by field, and absent fields stay unchanged', () => {
    const revise: AgencyCommand = {
      type: 'ReviseClientProfile',
      clientId: a.clientId,
      changes: { toneOfVoice: 'bold', industry: '' },
    }
    const step = given(...trialing, a.clientAdded).when(revise, during)
    expect(step.events).toEqual([
      {
        type: 'ClientProfileRevised',
        data: { clientId: a.clientId, profile: { ...a.profile, toneOfVoice: 'bold', industry: null } },
      },
    ])
    expect(step.again()).toEqual([])
  })
  it('that are unknown can not be revised or removed', () => {
    expect(given(...trialing).when({ type: 'ReviseClientProfile', clientId: 'x', changes: {} }, during).reason).toBe(
      'client-unknown',
    )
    expect(given(...trialing).when({ type: 'RemoveClient', clientId: 'x' }, during).reason).toBe('client-unknown')
  })
  it('are removed only once, even after the trial has ended', () => {
    const step = given(...trialing, a.clientAdded).when({ type: 'RemoveClient', clientId: a.clientId }, after)
    expect(step.events).toEqual([a.clientRemoved])
    expect(step.again()).toEqual([])
  })
})

describe('the time zone', () => {
  it('changes only once', () => {
    const step = given(...trialing).when({ type: 'ChangeTimeZone', timeZone: 'Asia/Tokyo' }, during)
    expect(step.events).toEqual([{ type: 'TimeZoneChanged', data: { timeZone: 'Asia/Tokyo', from: 'Europe/Berlin' } }])
    expect(step.again()).toEqual([])
  })
})

describe('the trial', () => {
  it('expires when its seven days have passed [9.2]', () => {
    const step = given(...trialing).when({ type: 'ExpireTrial' }, after)
    expect(step.events).toEqual([a.trialExpired])
    expect(step.again()).toEqual([])
  })
  it('does not expire early', () => {
    expect(given(...trialing).when({ type: 'ExpireTrial' }, during).reason).toBe('trial-still-runs')
  })
  it('does not expire once the agency has paid', () => {
    expect(given(...active).when({ type: 'ExpireTrial' }, after).events).toEqual([])
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
  it('requires only a name, and has a default color', () => {
    expect(clientProfileSchema.parse({ name: ' Blue Cup ' })).toMatchObject({
      name: 'Blue Cup',
      brandColor: '#3b82f6',
      industry: null,
    })
  })
  it.each([{ name: '  ' }, { name: 'x', brandColor: 'red' }, { name: 'x', logoUrl: 'javascript:alert(1)' }])(
    'refuses %j',
    (form) => {
      expect(clientProfileSchema.safeParse(form).success).toBe(false)
    },
  )
})
