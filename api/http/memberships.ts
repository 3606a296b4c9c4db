/** Which agency a session works in, and as which member. Checked on every request. */
import type { Agency } from '../../domain/agency/state.ts'
import { memberOf, type Member } from '../../domain/agency/team-state.ts'
import { agencyIdOf } from '../core/agency-id.ts'
import type { Commands } from '../core/commands.ts'
import { Problem } from './problem.ts'
import type { Session, SessionFinder } from './session.ts'

export interface Membership {
  readonly agencyId: string
  readonly me: Member
  readonly agency: Agency
}

/** An agency of a user, from a view: whether it still is, the agency itself says. */
export interface MembershipOf {
  readonly agencyId: string
  readonly role: Member['role']
  readonly joinedAt: string
}

export interface MembershipPorts {
  readonly commands: Pick<Commands, 'recentAgency' | 'knownAgency' | 'recallAgency'>
  readonly sessions: Pick<SessionFinder, 'choose'>
  /** The user's agencies. */
  readonly agenciesOf: (userId: string) => Promise<readonly MembershipOf[]>
}

type Load = (agencyId: string) => Promise<Agency>

export class Memberships {
  constructor(private readonly ports: MembershipPorts) {}

  /**
   * The session's membership; null for a user without an agency. A session that names no agency works in the user's own
   * one, or in the one that the user joined.
   * @param load instead of the agency as it was a moment ago
   * @throws Problem 403 while the user is no longer a member of the session's agency: no request may show another
   * agency on a page that was opened for that one
   */
  async of(session: Session, load: Load = this.#recent(session.userId)): Promise<Membership | null> {
    const { userId, agencyId } = session
    if (agencyId !== null) {
      const chosen = await membershipIn(agencyId, userId, load)
      if (chosen) return chosen
      const { name } = await load(agencyId)
      throw noLongerMember(name)
    }
    const own = await membershipIn(agencyIdOf(userId), userId, load)
    if (own) return own
    for (const each of inOrder(await this.ports.agenciesOf(userId))) {
      const found = await membershipIn(each.agencyId, userId, load)
      if (!found) continue
      await this.ports.sessions.choose(session.id, each.agencyId)
      return found
    }
    return null
  }

  /** The same without waiting, for nearly every read; null where more has to be looked up. */
  known({ userId, agencyId: chosen }: Session): Membership | null {
    const agencyId = chosen ?? agencyIdOf(userId)
    const agency = this.ports.commands.knownAgency(agencyId)
    const me = agency && memberOf(agency.team, userId)
    return me && { agencyId, me, agency }
  }

  /**
   * For the request that begins a page: it says once that the membership ended, and the session then goes on without
   * that agency. @throws Problem 403
   */
  async ofNewPage(session: Session): Promise<Membership | null> {
    try {
      return await this.of(session)
    } catch (error) {
      if (error instanceof Problem && error.type === endedType) await this.ports.sessions.choose(session.id, null)
      throw error
    }
  }

  /** By the log, for what outlives a request: null for a person who is no member any more. */
  async inAgency(agencyId: string, userId: string): Promise<Membership | null> {
    return membershipIn(agencyId, userId, this.#recent(userId))
  }

  /** The same, the member alone. */
  async member(agencyId: string, userId: string): Promise<Member | null> {
    return (await this.inAgency(agencyId, userId))?.me ?? null
  }

  /** A membership may be a moment old. That there is none is read anew: the person may have joined just now. */
  #recent(userId: string): Load {
    const { recentAgency, recallAgency } = this.ports.commands
    return async (agencyId) => {
      const recent = await recentAgency(agencyId)
      return memberOf(recent.team, userId) ? recent : recallAgency(agencyId)
    }
  }
}

async function membershipIn(agencyId: string, userId: string, load: Load): Promise<Membership | null> {
  const agency = await load(agencyId)
  const me = memberOf(agency.team, userId)
  return me && { agencyId, me, agency }
}

/** The agency that the user owns, then those that they joined first. */
const inOrder = (found: readonly MembershipOf[]) =>
  found.toSorted(
    (a, b) => Number(b.role === 'owner') - Number(a.role === 'owner') || (a.joinedAt < b.joinedAt ? -1 : 1),
  )

const endedType = 'no-longer-member'
/** The header tells the web's client, which reads errors as text, to leave the screen. */
const noLongerMember = (name: string) =>
  new Problem(403, endedType, `You are no longer a member of ${name || 'this agency'}.`, { 'X-Membership': 'ended' })
