import { describe, expect, it } from 'vitest'
import { specification } from '../test/specification.ts'
import type { ReviewLinkTerms } from './commands.ts'
import { reviewLinkDecider, type ReviewLinkContext } from './decider.ts'
import type { ReviewLinkEvent } from './events.ts'

const { given } = specification(reviewLinkDecider)
const now = '2026-03-02T10:00:00.000Z'
const context: ReviewLinkContext = {
  now,
  standing: 'good',
  clientExists: true,
  contactsExist: true,
  postsExist: true,
  open: 0,
  mails: true,
}
const terms: ReviewLinkTerms = {
  clientId: 'client-1',
  contacts: ['contact-1'],
  anyone: false,
  scope: { kind: 'pending' },
  may: ['approve', 'comment'],
  lock: 'none',
  expiresAt: '2026-04-02T10:00:00.000Z',
}
const issue = { type: 'IssueReviewLink', ...terms } as const
const issued: ReviewLinkEvent = {
  type: 'ReviewLinkIssued',
  data: { ...terms, contacts: ['contact-1'], may: ['approve', 'comment'] },
}
const revoked: ReviewLinkEvent = { type: 'ReviewLinkRevoked', data: {} }
const use = { type: 'RecordReviewLinkUse' } as const

describe('A review link', () => {
  it('is issued for a client, with its terms', () => {
    expect(given().when(issue, context).events).toEqual([issued])
    expect(given().when(issue, context).again()).toEqual([])
  })
  it.each<[string, Partial<ReviewLinkTerms>, Partial<ReviewLinkContext>, string]>([
    ['an end in 59 minutes', { expiresAt: '2026-03-02T10:59:00.000Z' }, {}, 'review-expiry-out-of-bounds'],
    ['an end in 91 days', { expiresAt: '2026-06-01T10:00:00.000Z' }, {}, 'review-expiry-out-of-bounds'],
    ['a client that is gone', {}, { clientExists: false }, 'client-unknown'],
    ["another client's contact", {}, { contactsExist: false }, 'contact-unknown'],
    ["another client's post", {}, { postsExist: false }, 'reviewed-post-unknown'],
    ['no reviewer', { contacts: [] }, {}, 'reviewers-missing'],
    ['codes for everyone', { anyone: true, lock: 'code' }, {}, 'code-for-contacts'],
    ['codes without a mail server', { lock: 'code' }, { mails: false }, 'no-mail-server'],
    ['the 201st open link', {}, { open: 200 }, 'review-link-limit-reached'],
    ['an agency whose trial is over', {}, { standing: 'trial-ended' }, 'subscription-needed'],
  ])('is refused for %s', (_, of, around, reason) => {
    expect(given().when({ ...issue, ...of }, { ...context, ...around }).reason).toBe(reason)
  })
  it('is refused with other terms under the same id', () => {
    expect(given(issued).when({ ...issue, anyone: true }, context).reason).toBe('id-taken')
  })
  it('records its use, at most once an hour', () => {
    const first = given(issued).when(use, context)
    expect(first.events).toEqual([{ type: 'ReviewLinkUsed', data: { usedAt: now } }])
    const soon = { ...context, now: '2026-03-02T10:59:59.000Z' }
    const later = { ...context, now: '2026-03-02T11:00:00.000Z' }
    expect(given(issued, ...first.events).when(use, soon).events).toEqual([])
    expect(given(issued, ...first.events).when(use, later).events).toHaveLength(1)
    expect(first.again()).toEqual([])
  })
  it('is revoked once, also after its end', () => {
    const after = { ...context, now: '2026-05-02T10:00:00.000Z' }
    expect(given(issued).when({ type: 'RevokeReviewLink' }, after).events).toEqual([revoked])
    expect(given(issued, revoked).when({ type: 'RevokeReviewLink' }, context).events).toEqual([])
    expect(given().when({ type: 'RevokeReviewLink' }, context).reason).toBe('link-unknown')
  })
  it('is not used when it is revoked, over or unknown', () => {
    expect(given(issued, revoked).when(use, context).reason).toBe('link-revoked')
    expect(given(issued).when(use, { ...context, now: terms.expiresAt }).reason).toBe('link-expired')
    expect(given().when(use, context).reason).toBe('link-unknown')
  })
})
