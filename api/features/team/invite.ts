/** Inviting people: one open invitation for each address, whose newest link alone works. */
import { v7 as uuidv7 } from 'uuid'
import { invitationDays, type ClientScope, type GivenRole } from '../../../domain/agency/roles.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import { memberOf } from '../../../domain/agency/team-state.ts'
import type { InvitedMember } from '../../contract/index.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { AppendedEvent } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers, type OfAgency } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import type { AccountLimits } from '../auth/account-limits.ts'
import { nameOf } from '../auth/names.ts'
import type { Users } from '../auth/users.ts'
import type { LetterBox } from '../mail/letter-record.ts'
import type { PostOffice } from '../mail/post-office.ts'
import type { Invitations } from './invitations.ts'
import { invitationLink, invitationMail } from './letters.ts'

export interface InvitePorts {
  readonly commands: Commands
  readonly users: Users
  readonly invitations: Invitations
  readonly accountLimits: AccountLimits
  /** Null when this server can't send mail. */
  readonly postOffice: PostOffice
  readonly letters: Pick<LetterBox, 'end'>
  /** Whether letters leave by mail; else an operator reads them. */
  readonly mails: boolean
  readonly clock: Clock
  readonly publicUrl: string
}

const dayMs = 24 * 3_600_000

interface Wanted {
  readonly email: string
  readonly role: GivenRole
  readonly clients: ClientScope
  /** The invitation that is sent again: it ends, as does each other one to the address. */
  readonly replaces: string | null
}

type Asking = OfAgency & { readonly visible: (appendedEvents: readonly AppendedEvent[]) => Promise<boolean> }
type Names = 'inviteMember' | 'resendInvitation' | 'withdrawInvitation'

export function inviteHandlers(ports: InvitePorts): Handlers<Names> {
  const { commands, users, invitations, accountLimits, postOffice, letters, mails, clock, publicUrl } = ports

  async function invite(ask: Asking, { email, role, clients, replaces }: Wanted): Promise<InvitedMember> {
    const { agencyId, by, session } = ask
    const invitationId = uuidv7()
    const expiresAt = later(clock.now(), invitationDays * dayMs)
    const record = { id: invitationId, agencyId, email, invitedBy: session.userId, expiresAt }
    // The record is stored first: an invitation in the log without its record could not be accepted.
    const tokens = await invitations.put(record)
    const command = { type: 'InviteMember', invitationId, role, clients, expiresAt, replaces } as const
    let ended: readonly string[] = []
    const outcome = await commands.agency(agencyId, command, by, async ({ team }: Agency) => {
      ended = await invitations.openOf(email, team)
      return { openOfAddress: ended, invitedUserId: (await users.withEmail(email))?.id ?? null }
    })
    if ('refused' in outcome) {
      await invitations.remove(invitationId)
      throw outcome.refused.reason === 'member-already' ? memberAlready() : problemOf(outcome.refused)
    }
    for (const id of ended) await end(id)
    const inviter = nameOf(await users.get(session.userId))
    const about = { agencyName: outcome.state.name, inviter, role }
    const letter = await mail(email, invitationId, tokens.mailed, about)
    await ask.visible(outcome.appendedEvents)
    const link = invitationLink(publicUrl, tokens.copied)
    const given = outcome.state.team.invitations[invitationId]?.clients ?? clients
    return {
      id: invitationId,
      email,
      role,
      clients: given === 'all' ? given : [...given],
      expiresAt,
      isOver: false,
      invitedBy: inviter,
      letter,
      link,
      mailed: mails && letter !== null,
    }
  }

  /** The link no longer works, so its letter isn't sent any more. */
  async function end(invitationId: string): Promise<void> {
    await invitations.remove(invitationId)
    await letters.end('invitation', [invitationId])
  }

  /** Null: the inviter has to pass the link on. */
  async function mail(
    to: string,
    id: string,
    token: string,
    about: Parameters<typeof invitationMail>[2],
  ): Promise<'queued' | null> {
    if (!(await accountLimits.mayWriteTo(to, 'invitation'))) return null
    try {
      const message = invitationMail(to, invitationLink(publicUrl, token), about)
      await postOffice.send({ kind: 'invitation', about: [id], to, content: { message }, again: true })
      return 'queued'
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return null
    }
  }

  return {
    async inviteMember(ask) {
      const { email, role, clients } = ask.body
      const { team } = await ask.loadAgency()
      const known = await users.withEmail(email)
      if (known && memberOf(team, known.id)) throw memberAlready()
      return { body: await invite(ask, { email, role, clients, replaces: null }) }
    },

    async resendInvitation(ask) {
      const { id } = ask.params
      const { team } = await ask.loadAgency()
      const invitation = team.invitations[id]
      const record = await invitations.get(id)
      if (!invitation || !record)
        throw problemOf({ reason: team.accepted.has(id) ? 'invitation-accepted' : 'invitation-unknown' })
      const { role, clients } = invitation
      return { body: await invite(ask, { email: record.email, role, clients, replaces: id }) }
    },

    async withdrawInvitation({ agencyId, by, params: { id: invitationId }, visible }) {
      const command = { type: 'WithdrawInvitation', invitationId } as const
      const { appendedEvents } = accepted(await commands.agency(agencyId, command, by))
      await end(invitationId)
      await visible(appendedEvents)
      return {}
    },
  }
}

const memberAlready = () => new Problem(409, 'member-already', 'This person is a member of the agency already.')
