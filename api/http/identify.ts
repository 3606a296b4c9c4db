/** Finds out who asks: the session, and its member of an agency; and whether they may. */
import type { Request } from 'express'
import { narrowedTo } from '../../domain/agency/scope.ts'
import { memberOf } from '../../domain/agency/team-state.ts'
import type { Commands } from '../core/commands.ts'
import type { Route } from '../contract/index.ts'
import { refusalFor } from './access.ts'
import { agencyCookie, readCookie } from './cookies.ts'
import type { OfAgency } from './handler.ts'
import type { Membership, Memberships } from './memberships.ts'
import { notFound, Problem } from './problem.ts'
import { mustHaveFactor, type SecondFactorPorts } from './second-factor.ts'
import type { Session } from './session.ts'

interface Ports extends SecondFactorPorts {
  readonly commands: Commands
  readonly memberships: Memberships
}

/** @throws Problem 401 without a session, 403 for a person without an agency */
export async function identify(
  route: Route,
  ports: Ports,
  session: Session | null,
  request: Request,
  requestId: string,
) {
  const { commands, memberships } = ports
  if (route.access === 'public') return { session }
  if (!session) throw new Problem(401, 'not-signed-in', 'Please sign in.', withoutAgency(request))
  if (route.access === 'user') {
    if (!route.beforeFactor)
      await mustHaveFactor(route, ports, memberships.known(session) ?? (await unlessEnded(memberships.of(session))))
    return { session }
  }

  const { userId } = session
  const isShown = route.method === 'GET'
  const aggregates = commands.newScope()
  /** Commands are judged by the agency of now, which they read anyway; reads by the agency of a moment ago. */
  const read = async (agencyId: string) =>
    isShown ? commands.recallAgency(agencyId) : (await commands.loadAgency(agencyId, aggregates)).state
  const membership =
    (isShown ? memberships.known(session) : null) ?? (await memberships.of(session, isShown ? undefined : read))
  if (!membership) throw new Problem(403, 'no-agency', 'Set up your agency first.')
  await mustHaveFactor(route, ports, membership)
  const { agencyId, me } = membership
  if (!isShown) mustBeShown(request.get('X-Agency'), agencyId)
  const renewed = async (): Promise<Membership> => {
    const found = await memberships.of({ ...session, agencyId }, read)
    if (!found) throw notFound('An agency')
    return found
  }
  /** With the clients of the member's scope alone, so that no handler finds another. */
  const loadAgency = async () => {
    const agency = await read(agencyId)
    const member = memberOf(agency.team, userId)
    if (!member) return (await renewed()).agency
    return narrowedTo(agency, member.clients)
  }
  const ifMatch = route.errors?.[412] === undefined ? undefined : request.get('If-Match')
  const by = { actor: { type: 'user', id: userId }, agencyId, correlationId: requestId } as const
  return {
    session,
    agencyId,
    me,
    renewed,
    loadAgency,
    aggregates,
    by: ifMatch === undefined || ifMatch === '*' ? by : { ...by, ifRevision: revisionOf(ifMatch) },
  }
}

/**
 * A page names the agency that it shows: another tab may have moved the session to another one, or signed another
 * person in, and a change must not go there. Other clients name none. @throws Problem 409
 */
function mustBeShown(shown: string | undefined, agencyId: string): void {
  if (shown === undefined || shown === agencyId) return
  throw new Problem(
    409,
    'another-agency',
    'You work in another agency now, by another tab. Nothing was changed here.',
    // Tells the web's client, which reads errors as text, to load the page anew.
    { 'X-Membership': 'another' },
  )
}

/** A person who is no longer a member is no less a user. */
const unlessEnded = (membership: Promise<Membership | null>) =>
  membership.catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })

/** With a session that is over, the dashboard's page would go on to name lists that are refused (`web-app.ts`). */
const withoutAgency = ({ headers }: Request): Readonly<Record<string, string>> =>
  readCookie(headers.cookie, agencyCookie) === null
    ? {}
    : { 'Set-Cookie': `${agencyCookie}=; Path=/; SameSite=Lax; Max-Age=0` }

/** Whether the request is refused, by the membership as it is known: then `mustBeAllowed` judges it anew. */
export const seemsRefused = (route: Route, who: object, asked: Asked): boolean =>
  'me' in who && refusalFor(route, (who as Identified).me, asked) !== null

/** @throws Problem 403 or 404 */
export async function mustBeAllowed(route: Route, who: object, asked: Asked): Promise<void> {
  const { renewed } = who as Identified
  const refusal = refusalFor(route, (await renewed()).me, asked)
  if (refusal) throw refusal
}

type Asked = Parameters<typeof refusalFor>[2]

interface Identified extends OfAgency {
  readonly renewed: () => Promise<Membership>
}

/** `"7"` or `W/"7"` -> 7; another entity tag -> -1, which no revision is. @throws Problem 400 for anything else */
function revisionOf(ifMatch: string): number {
  const tag = /^(?:W\/)?"([^"\s]*)"$/.exec(ifMatch.trim())?.[1]
  if (tag === undefined) throw new Problem(400, 'invalid', 'If-Match: Send the ETag of the post as you received it.')
  return /^\d{1,9}$/.test(tag) ? Number(tag) : -1
}
