/** The members who approve a client's posts: at most as many as an agency has. */
import type { Approver } from '../core/approval-round.ts'
import { includesClient } from './roles.ts'
import type { Agency } from './state.ts'

export const approversIn = ({ team }: Pick<Agency, 'team'>, clientId: string): Approver[] =>
  Object.values(team.members).flatMap(({ id, userId, role, clients }) =>
    role !== 'writer' && role !== 'viewer' && includesClient(clients, clientId) ? [{ memberId: id, userId, role }] : [],
  )
