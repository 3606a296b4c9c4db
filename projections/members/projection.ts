import type { AgencyEvent } from '../../domain/agency/events.ts'
import type { Recorded } from '../../domain/core/event.ts'
import { idOf, projection } from '../core/projection.ts'
import { memberView, type MemberView } from './view.ts'

type MemberEvent = Extract<
  AgencyEvent,
  {
    type:
      | 'AgencyOpened'
      | 'MemberJoined'
      | 'MemberRoleChanged'
      | 'MemberRemoved'
      | 'MemberLeft'
      | 'OwnershipTransferred'
  }
>

const keyOf = (stream: string, memberId: string) => `${idOf(stream)}.${memberId}`

function keys({ stream, ...event }: Recorded<MemberEvent>): readonly string[] {
  switch (event.type) {
    case 'AgencyOpened':
      // The founder's member id is the user's.
      return [keyOf(stream, event.data.ownerId)]
    case 'OwnershipTransferred':
      return [keyOf(stream, event.data.memberId), keyOf(stream, event.data.fromMemberId)]
    default:
      return [keyOf(stream, event.data.memberId)]
  }
}

const maxRoles = 100

const withRole = (member: MemberView, role: MemberView['role'], from: string): MemberView => ({
  ...member,
  role,
  roles: [...member.roles.slice(1 - maxRoles), { from, role }],
})

const ended = (member: MemberView | null, { metadata }: Recorded): MemberView | null =>
  member && { ...member, isMember: false, endedAt: metadata.at }

export const membersProjection = projection<MemberEvent>()({
  name: 'members',
  version: 2,
  view: memberView,
  indexes: [
    ['agencyId', 'isMember'],
    ['userId', 'isMember'],
  ],
  keys,
  on: {
    AgencyOpened: (_, { stream, data: { ownerId }, metadata }, id) => ({
      id,
      memberId: ownerId,
      agencyId: idOf(stream),
      userId: ownerId,
      role: 'owner' as const,
      clients: 'all' as const,
      invitationId: null,
      roles: [{ from: metadata.at, role: 'owner' as const }],
      joinedAt: metadata.at,
      isMember: true,
      endedAt: null,
    }),
    MemberJoined: (_, { stream, data, metadata }, id) => ({
      id,
      agencyId: idOf(stream),
      ...data,
      roles: [{ from: metadata.at, role: data.role }],
      joinedAt: metadata.at,
      isMember: true,
      endedAt: null,
    }),
    MemberRoleChanged: (member, { data: { role, clients }, metadata }) =>
      member && { ...withRole(member, role, metadata.at), clients },
    MemberRemoved: ended,
    MemberLeft: ended,
    OwnershipTransferred: (member, { stream, data, metadata }, id) =>
      member && {
        ...withRole(member, id === keyOf(stream, data.memberId) ? 'owner' : 'admin', metadata.at),
        clients: 'all' as const,
      },
  },
})
