/** What the rules on an agency's people have in common: the facts that they ask for, rights and scopes. */
import { refuse, type Refused } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import type { ClientProfile } from './commands.ts'
import { isForAllClients, type ClientScope, type MemberRole } from './roles.ts'
import type { TeamCommand } from './team-commands.ts'
import type { TeamRefusal } from './team-refusals.ts'
import type { Member, Team, TeamEvent } from './team-state.ts'

/** What a decision knows from outside of the agency's stream; what is absent is false. */
export interface PeopleFacts {
  /** Whether the acting person owns another agency. */
  readonly ownsAnother?: boolean
  /** Whether the person concerned is a member of another agency, too. */
  readonly worksElsewhere?: boolean
  /** Whether the person concerned has a second factor. */
  readonly hasFactors?: boolean
  /** The account of the invited address. */
  readonly invitedUserId?: string | null
  /** The open invitations to the address of the invited, joining or leaving person: addresses are records. */
  readonly openOfAddress?: readonly string[]
}

export interface TeamContext extends PeopleFacts {
  readonly now: Instant
  /** The acting person; absent for a process. */
  readonly userId?: string | null
}

export type Decision = readonly TeamEvent[] | Refused<TeamRefusal>
export type Command<Type extends TeamCommand['type']> = Extract<TeamCommand, { type: Type }>

export interface Agency {
  readonly team: Team
  readonly clients: Readonly<Record<string, ClientProfile>>
}

export const tooLow = (acting: Member | null) => refuse({ reason: acting ? 'role-too-low' : 'not-a-member' } as const)

/** Each client once, in one order: the same scope is always the same list. */
export const canonical = (scope: ClientScope) => (scope === 'all' ? scope : [...new Set(scope)].toSorted())
export const isSameScope = (a: ClientScope, b: ClientScope) =>
  a === 'all' || b === 'all' ? a === b : a.join() === b.join()

export function refusedScope(
  clients: Agency['clients'],
  role: MemberRole,
  scope: ClientScope,
): Refused<TeamRefusal> | null {
  if (scope === 'all') return null
  if (isForAllClients(role)) return refuse({ reason: 'clients-for-role' })
  return scope.every((id) => Object.hasOwn(clients, id)) ? null : refuse({ reason: 'client-unknown' })
}
