import { describe, expect, it } from 'vitest'
import { subscriptionSentence, type Agency } from '../../api/contract/index.ts'
import { blockedSentence } from './words.ts'
import { noticeOf, subscriptionSentence as ownSentence } from './subscription.ts'

const agency: Agency = {
  id: 'a',
  ownerId: 'o',
  name: 'North Star',
  email: 'hello@northstar.example',
  timeZone: 'Europe/Berlin',
  createdAt: '2026-03-02T10:00:00.000Z',
  subscriptionStatus: 'trialing',
  trialEndsAt: '2026-03-09T10:00:00.000Z',
  currentPeriodEnd: null,
  endsWithPeriod: false,
  stripeCustomerId: null,
  stripeSubscriptionId: null,
  standing: 'good',
  payments: true,
  doublePaid: false,
  heldPosts: 0,
  ownApproval: 'allowed',
  brand: { logoUrl: null, color: null },
  secondFactorSince: null,
  secondFactorDueAt: null,
  isSecondFactorOverdue: false,
  me: { memberId: 'm', role: 'owner', clients: 'all' },
}
const now = '2026-03-02T10:00:00.000Z'

it('A status that this version does not know counts as active', () => {
  const status = 'paused' as Agency['subscriptionStatus']
  expect(ownSentence({ ...agency, subscriptionStatus: status })).toBe('Active subscription')
})

it('A trial without an end is running', () => {
  expect(ownSentence({ ...agency, trialEndsAt: null })).toBe('Your free trial is running')
})

describe('a trial', () => {
  it.each([
    ['2026-03-02T10:00:00.000Z', undefined],
    ['2026-03-05T10:00:00.000Z', undefined],
    ['2026-03-06T10:00:00.000Z', 'Your trial ends in 3 days.'],
    ['2026-03-07T10:00:00.000Z', 'Your trial ends in 2 days.'],
    ['2026-03-08T10:00:00.000Z', 'Your trial ends tomorrow.'],
    // The day begins in the agency's zone.
    ['2026-03-08T22:59:00.000Z', 'Your trial ends tomorrow.'],
    ['2026-03-08T23:00:00.000Z', 'Your trial ends today.'],
  ])('at %s says: %s', (at, sentence) => {
    expect(noticeOf(agency, at)?.sentence).toBe(sentence)
  })
  it('ends at its exact instant, also in a tab that was opened before', () => {
    expect(noticeOf(agency, '2026-03-09T09:59:59.999Z')?.sentence).toBe('Your trial ends today.')
    expect(noticeOf(agency, '2026-03-09T10:00:00.000Z')).toMatchObject({
      tone: 'blocked',
      sentence: 'Your free trial has ended.',
      act: 'Add Payment Method',
    })
  })
  it('shows its notice again on the last day after it was dismissed', () => {
    const names = ['2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09'].map(
      (day) => noticeOf(agency, `${day}T09:00:00.000Z`)?.putAwayAs,
    )
    expect(new Set(names).size).toBe(2)
    expect(names[0]).toBe(names[1])
  })
})

describe('a notice of a blocked agency', () => {
  it.each([
    ['trial-ended', 'expired', 'Your free trial has ended.', 'Add Payment Method'],
    ['unpaid', 'unpaid', 'Your last payment failed.', 'Update Payment Method'],
    ['canceled', 'canceled', 'Your subscription has ended.', 'Subscribe Again'],
  ] as const)(
    'for %s can not be dismissed, and says what still works',
    (standing, subscriptionStatus, sentence, act) => {
      const notice = noticeOf({ ...agency, standing, subscriptionStatus, heldPosts: 3 }, now)
      expect(notice).toMatchObject({ tone: 'blocked', sentence, act, meaning: expect.stringContaining('still work') })
      expect(notice?.putAwayAs).toBeUndefined()
    },
  )
})

describe('a subscription', () => {
  const active = { ...agency, subscriptionStatus: 'active' } as const
  it('that is paid shows no notice', () => expect(noticeOf(active, now)).toBeNull())
  it('whose payment is late says that everything works', () => {
    expect(noticeOf({ ...active, subscriptionStatus: 'past_due' }, now)).toMatchObject({
      tone: 'warning',
      act: 'Check Your Card',
    })
  })
  it.each([
    [1, '1 post was on hold while the subscription was unpaid.', 'Release post'],
    [3, '3 posts were on hold while the subscription was unpaid.', 'Release posts'],
  ])('with %i held posts offers to release them', (heldPosts, sentence, act) => {
    expect(noticeOf({ ...active, heldPosts }, now)).toMatchObject({ sentence, act })
  })
})

it("the sentence for a blocked command equals the server's", () => {
  expect(blockedSentence).toEqual(subscriptionSentence)
})
