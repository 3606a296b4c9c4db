/**
 * Random people act on a team: no act gives a right that its actor lacks.
 *
 * @module-tag sampled
 */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { isRefused } from '../core/decider.ts'
import { actingUser, agencyKinds, clockAt } from '../test/arbitraries.ts'
import { sample, seedOr } from '../test/sample.ts'
import type { AgencyCommand } from './commands.ts'
import { agencyDecider } from './decider.ts'
import { isAtLeast, isForAllClients, maxMembers, maxOpenInvitations, memberRoles, type MemberRole } from './roles.ts'
import { memberOf, type Team } from './team-state.ts'

const kinds = [
  agencyKinds.AddClient,
  agencyKinds.RemoveClient,
  agencyKinds.InviteMember,
  agencyKinds.InviteMember,
  agencyKinds.JoinTeam,
  agencyKinds.JoinTeam,
  agencyKinds.ChangeMemberRole,
  agencyKinds.RemoveMember,
  agencyKinds.ResetMemberFactors,
  agencyKinds.LeaveTeam,
  agencyKinds.OfferOwnership,
  agencyKinds.AcceptOwnership,
  agencyKinds.SetOwnApproval,
  agencyKinds.SetSecondFactorPolicy,
] as readonly fc.Arbitrary<AgencyCommand>[]
const act = fc.record({
  command: fc.oneof(...kinds),
  by: actingUser,
  pick: fc.nat(40),
  wait: fc.integer({ min: 0, max: 200 }),
})

/** The command about a member or an invitation that exists by now, where there is one. */
function aimed(command: AgencyCommand, { members, invitations }: Team, by: string | null, pick: number): AgencyCommand {
  const oneOf = (ids: readonly string[], otherwise: string) => ids[pick % Math.max(1, ids.length)] ?? otherwise
  const own = Object.values(members).find(({ userId }) => userId === by)?.id ?? 'none'
  switch (command.type) {
    case 'InviteMember':
      return {
        ...command,
        invitationId: `invitation-${pick}`,
        expiresAt: clockAt(20_000),
        replaces: command.replaces === null ? null : (Object.keys(invitations)[pick % 7] ?? null),
      }
    case 'JoinTeam': {
      const invitationId = oneOf(Object.keys(invitations), 'none')
      return { ...command, invitationId, memberId: `member-${invitationId}` }
    }
    case 'ChangeMemberRole':
    case 'RemoveMember':
    case 'ResetMemberFactors':
      return { ...command, memberId: oneOf(Object.keys(members), 'none') }
    case 'OfferOwnership':
      return { ...command, memberId: command.memberId && oneOf(Object.keys(members), 'none') }
    case 'LeaveTeam':
    case 'AcceptOwnership':
      return { ...command, memberId: own }
    default:
      return command
  }
}

const rank = (role: MemberRole | undefined) => (role === undefined ? 0 : memberRoles.length - memberRoles.indexOf(role))
const roleOf = (team: Team, userId: string | null) => memberOf(team, userId)?.role

/** The people whose rights grew, and to which role. */
const raised = (before: Team, after: Team): readonly (readonly [string, MemberRole])[] =>
  Object.values(after.members).flatMap(({ userId, role }) =>
    rank(role) > rank(roleOf(before, userId)) ? [[userId, role] as const] : [],
  )

it('a team has one owner, and no member gains a right above the actor’s', () => {
  const seen = new Set<string>()
  const open = { type: 'OpenAgency', agencyId: 'a', ownerId: 'o', name: 'North Star', timeZone: 'UTC' } as const
  const opened = agencyDecider.decide(agencyDecider.initial, open, { now: clockAt(0) })
  if (isRefused(opened)) throw new Error('An agency opens')
  const begun = opened.reduce(agencyDecider.evolve, agencyDecider.initial)
  fc.assert(
    fc.property(fc.array(act, { maxLength: 80, size: 'max' }), (acts) => {
      let agency = begun
      let minutes = 0
      for (const { command: drawn, by: someone, pick, wait } of acts) {
        minutes += wait
        const before = agency.team
        const offered = before.members[before.offeredTo ?? '']
        const by = (drawn.type === 'AcceptOwnership' && offered?.userId) || someone
        const command = aimed(drawn, before, by, pick)
        const decision = agencyDecider.decide(agency, command, { now: clockAt(minutes), userId: by, hasFactors: true })
        if (isRefused(decision)) continue
        agency = decision.reduce(agencyDecider.evolve, agency)
        const { team } = agency
        if (decision.length > 0) seen.add(command.type)
        const members = Object.values(team.members)
        expect(members.filter(({ role }) => role === 'owner').map(({ userId }) => userId)).toEqual([agency.ownerId])
        expect(new Set(members.map(({ userId }) => userId)).size).toBe(members.length)
        expect(members.length).toBeLessThanOrEqual(maxMembers)
        expect(Object.keys(team.invitations).length).toBeLessThanOrEqual(maxOpenInvitations)
        for (const { role, clients } of members) {
          if (isForAllClients(role)) expect(clients).toBe('all')
          if (clients !== 'all') expect(clients.every((id) => id in agency.clients)).toBe(true)
        }
        const actor = roleOf(before, by)
        for (const [userId, role] of raised(before, team)) {
          if (command.type === 'JoinTeam') expect(role).toBe(before.invitations[command.invitationId]?.role)
          else if (command.type === 'AcceptOwnership')
            expect([userId, before.offeredTo]).toEqual([by, command.memberId])
          else expect(actor && isAtLeast(actor, role)).toBe(true)
        }
        if (command.type === 'SetSecondFactorPolicy' && decision.length > 0) expect(actor).toBe('owner')
        if (command.type === 'ResetMemberFactors' && decision.length > 0)
          expect(rank(actor)).toBeGreaterThan(rank(before.members[command.memberId]?.role))
        if (command.type === 'InviteMember' && decision.length > 0)
          expect(actor && isAtLeast(actor, command.role) && isAtLeast(actor, 'admin')).toBe(true)
      }
    }),
    { seed: seedOr(7), numRuns: sample('PROPERTY_RUNS', { test: 60, long: 600 }) },
  )
  expect([...seen].sort()).toEqual([...new Set(typesOf)].sort())
})

const typesOf = [
  'AddClient',
  'RemoveClient',
  'InviteMember',
  'JoinTeam',
  'ChangeMemberRole',
  'RemoveMember',
  'ResetMemberFactors',
  'LeaveTeam',
  'OfferOwnership',
  'AcceptOwnership',
  'SetOwnApproval',
  'SetSecondFactorPolicy',
]
