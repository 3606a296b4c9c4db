import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/agency/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { agencyProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(agencyProjection, () => stores.store)

const stream = `agency-${a.agencyId}`
const trialing = [a.opened, a.trialStarted]

describe('The agency view', () => {
  it('shows a new agency on trial', async () => {
    expect(await given(...on(stream, ...trialing)).shows()).toEqual([
      {
        id: a.agencyId,
        ownerId: a.ownerId,
        name: 'North Star',
        timeZone: 'Europe/Berlin',
        subscriptionStatus: 'trialing',
        trialEndsAt: a.trialEndsAt,
        currentPeriodEnd: null,
        endsWithPeriod: false,
        stripeCustomerId: null,
        stripeSubscriptionId: null,
        subscriptions: [],
        ownApproval: 'allowed',
        secondFactorSince: null,
        createdAt: a.now,
      },
    ])
  })
  it.each([
    ['expired', [...trialing, a.trialExpired]],
    ['active', [...trialing, a.trialExpired, a.activated]],
    ['past_due', [...trialing, a.activated, a.overdue]],
    ['unpaid', [...trialing, a.activated, a.overdue, a.unpaid]],
    ['canceled', [...trialing, a.activated, a.canceled]],
    ['active', [...trialing, a.activated, a.canceled, a.activated]],
  ] as const)('shows the agency as %s (%#)', async (subscriptionStatus, past) => {
    expect(await given(...on(stream, ...past)).shows()).toMatchObject([{ subscriptionStatus }])
  })
  it("stores the payment provider's subscription data [3.6]", async () => {
    expect(await given(...on(stream, ...trialing, a.activated)).shows()).toMatchObject([
      {
        stripeCustomerId: 'cus_1',
        stripeSubscriptionId: 'sub_1',
        currentPeriodEnd: '2026-04-02T10:00:00.000Z',
        trialEndsAt: a.trialEndsAt,
      },
    ])
  })
  it('shows the latest subscription, even if an event of an earlier one arrives after it', async () => {
    const begun = (id: string, begunAt: string) => ({
      type: 'SubscriptionActivated',
      data: { ...a.activated.data, subscriptionId: id, begunAt },
    })
    const past = [
      ...trialing,
      begun('sub_2', '2026-03-03T10:00:00.000Z'),
      begun('sub_1', '2026-03-02T10:00:00.000Z'),
      { type: 'SubscriptionCanceled', data: { subscriptionId: 'sub_1' } },
    ]
    expect(await given(...on(stream, ...past)).shows()).toMatchObject([
      { subscriptionStatus: 'active', stripeSubscriptionId: 'sub_2' },
    ])
  })
  it('shows the time zone that was set last', async () => {
    const moved = { type: 'TimeZoneChanged', data: { timeZone: 'Asia/Tokyo', from: 'Europe/Berlin' } }
    expect(await given(...on(stream, ...trialing, moved)).shows()).toMatchObject([{ timeZone: 'Asia/Tokyo' }])
  })
})
