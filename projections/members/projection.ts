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

const ended = (member: MemberView | null, { metadata }: Recorded): MemberView | null =>
  member && { ...member, isMember: false, endedAt: metadata.at }

export const membersProjection = projection<MemberEvent>()({
  name: 'members',
  version: 1,
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
      joinedAt: metadata.at,
      isMember: true,
      endedAt: null,
    }),
    MemberJoined: (_, { stream, data, metadata }, id) => ({
      id,
      agencyId: idOf(stream),
      ...data,
      joinedAt: metadata.at,
      isMember: true,
      endedAt: null,
    }),
    MemberRoleChanged: (member, { data: { role, clients } }) => member && { ...member, role, clients },
    MemberRemoved: ended,
    MemberLeft: ended,
    OwnershipTransferred: (member, { stream, data }, id) =>
      member && {
        ...member,
        role: id === keyOf(stream, data.memberId) ? ('owner' as const) : ('admin' as const),
        clients: 'all' as const,
      },
  },
})
