import { secondFactorDueAt } from './second-factor.ts'
import { describe, expect, it } from 'vitest'
import { specification } from '../test/specification.ts'
import { agencyDecider } from './decider.ts'
import type { AgencyEvent } from './events.ts'
import { maxMembers, maxOpenInvitations } from './roles.ts'
import type { TeamCommand } from './team-commands.ts'
import { memberOf } from './team-state.ts'
import * as a from './test/examples.ts'

const { given, fold } = specification(agencyDecider)
const start = [a.opened, a.trialStarted, a.clientAdded]
const as = (memberId: string, now = a.now) => ({
  now,
  userId: memberId === a.ownerId ? a.ownerId : a.userOf(memberId),
})
const owner = as(a.ownerId)

const invite = (over: Partial<Extract<TeamCommand, { type: 'InviteMember' }>> = {}) =>
  ({
    type: 'InviteMember',
    invitationId: a.invitationOf('ben'),
    role: 'writer',
    clients: [a.clientId],
    expiresAt: a.invitationEnds,
    replaces: null,
    ...over,
  }) as const
const withdrawn = (memberId: string, because: string) => ({
  type: 'InvitationWithdrawn',
  data: { invitationId: a.invitationOf(memberId), because },
})

describe('the owner', () => {
  it('is a member from the opening on, in older logs too', () => {
    expect(memberOf(fold([a.opened]).team, a.ownerId)).toEqual({
      id: a.ownerId,
      userId: a.ownerId,
      role: 'owner',
      clients: 'all',
      invitationId: null,
      joinedAt: null,
    })
  })
  it('cannot leave, be removed or be lowered', () => {
    const past = given(...start, ...a.withMember('ada', 'admin'))
    expect(past.when({ type: 'LeaveTeam', memberId: a.ownerId }, owner).reason).toBe('owner-stays')
    const byAdmin = as('ada')
    expect(past.when({ type: 'RemoveMember', memberId: a.ownerId, links: 'kept' }, byAdmin).reason).toBe('owner-stays')
    const lower = { type: 'ChangeMemberRole', memberId: a.ownerId, role: 'viewer', clients: 'all' } as const
    expect(past.when(lower, byAdmin).reason).toBe('owner-stays')
  })
})

describe('an invitation', () => {
  it('names a role and clients, and no address', () => {
    const outcome = given(...start).when(invite(), owner)
    expect(outcome.events).toEqual([a.invited('ben', 'writer', [a.clientId])])
    expect(outcome.again()).toEqual([])
  })
  it('is refused to a manager, and to a person outside of the agency', () => {
    const past = given(...start, ...a.withMember('max', 'manager'))
    expect(past.when(invite(), as('max')).reason).toBe('role-too-low')
    expect(past.when(invite(), as('stranger')).reason).toBe('not-a-member')
  })
  it('is refused for an unknown client, for some clients only as an admin, and in bad standing', () => {
    expect(given(...start).when(invite({ clients: ['other'] }), owner).reason).toBe('client-unknown')
    expect(given(...start).when(invite({ role: 'admin' }), owner).reason).toBe('clients-for-role')
    expect(given(...start).when(invite(), as(a.ownerId, a.trialEndsAt)).reason).toBe('subscription-needed')
  })
  it('takes the place of an earlier one', () => {
    const past = given(...start, a.invited('ben', 'viewer'))
    const newer = { invitationId: 'newer', replaces: a.invitationOf('ben') }
    const outcome = past.when(invite(newer), owner)
    expect(outcome.events.map(({ type }) => type)).toEqual(['InvitationWithdrawn', 'MemberInvited'])
    expect(outcome.events[0]).toEqual(withdrawn('ben', 'replaced'))
    expect(outcome.again()).toEqual([])
  })
  it('takes the place of each open one to the same address, and of none that is over', () => {
    const past = given(...start, a.invited('ben', 'viewer'), a.invited('bob', 'viewer'))
    const newer = invite({ invitationId: 'newer', replaces: a.invitationOf('ben') })
    const outcome = past.when(newer, { ...owner, openOfAddress: ['ben', 'bob'].map(a.invitationOf) })
    expect(Object.keys(outcome.state.team.invitations)).toEqual(['newer'])
    const gone = given(...start, a.invited('ben', 'viewer'), ...past.when(newer, owner).events.slice(0, 1))
    expect(gone.when(newer, owner).reason).toBe('invitation-over')
    expect(given(...start, ...a.withMember('ben', 'writer')).when(newer, owner).reason).toBe('invitation-accepted')
    expect(given(...start).when(newer, owner).reason).toBe('invitation-unknown')
  })
  it('is refused to a member', () => {
    const past = given(...start, ...a.withMember('max', 'manager'))
    expect(past.when(invite(), { ...owner, invitedUserId: a.userOf('max') }).reason).toBe('member-already')
  })
  it('is one of twenty an hour, whatever became of the others; a wrong clock blocks none', () => {
    const ended = Array.from({ length: 20 }, (_, n) => [a.invited(`${n}`, 'viewer'), withdrawn(`${n}`, 'asked')])
    const past = given(...start, a.activated, ...(ended.flat() as AgencyEvent[]))
    const at = (ms: number) => as(a.ownerId, new Date(Date.parse(a.now) + ms).toISOString())
    const often = { reason: 'invited-often', limit: 20 }
    expect(past.when(invite(), owner).refused).toEqual({ ...often, waitMs: 3_600_000 })
    expect(past.when(invite(), at(3_599_000)).refused).toEqual({ ...often, waitMs: 1_000 })
    expect(past.when(invite(), at(3_600_000)).events).toHaveLength(1)
    expect(past.when(invite(), at(-300_000)).events).toHaveLength(1)
    const fewer = given(...start, a.activated, ...(ended.flat().slice(2) as AgencyEvent[]))
    expect(fewer.when(invite(), owner).events).toHaveLength(1)
  })
  it('leaves room for others once it is over', () => {
    const many = Array.from({ length: maxOpenInvitations }, (_, index) => a.invited(`${index}`, 'viewer'))
    const past = given(...start, a.activated, ...many)
    expect(past.when(invite(), owner).refused).toEqual({ reason: 'invitation-limit-reached', limit: 50 })
    const later = past.when(invite(), as(a.ownerId, a.invitationEnds))
    expect(later.events).toHaveLength(maxOpenInvitations + 1)
    expect(Object.keys(later.state.team.invitations)).toEqual([a.invitationOf('ben')])
  })
  it('is withdrawn once, and never after it was accepted', () => {
    const withdraw = { type: 'WithdrawInvitation', invitationId: a.invitationOf('ben') } as const
    const outcome = given(...start, a.invited('ben', 'writer')).when(withdraw, owner)
    expect(outcome.events).toEqual([withdrawn('ben', 'asked')])
    expect(outcome.again()).toEqual([])
    expect(given(...start, ...a.withMember('ben', 'writer')).when(withdraw, owner).reason).toBe('invitation-accepted')
    expect(given(...start).when(withdraw, owner).reason).toBe('invitation-unknown')
  })
})

describe('joining', () => {
  const join = { type: 'JoinTeam', invitationId: a.invitationOf('ben'), memberId: 'ben' } as const

  it('gives the role and the clients of the invitation', () => {
    const outcome = given(...start, a.invited('ben', 'writer', [a.clientId])).when(join, as('ben'))
    const joined = a.joined('ben', 'writer', [a.clientId])
    const joinedAt = as('ben').now
    expect(outcome.events).toEqual([{ ...joined, data: { ...joined.data, joinedAt } }])
    expect(outcome.again()).toEqual([])
  })
  it('ends the other invitations of the person', () => {
    const openOfAddress = ['ben', 'bob', 'gone'].map(a.invitationOf)
    const past = given(...start, a.invited('ben', 'writer'), a.invited('bob', 'viewer'))
    const outcome = past.when(join, { ...as('ben'), openOfAddress })
    expect(outcome.events.slice(1)).toEqual([withdrawn('bob', 'person-joined')])
  })
  it('is refused once the invitation is over, withdrawn or used by another person', () => {
    const open = given(...start, a.invited('ben', 'writer'))
    expect(open.when(join, as('ben', a.invitationEnds)).reason).toBe('invitation-over')
    expect(given(...start, ...a.withMember('ben', 'writer')).when(join, as('eve')).reason).toBe('invitation-over')
    expect(given(...start).when(join, as('ben')).reason).toBe('invitation-unknown')
    expect(open.when(join, owner).reason).toBe('member-already')
  })
  it('is refused beyond fifty members', () => {
    const many = Array.from({ length: maxMembers - 1 }, (_, index) => a.withMember(`${index}`, 'viewer')).flat()
    const past = given(...start, ...many, a.invited('ben', 'writer'))
    expect(past.when(join, as('ben')).refused).toEqual({ reason: 'member-limit-reached', limit: 50 })
  })
})

describe('a role', () => {
  const change = { type: 'ChangeMemberRole', memberId: 'max', role: 'viewer', clients: [a.clientId] } as const
  const past = given(...start, ...a.withMember('ada', 'admin'), ...a.withMember('max', 'manager'))

  it('is changed with the clients', () => {
    const outcome = past.when(change, as('ada'))
    expect(outcome.events).toEqual([
      {
        type: 'MemberRoleChanged',
        data: { memberId: 'max', userId: a.userOf('max'), role: 'viewer', clients: [a.clientId] },
      },
    ])
    expect(outcome.again()).toEqual([])
  })
  it('is not changed by a manager, not even their own', () => {
    expect(past.when({ ...change, role: 'admin', clients: 'all' }, as('max')).reason).toBe('role-too-low')
  })
  it('that is lowered ends the invitations that it no longer allows', () => {
    const open = given(...start, ...a.withMember('ada', 'admin'), a.invited('ben', 'writer', 'all', 'ada'))
    const outcome = open.when({ ...change, memberId: 'ada' }, owner)
    expect(outcome.events[1]).toEqual(withdrawn('ben', 'inviter-lowered'))
  })
  it('of one client ends up with none when the client is removed', () => {
    const { team } = fold([...start, ...a.withMember('max', 'manager', [a.clientId]), a.clientRemoved])
    expect(memberOf(team, a.userOf('max'))).toMatchObject({ role: 'manager', clients: [] })
  })
})

describe('removal', () => {
  const remove = { type: 'RemoveMember', memberId: 'ada', links: 'revoked' } as const

  it('ends the membership and its open invitations, in bad standing too', () => {
    const past = given(...start, ...a.withMember('ada', 'admin'), a.invited('ben', 'writer', 'all', 'ada'))
    const outcome = past.when(remove, as(a.ownerId, a.trialEndsAt))
    expect(outcome.events).toEqual([
      { type: 'MemberRemoved', data: { memberId: 'ada', userId: a.userOf('ada'), links: 'revoked' } },
      withdrawn('ben', 'inviter-left'),
    ])
    expect(outcome.again()).toEqual([])
  })
  it('ends the open invitations to the person, and so does leaving', () => {
    const past = given(...start, ...a.withMember('ada', 'admin'), a.invited('ben', 'writer'))
    const openOfAddress = ['ben', 'gone'].map(a.invitationOf)
    const ended = [withdrawn('ben', 'person-left')]
    expect(past.when(remove, { ...owner, openOfAddress }).events.slice(1)).toEqual(ended)
    const leave = { type: 'LeaveTeam', memberId: 'ada' } as const
    expect(past.when(leave, { ...as('ada'), openOfAddress }).events.slice(1)).toEqual(ended)
  })
  it('of an admin is allowed to admins, and to no member below', () => {
    const past = given(...start, ...a.withMember('ada', 'admin'), ...a.withMember('bob', 'admin'))
    expect(past.when(remove, as('bob')).events).toHaveLength(1)
    expect(past.when(remove, as('ada')).reason).toBe('leave-instead')
    const lower = given(...start, ...a.withMember('ada', 'writer'), ...a.withMember('max', 'manager'))
    expect(lower.when(remove, as('max')).reason).toBe('role-too-low')
  })
  it('is no bar to a later invitation', () => {
    const gone: AgencyEvent = { type: 'MemberLeft', data: { memberId: 'ada', userId: a.userOf('ada') } }
    const past = given(...start, ...a.withMember('ada', 'admin'), gone, a.invited('again', 'viewer'))
    const join = { type: 'JoinTeam', invitationId: a.invitationOf('again'), memberId: 'again' } as const
    expect(past.when(join, as('ada')).events).toHaveLength(1)
  })
})

describe('second factors', () => {
  const past = given(
    ...start,
    ...['ada', 'bob'].flatMap((each) => a.withMember(each, 'admin')),
    ...a.withMember('max', 'manager'),
  )
  const having = (memberId: string) => ({ ...as(memberId), hasFactors: true })
  const reset = (memberId: string) => ({ type: 'ResetMemberFactors', memberId, resetId: 'r1' }) as const

  it('of a member are reset by an admin above', () => {
    const outcome = past.when(reset('max'), having('ada'))
    expect(outcome.events).toEqual([
      { type: 'MemberFactorsReset', data: { memberId: 'max', userId: a.userOf('max'), resetId: 'r1' } },
    ])
    expect(outcome.again()).toEqual([])
    expect(past.when(reset('ada'), having(a.ownerId)).events).toHaveLength(1)
  })
  it('are not reset by an equal, by oneself, from below, for a person outside or without any', () => {
    expect(past.when(reset('bob'), as('ada')).reason).toBe('not-below')
    expect(past.when(reset('ada'), as('ada')).reason).toBe('own-factors')
    expect(past.when(reset(a.ownerId), as('ada')).reason).toBe('not-below')
    expect(past.when(reset('bob'), as('max')).reason).toBe('not-below')
    expect(past.when(reset('max'), as('ada')).reason).toBe('no-factors')
    expect(past.when(reset('eve'), as('ada')).reason).toBe('member-unknown')
    expect(past.when(reset('max'), as('eve')).reason).toBe('not-a-member')
  })
  it('of a person of two agencies are reset by neither [S181]', () => {
    expect(past.when(reset('max'), { ...having('ada'), worksElsewhere: true }).reason).toBe('works-elsewhere')
  })
})

describe('ownership', () => {
  const offered: AgencyEvent = { type: 'OwnershipOffered', data: { memberId: 'ada' } }
  const past = given(...start, ...a.withMember('ada', 'admin'), offered)
  const accept = { type: 'AcceptOwnership', memberId: 'ada' } as const

  it('moves when the member accepts; the former owner becomes an admin', () => {
    const outcome = past.when(accept, as('ada'))
    expect(outcome.events).toHaveLength(1)
    expect(outcome.state.ownerId).toBe(a.userOf('ada'))
    expect(memberOf(outcome.state.team, a.ownerId)).toMatchObject({ role: 'admin', clients: 'all' })
    expect(memberOf(outcome.state.team, a.userOf('ada'))).toMatchObject({ role: 'owner' })
    expect(outcome.again()).toEqual([])
  })
  it('is accepted by no other member, by no owner of another agency, and not without an offer', () => {
    expect(past.when(accept, owner).reason).toBe('member-unknown')
    expect(past.when(accept, { ...as('ada'), ownsAnother: true }).reason).toBe('owns-another-agency')
    const none = given(...start, ...a.withMember('ada', 'admin'))
    expect(none.when(accept, as('ada')).reason).toBe('ownership-not-offered')
  })
  it('is offered by the owner alone; the member may decline', () => {
    const both = given(...start, ...a.withMember('ada', 'admin'), ...a.withMember('bob', 'admin'))
    expect(both.when({ type: 'OfferOwnership', memberId: 'ada' }, as('bob')).reason).toBe('role-too-low')
    expect(both.when({ type: 'OfferOwnership', memberId: 'ada' }, owner).events).toEqual([offered])
    expect(past.when({ type: 'OfferOwnership', memberId: null }, as('ada')).state.team.offeredTo).toBeNull()
  })
})

describe('a second factor', () => {
  const set = { type: 'SetSecondFactorPolicy', isRequired: true } as const

  it('is required by the owner alone, and no longer once the owner lifts that', () => {
    const past = given(...start, ...a.withMember('max', 'admin'))
    expect(past.when(set, as('max')).reason).toBe('role-too-low')
    expect(past.when({ ...set, isRequired: false }, as('max')).events).toEqual([])
    const outcome = past.when(set, owner)
    expect(outcome.events).toEqual([{ type: 'SecondFactorRequired', data: { since: owner.now } }])
    expect(outcome.again()).toEqual([])
    const lifted = given(...start, ...outcome.events).when({ ...set, isRequired: false }, owner)
    expect(lifted.events).toEqual([{ type: 'SecondFactorRequirementLifted', data: {} }])
    expect(lifted.state.team.secondFactorSince).toBeNull()
  })

  it('is due seven days after the requirement or, if that was later, after joining', () => {
    const { team } = given(...start, ...a.withMember('max', 'writer')).when(set, {
      ...owner,
      now: '2026-03-03T10:00:00.000Z',
    }).state
    const max = memberOf(team, as('max').userId)
    if (!max) throw new Error('No member')
    expect(secondFactorDueAt(team, max)).toBe('2026-03-10T10:00:00.000Z')
    expect(secondFactorDueAt(team, { ...max, joinedAt: '2026-03-01T10:00:00.000Z' })).toBe('2026-03-10T10:00:00.000Z')
    expect(secondFactorDueAt(team, { ...max, joinedAt: '2026-03-05T10:00:00.000Z' })).toBe('2026-03-12T10:00:00.000Z')
    expect(secondFactorDueAt({ ...team, secondFactorSince: null }, max)).toBeNull()
  })
})

describe('approving own posts', () => {
  it('is a setting of owner and admins, allowed by default', () => {
    const set = { type: 'SetOwnApproval', ownApproval: 'refused' } as const
    const past = given(...start, ...a.withMember('max', 'manager'))
    const outcome = past.when(set, owner)
    expect(outcome.state.team.ownApproval).toBe('refused')
    expect(outcome.again()).toEqual([])
    expect(past.when(set, as('max')).reason).toBe('role-too-low')
    expect(past.when({ ...set, ownApproval: 'allowed' }, as('max')).events).toEqual([])
  })
})
