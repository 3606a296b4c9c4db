/** The letter to the contact who put a post on hold: the agency has released it. */
import { z } from 'zod'
import type { Agency } from '../../../domain/agency/state.ts'
import type { Instant } from '../../../domain/core/event.ts'
import { recorded } from '../../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import type { Commands } from '../../core/commands.ts'
import { postStream } from '../../core/load.ts'
import type { Contacts } from '../contacts/contacts.ts'
import { eventsUpTo } from '../history/scope.ts'
import type { Composers } from '../mail/letter-record.ts'
import { onOneLine } from '../mail/on-one-line.ts'
import type { Message } from '../mail/port.ts'
import type { PostOffice } from '../mail/post-office.ts'
import type { ReviewRecords } from './records.ts'

const releaseLetterKind = 'review-release'

const request = z.object({
  agencyId: z.string(),
  postId: z.string(),
  contactId: z.string(),
  heldAt: z.string(),
  scheduledFor: z.string(),
})

export interface ReleasePorts {
  readonly commands: Pick<Commands, 'ports'>
  readonly clientContacts: Pick<Contacts, 'get'>
  readonly reviewRecords: Pick<ReviewRecords, 'people'>
  readonly postOffice: Pick<PostOffice, 'tell'>
}

/**
 * Asks for the letter after the release of a post that a client held. People of a link for everyone have no address.
 * The outbox takes it once for each release.
 */
export async function tellOfRelease(
  { commands, clientContacts, reviewRecords, postOffice }: ReleasePorts,
  { agencyId, postId }: { readonly agencyId: string; readonly postId: string },
): Promise<void> {
  const released = await lastRelease(commands.ports.events, postId)
  if (released === null) return
  const { reviewerId, revision, heldAt, scheduledFor } = released
  const contactId = (await reviewRecords.people.get(reviewerId))?.contactId ?? null
  const contact = contactId === null ? null : await clientContacts.get(contactId)
  if (!contact) return
  await postOffice.tell({
    kind: releaseLetterKind,
    about: [postId, String(revision)],
    to: contact.email,
    content: {
      request: { agencyId, postId, contactId: contact.id, heldAt, scheduledFor } satisfies z.input<typeof request>,
    },
  })
}

/** The last release of a hold that a reviewer asked for; null without one. */
async function lastRelease(events: EventStore, postId: string) {
  let hold: { readonly reviewerId: string; readonly heldAt: Instant } | null = null
  let release = null
  for await (const stored of eventsUpTo(events, postStream(postId), null)) {
    const event = recorded(stored) as unknown as PostEvent
    if (event.type === 'PostHeld' && event.data.review)
      hold = { reviewerId: event.data.review.reviewerId, heldAt: stored.metadata.at }
    if (event.type === 'PostReleased' && hold)
      release = { ...hold, revision: stored.revision, scheduledFor: event.data.scheduledFor }
  }
  return release
}

interface ComposePorts {
  readonly commands: Pick<Commands, 'loadAgency' | 'loadPost'>
  readonly clientContacts: Pick<Contacts, 'get'>
}

export const releaseComposers = ({ commands, clientContacts }: ComposePorts): Composers => ({
  async [releaseLetterKind](asked) {
    const { agencyId, postId, contactId, heldAt, scheduledFor } = request.parse(asked)
    const [contact, { state: post }, { state: agency }] = await Promise.all([
      clientContacts.get(contactId),
      commands.loadPost(postId),
      commands.loadAgency(agencyId),
    ])
    const client = agency.clients[post.clientId]
    if (!contact || !client || post.deleted) return null
    return releaseMail(contact.email, { agency, clientName: client.name, heldAt, scheduledFor })
  },
})

interface About {
  readonly agency: Pick<Agency, 'name' | 'timeZone'>
  readonly clientName: string
  readonly heldAt: Instant
  readonly scheduledFor: Instant
}

/** Without the words of the post, which a link may keep behind a lock. */
function releaseMail(to: string, { agency: { name, timeZone }, clientName, heldAt, scheduledFor }: About): Message {
  const agency = onOneLine(name)
  const inZone = (style: Intl.DateTimeFormatOptions, at: Instant) =>
    new Intl.DateTimeFormat('en-GB', { ...style, timeZone }).format(new Date(at))
  const day = { day: 'numeric', month: 'long' } as const
  return {
    to,
    subject: `${agency}: the post that you put on hold was released`,
    text: `You put a post of ${onOneLine(clientName)} on hold on ${inZone(day, heldAt)}. ${agency} has released it.

It is planned for ${inZone({ ...day, hour: '2-digit', minute: '2-digit' }, scheduledFor)} (${timeZone}).

To see it, use the link in our earlier letter. If it is over, ask ${agency} for a new one.
`,
  }
}
