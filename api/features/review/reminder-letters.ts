/**
 * Letters that remind of a step: who gets one is decided when it is due, and once more when the letter is composed, so
 * that none leaves for a step that is over.
 */
import { z } from 'zod'
import { approversIn } from '../../../domain/agency/approvers.ts'
import { isForAllClients } from '../../../domain/agency/roles.ts'
import { standingOf, type Agency } from '../../../domain/agency/state.ts'
import { openStep, ownWaitsFor, type ApprovalRound } from '../../../domain/core/approval-round.ts'
import type { ApprovalStep } from '../../../domain/core/approval-policy.ts'
import type { Instant } from '../../../domain/core/event.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import { dueReminder, escalatesAt } from '../../../domain/post/reminders.ts'
import { mayApprove } from '../../../domain/post/rights.ts'
import type { Post } from '../../../domain/post/state.ts'
import type { ReviewLinkView } from '../../../projections/review-links/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Clock } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import { monthSpan } from '../../core/time-zone.ts'
import { isConfirmed, type Users } from '../auth/users.ts'
import type { Contacts } from '../contacts/contacts.ts'
import type { Composers, NewLetter } from '../mail/letter-record.ts'
import { reminderMail, reminderPurposes, type ReminderPurpose } from './reminder-mails.ts'
import { submitterOf } from './submitter.ts'

export const reminderLetterKind = 'approval-reminder'

const request = z.object({
  agencyId: z.string(),
  postId: z.string(),
  stepId: z.string(),
  version: z.int(),
  opening: z.int(),
  number: z.int(),
  purpose: z.enum(reminderPurposes),
  /** A user, or for `client` a contact. */
  to: z.string(),
})
type Request = z.infer<typeof request>

/** A reminder that is due, with the facts that say who gets it. */
export interface Due {
  readonly postId: string
  readonly agencyId: string
  readonly agency: Agency
  readonly post: Post
  readonly reminder: NonNullable<ReturnType<typeof dueReminder>>
}

export interface RecipientPorts {
  readonly events: EventStore
  readonly views: () => Pick<Views, 'reviewLinks'>
  readonly clientContacts: Contacts
  readonly clock: Clock
}

/** One letter for each person, opening and number: the outbox takes each of them once. */
export async function reminderLetters(ports: RecipientPorts, due: Due): Promise<readonly NewLetter[]> {
  const { postId, agencyId, reminder } = due
  const letters: NewLetter[] = []
  for (const [to, { purpose, email }] of await recipientsOf(ports, due)) {
    const { stepId, version, opening, number } = reminder
    letters.push({
      kind: reminderLetterKind,
      about: [postId, stepId, String(version), String(opening), String(number), to],
      ...(email === undefined ? { userId: to } : { to: email }),
      content: { request: { agencyId, postId, ...reminder, purpose, to } satisfies Request },
    })
  }
  return letters
}

/** Letters to contacts leave, and those to users with a confirmed address. */
export async function reachesAnyone(
  letters: readonly NewLetter[],
  isReachable: (userId: string) => Promise<boolean>,
): Promise<boolean> {
  for (const { userId } of letters) if (userId === undefined || (await isReachable(userId))) return true
  return false
}

interface Recipient extends Partial<WithLink> {
  readonly purpose: ReminderPurpose
}
/** By user or contact. A contact has its address. */
type Recipients = ReadonlyMap<string, Recipient>

async function recipientsOf(ports: RecipientPorts, due: Due): Promise<Recipients> {
  const { post, agency, postId, reminder } = due
  const { round, clientId } = post
  const recipients = new Map<string, Recipient>()
  const step = round && openStep(round)
  if (!step) return recipients
  const approvers = approversIn(agency, clientId)
  // The first purpose counts: a person gets one letter.
  const add = (users: readonly string[], purpose: ReminderPurpose) => {
    for (const userId of users) if (!recipients.has(userId)) recipients.set(userId, { purpose })
  }
  if (step.who.kind === 'client') {
    const links = await linksShowing(ports, due)
    const contacts = await contactsWith(links, ports.clientContacts, clientId)
    for (const [id, withLink] of contacts) recipients.set(id, { purpose: 'client', ...withLink })
    if (contacts.size === 0) {
      const submitter = await submitterOf(ports.events, postId)
      const people = [...(submitter === null ? [] : [submitter]), ...approvers.map(({ userId }) => userId)]
      add(people, links.some(({ anyone }) => anyone) ? 'open-link' : 'no-link')
    }
    add(escalatedTo(post, round, agency, step, reminder.number), 'told')
  } else {
    const waiting = waitingOf(post, round, agency)
    add(waiting, 'approve')
    add(escalatedTo(post, round, agency, step, reminder.number), 'escalated')
    if (waiting.length === 0)
      add(
        approvers.filter(({ role }) => isForAllClients(role)).map(({ userId }) => userId),
        'no-approver',
      )
  }
  return recipients
}

const waitingOf = (post: Post, round: ApprovalRound, agency: Agency): readonly string[] =>
  ownWaitsFor(round, approversIn(agency, post.clientId), fitIn(post, round, agency))

const fitIn = (post: Post, round: ApprovalRound, { team }: Agency) =>
  mayApprove(post, round, team.ownApproval === 'allowed')

/** With the last reminder: the people of the role that may approve the step from now on, or are only told. */
function escalatedTo(
  post: Post,
  round: ApprovalRound,
  agency: Agency,
  { who }: ApprovalStep,
  number: number,
): readonly string[] {
  const to = escalatesAt(round, number)
  const isFit = fitIn(post, round, agency)
  return approversIn(agency, post.clientId)
    .filter(({ role, userId }) => role === to && (who.kind === 'client' || isFit(userId)))
    .map(({ userId }) => userId)
}

/** As many links as an agency has open. */
const maxLinks = 200

interface WithLink {
  readonly email: string
  /** When the newest letter with an address of a link left. */
  readonly sentAt: Instant
}

/** The open links by which the client's people can approve the post. */
async function linksShowing(
  { views, clock }: Pick<RecipientPorts, 'views' | 'clock'>,
  { postId, agencyId, agency, post }: Pick<Due, 'postId' | 'agencyId' | 'agency' | 'post'>,
): Promise<readonly ReviewLinkView[]> {
  const where = { agencyId, revokedAt: null, expiresAt: { gte: clock.now() } }
  const open = await views().reviewLinks.find({ where, limit: maxLinks })
  return open.filter((link) => link.clientId === post.clientId && isShownBy(link, postId, post, agency.timeZone))
}

/** The contacts named by links. The address of a link is known to its letter alone. */
async function contactsWith(
  links: readonly ReviewLinkView[],
  clientContacts: Contacts,
  clientId: string,
): Promise<ReadonlyMap<string, WithLink>> {
  if (links.every(({ contacts }) => contacts.length === 0)) return new Map()
  const contacts = await clientContacts.of(clientId)
  return new Map(
    contacts.flatMap(({ id, email }): [string, WithLink][] => {
      const sent = links.filter((link) => link.contacts.includes(id)).map(({ issuedAt }) => issuedAt)
      const sentAt = sent.toSorted().at(-1)
      return sentAt === undefined ? [] : [[id, { email, sentAt }]]
    }),
  )
}

function isShownBy({ scope, may }: ReviewLinkView, postId: string, { scheduledFor }: Post, timeZone: string): boolean {
  if (!may.includes('approve')) return false
  if (scope.kind === 'posts') return scope.postIds.includes(postId)
  if (scope.kind === 'pending') return true
  const { from, to } = monthSpan(scope.month, timeZone)
  return scheduledFor !== null && scheduledFor >= from && scheduledFor < to
}

interface ComposePorts extends Omit<RecipientPorts, 'events'> {
  readonly commands: Pick<Commands, 'loadAgency' | 'loadPost' | 'ports'>
  readonly users: Pick<Users, 'get'>
  readonly publicUrl: string
}

export const reminderComposers = ({ commands, users, publicUrl, ...ports }: ComposePorts): Composers => ({
  async [reminderLetterKind](asked) {
    const { agencyId, postId, purpose, to, ...reminder } = request.parse(asked)
    const [{ state: post }, { state: agency }] = await Promise.all([
      commands.loadPost(postId),
      commands.loadAgency(agencyId),
    ])
    const client = agency.clients[post.clientId]
    const isGood = standingOf(agency, ports.clock.now()) === 'good'
    if (!client || !isGood || !isStillOpen(post, reminder)) return null
    const due: Due = { postId, agencyId, agency, post, reminder }
    const recipient = (await recipientsOf({ ...ports, events: commands.ports.events }, due)).get(to)
    if (recipient?.purpose !== purpose) return null
    const about = {
      agencyName: agency.name,
      clientName: client.name,
      clientId: post.clientId,
      step: (post.round && openStep(post.round)?.name) ?? '',
      content: post.content,
      openedAt: post.round?.reminders?.openedAt ?? '',
      timeZone: agency.timeZone,
      publicUrl,
    }
    const { email, sentAt = null } = recipient
    if (email !== undefined) return reminderMail(email, 'client', { ...about, sentAt })
    const user = await users.get(to)
    // Only confirmed addresses get one: no other person reads who works for which client.
    return user && isConfirmed(user) ? reminderMail(user.email, purpose, { ...about, sentAt: null }) : null
  },
})

const isStillOpen = ({ status, deleted, round, review }: Post, { stepId, version, opening }: Due['reminder']) =>
  !deleted &&
  status === 'pending' &&
  !!round &&
  openStep(round)?.id === stepId &&
  review?.version === version &&
  round.reminders?.opening === opening
