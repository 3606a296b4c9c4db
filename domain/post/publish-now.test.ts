import { describe, expect, it } from 'vitest'
import { specification } from '../test/specification.ts'
import { approvalHash } from './approval.ts'
import { postDecider } from './decider.ts'
import type { PostContext } from './rules.ts'
import * as a from './test/examples.ts'
import { pasts } from './test/examples.ts'

const { given } = specification(postDecider)
const now = { type: 'PublishPostNow' } as const
const account = { platform: 'facebook', remoteId: 'page-1', isConnected: true, pausedUntil: null } as const

describe('Publishing now', () => {
  it.each([
    ['a draft', pasts.draft, 'PostScheduled'],
    ['an approved post', pasts.approved, 'PostApproved'],
    ['a scheduled post', pasts.scheduled, 'PostScheduled'],
    ['a post that waits for a retry', pasts['turned down'], 'PostScheduled'],
  ] as const)('approves %s for this moment, and the publisher may claim it [P11.10]', (_, past, type) => {
    const { events, state } = given(...past).when(now, a.context)
    expect(events).toMatchObject([{ type, data: { scheduledFor: a.now } }])
    expect(state).toMatchObject({ delivery: 'none', retryAt: null })
    const claim = { type: 'ClaimPost', attemptId: 'attempt-9', until: a.tomorrow } as const
    expect(given(...past, ...events).when(claim, a.context).events).toMatchObject([{ type: 'PostClaimed' }])
  })
  it('binds the approval to the profile that is connected now', () => {
    const other: PostContext = { ...a.context, account: { ...account, remoteId: 'page-2' } }
    const { content } = a.write
    expect(given(...pasts.approved).when(now, other).events).toMatchObject([
      { data: { approvalHash: approvalHash({ content, imageUrl: null, image: null, remoteAccountId: 'page-2' }) } },
    ])
  })
  it.each([
    ['is being published', pasts.claimed, 'being-published'],
    ['has an unknown outcome', pasts.unknown, 'outcome-unknown'],
    ['waits for review', pasts.pending, 'wrong-state'],
    ['is on hold', pasts.held, 'wrong-state'],
    ['failed', pasts.failed, 'wrong-state'],
    ['is published', pasts.published, 'wrong-state'],
  ] as const)('is refused for a post that %s [P11.11]', (_, past, reason) => {
    expect(given(...past).when(now, a.context).refused).toMatchObject({ reason, ability: 'publish-now' })
  })
  it.each<[string, Partial<PostContext>, string]>([
    ['an account that is not connected', { account: { ...account, isConnected: false } }, 'not-connected'],
    ['an account that must wait', { account: { ...account, pausedUntil: a.tomorrow } }, 'account-paused'],
    ['an ended trial', { standing: 'trial-ended' }, 'subscription-needed'],
    ["the network's quota used up", { quota: { left: 0, until: a.tomorrow } }, 'quota-used-up'],
    ['a client that is gone', { clientOnRoster: false }, 'client-unknown'],
  ])('is refused with %s', (_, changes, reason) => {
    expect(given(...pasts.draft).when(now, { ...a.context, ...changes }).reason).toBe(reason)
  })
  it('appends nothing when it is repeated, also later: the post is due already [P11.12]', () => {
    const step = given(...pasts.draft).when(now, a.context)
    expect(step.again()).toEqual([])
    const later = { ...a.context, now: '2026-03-02T10:00:05.000Z' }
    expect(given(...pasts.draft, ...step.events).when(now, later).events).toEqual([])
  })
})
