/** Accepting an invitation, and the agencies of a person. */
import { maxMembers } from '../../../domain/agency/roles.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import type { Invitation } from '../../../domain/agency/team-state.ts'
import type { AgencyMembership } from '../../contract/index.ts'
import { agencyIdOf, idFromKey } from '../../core/agency-id.ts'
import type { AppendedEvent } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { sourceOf } from '../../core/source.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import type { Memberships, MembershipOf } from '../../http/memberships.ts'
import { notFound, Problem } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import { confirmed } from '../auth/address.ts'
import { nameOf } from '../auth/names.ts'
import { clearer, type AccountPorts } from '../auth/own-account.ts'
import { refuseGuessable } from '../auth/password-policy.ts'
import { signIn, type From, type SignedIn } from '../auth/sign-in.ts'
import type { SignInThrottle } from '../auth/throttle.ts'
import { changesOf, isConfirmed, userReplyOf, type UserRecord } from '../auth/users.ts'
import type { FoundInvitation, Invitations } from './invitations.ts'

export interface AcceptPorts extends AccountPorts {
  readonly commands: Commands
  readonly memberships: Memberships
  /** The user's agencies, by the view. */
  readonly agenciesOf: (userId: string) => Promise<readonly MembershipOf[]>
  readonly throttle: SignInThrottle
  readonly invitations: Invitations
}

type Names = 'lookAtInvitation' | 'acceptInvitation' | 'registerByInvitation' | 'listAgencies' | 'chooseAgency'

interface Joining {
  readonly requestId: string
  readonly visible: (appendedEvents: readonly AppendedEvent[]) => Promise<boolean>
}

interface Opened {
  readonly found: FoundInvitation
  readonly agency: Agency
  readonly invitation: Invitation
}

export function acceptHandlers(ports: AcceptPorts): Handlers<Names> {
  const { commands, memberships, users, sessions, factors, throttle, invitations, accountLimits, securityLog } = ports

  /** @throws Problem 429 after many tokens that are none */
  async function known(token: string, address: string): Promise<FoundInvitation | null> {
    const use = await accountLimits.usingInvitation(sourceOf(address))
    const found = await invitations.find(token)
    if (found) await use.isOne()
    return found
  }

  /** One answer for each reason why an invitation doesn't work. @throws Problem 404, 429 */
  async function opened(token: string, address: string): Promise<Opened> {
    const found = await known(token, address)
    const agency = found && (await commands.recallAgency(found.agencyId))
    const invitation = found && agency?.team.invitations[found.id]
    if (!found || !agency || !invitation) throw over()
    return { found, agency, invitation }
  }

  async function join({ found }: Pick<Opened, 'found'>, userId: string, { requestId, visible }: Joining) {
    const { agencyId, id: invitationId } = found
    const by = { actor: { type: 'user', id: userId }, agencyId, correlationId: requestId } as const
    const memberId = idFromKey(agencyId, 'joinTeam', invitationId)
    const command = { type: 'JoinTeam', invitationId, memberId } as const
    const outcome = await commands.agency(agencyId, command, by, async ({ team }) => ({
      openOfAddress: await invitations.openOf(found.email, team),
    }))
    if ('refused' in outcome && isOver.has(outcome.refused.reason)) throw over()
    const { state, appendedEvents } = accepted(outcome)
    await visible(appendedEvents)
    return state
  }

  /**
   * An account whose address was never confirmed may have been opened by another person than the invited one: it keeps
   * no session, link or factor of before. The mailed link confirms the address. Null: the account changed meanwhile.
   */
  async function cleared(known: UserRecord, isMailed: boolean): Promise<UserRecord | null> {
    if (isMailed)
      return confirmed(ports, known, (now) => now.email === known.email && changesOf(now) === changesOf(known))
    await factors.removeAll(known.id)
    const user = await users.endTrust(known.id)
    if (user) await clearer(ports)(user)
    return user
  }

  /** A new session that works in the agency. */
  const enter = (user: UserRecord, agencyId: string, from: From): Promise<SignedIn> =>
    signIn(ports, user, { ...from, agencyId })

  const membershipOf = (agencyId: string, { name, team }: Agency, userId: string, isCurrent: boolean) =>
    Object.values(team.members).flatMap(({ userId: id, role }): AgencyMembership[] =>
      id === userId ? [{ agencyId, name, role, isCurrent }] : [],
    )

  return {
    async lookAtInvitation({ body: { token }, address, session }) {
      const { found, agency, invitation } = await opened(token, address)
      const [inviter, known] = await Promise.all([users.get(found.invitedBy), users.withEmail(found.email)])
      const signedIn = session && (await users.get(session.userId))
      return {
        body: {
          agencyName: agency.name,
          email: found.email,
          role: invitation.role,
          invitedBy: nameOf(inviter),
          expiresAt: invitation.expiresAt,
          hasAccount: found.isMailed ? known !== null : null,
          signedInAs: !signedIn ? 'nobody' : signedIn.email === found.email ? 'you' : 'another',
        },
      }
    },

    async acceptInvitation({ body: { token }, session, ...ask }) {
      const found = await known(token, ask.address)
      if (!found) throw over()
      const user = await users.get(session.userId)
      if (user?.email !== found.email) throw forAnother()
      const agency = await join({ found }, user.id, ask)
      const [body] = membershipOf(found.agencyId, agency, user.id, true)
      if (!body) throw over()
      if (isConfirmed(user)) {
        await sessions.choose(session.id, found.agencyId)
        return { body }
      }
      // After the joining, which only an open invitation allows; a repetition goes on here.
      const sure = await cleared(user, found.isMailed)
      if (!sure) throw signedOut()
      if (found.isMailed) securityLog.done('confirm-address', sourceOf(ask.address), { userId: user.id }, ask.requestId)
      return { body, ...(await enter(sure, found.agencyId, ask)) }
    },

    registerByInvitation: ({ body: { token, ...given }, session, ...ask }) =>
      securityLog.watch('register', ask, async (subject) => {
        const { found, agency } = await opened(token, ask.address)
        const { email } = found
        subject.email = email
        if (Object.keys(agency.team.members).length >= maxMembers)
          throw problemOf({ reason: 'member-limit-reached', limit: maxMembers })
        refuseGuessable('password', given.password, email)
        const asker = await throttle.registering(ask.address)
        const made = await users.register({ ...given, email }, asker)
        if (!made)
          throw new Problem(409, 'email-taken', 'There is an account with this email already. Sign in to accept.')
        subject.userId = made.id
        const user = (found.isMailed && (await users.confirmAddress(made))) || made
        if (session) await sessions.end(session.id)
        await join({ found }, user.id, ask)
        return { body: userReplyOf(user), ...(await enter(user, found.agencyId, ask)) }
      }),

    async listAgencies({ session }) {
      const { userId } = session
      const current = await memberships.of(session)
      const ids = new Set([agencyIdOf(userId), ...(await ports.agenciesOf(userId)).map(({ agencyId }) => agencyId)])
      const found = await Promise.all(
        [...ids].map(async (id) => membershipOf(id, await commands.recentAgency(id), userId, id === current?.agencyId)),
      )
      return { body: found.flat() }
    },

    async chooseAgency({ session, body: { agencyId } }) {
      const member = await memberships.member(agencyId, session.userId)
      if (!member) throw notFound('This agency')
      await sessions.choose(session.id, agencyId)
      const { name } = await commands.recentAgency(agencyId)
      return { body: { agencyId, name, role: member.role, isCurrent: true } }
    },
  }
}

const isOver: ReadonlySet<string> = new Set(['invitation-over', 'invitation-unknown', 'invitation-accepted'])

const over = () =>
  new Problem(404, 'invitation-over', "This invitation doesn't work any more. Ask the agency for a new one.")
const signedOut = () => new Problem(401, 'not-signed-in', 'Please sign in.')
const forAnother = () =>
  new Problem(
    403,
    'invitation-for-another',
    'This invitation is for another address than the one that you are signed in with. Nothing was changed.',
  )
