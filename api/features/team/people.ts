/** The people of an agency as answers show them: by today's names, which are records. */
import {
  includesClient,
  isForAllClients,
  maxMembers,
  mayManage,
  mayResetFactors,
} from '../../../domain/agency/roles.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import type { Member } from '../../../domain/agency/team-state.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Team, TeamInvitation, TeamMember } from '../../contract/index.ts'
import type { Clock } from '../../core/clock.ts'
import type { Factors } from '../auth/factors.ts'
import { nameOf } from '../auth/names.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Users } from '../auth/users.ts'
import type { LetterBox } from '../mail/letter-record.ts'
import type { Invitations } from './invitations.ts'
import { worksElsewhere, type ElsewherePorts } from './works-elsewhere.ts'

export interface PeoplePorts extends ElsewherePorts {
  readonly views: Pick<Views, 'members'>
  readonly users: Users
  readonly sessions: Pick<Sessions, 'lastUseOf'>
  readonly factors: Pick<Factors, 'methodsOf'>
  readonly invitations: Invitations
  readonly letters: Pick<LetterBox, 'idOf' | 'statesOf'>
  readonly clock: Clock
  /** Whether this server sends mail. */
  readonly mails: boolean
}

export function people(ports: PeoplePorts) {
  const { views, users, sessions, factors, invitations, letters, clock, mails } = ports

  async function memberReply(agencyId: string, member: Member, me: Member, joinedAt: string): Promise<TeamMember> {
    const { id, userId, role, clients } = member
    const isMe = id === me.id
    const seesAll = isForAllClients(me.role)
    const [user, lastSeenAt, methods] = await Promise.all([
      users.get(userId),
      seesAll ? sessions.lastUseOf(userId, agencyId) : null,
      mayResetFactors(me.role, role) ? factors.methodsOf(userId) : [],
    ])
    const can: TeamMember['can'][number][] = []
    if (mayManage(me.role, role)) can.push('change')
    if (methods.length > 0 && !(await worksElsewhere(ports, userId, agencyId))) can.push('reset-factors')
    if (mayManage(me.role, role) && !isMe) can.push('remove')
    if (me.role === 'owner' && !isMe) can.push('offer-ownership')
    return {
      id,
      name: nameOf(user),
      email: seesAll || isMe ? (user?.email ?? null) : null,
      role,
      clients: clients === 'all' ? clients : clients.filter((clientId) => includesClient(me.clients, clientId)),
      joinedAt,
      lastSeenAt,
      isMe,
      can,
    }
  }

  async function joinedAt(agencyId: string): Promise<ReadonlyMap<string, string>> {
    const found = await views.members.all({ where: { agencyId, isMember: true } })
    return new Map(found.map((member) => [member.memberId, member.joinedAt]))
  }

  return {
    async member(agencyId: string, member: Member, me: Member): Promise<TeamMember> {
      return memberReply(agencyId, member, me, (await joinedAt(agencyId)).get(member.id) ?? clock.now())
    },

    async team(agencyId: string, { team }: Pick<Agency, 'team'>, me: Member): Promise<Team> {
      const joined = await joinedAt(agencyId)
      const members = Object.values(team.members).map((member) =>
        memberReply(agencyId, member, me, joined.get(member.id) ?? clock.now()),
      )
      const open = isForAllClients(me.role) ? Object.entries(team.invitations) : []
      const states = await letters.statesOf(open.map(([id]) => letters.idOf('invitation', [id])))
      const invited = open.map(async ([id, { role, clients, expiresAt, invitedBy }]): Promise<TeamInvitation> => {
        const inviter = team.members[invitedBy]
        const [record, user] = await Promise.all([invitations.get(id), inviter ? users.get(inviter.userId) : null])
        return {
          id,
          email: record?.email ?? '',
          role,
          clients: clients === 'all' ? clients : [...clients],
          expiresAt,
          isOver: expiresAt <= clock.now(),
          invitedBy: nameOf(user),
          letter: states.get(letters.idOf('invitation', [id])) ?? null,
        }
      })
      return {
        members: await Promise.all(members),
        invitations: await Promise.all(invited),
        ownApproval: team.ownApproval,
        ownershipOfferedTo: team.offeredTo,
        mails,
        maxMembers,
      }
    },
  }
}
