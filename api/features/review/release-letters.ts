/** The letter to the contact who put a post on hold: the agency has ended the hold. */
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

/** Moved: further than was agreed, which opens the steps of the approval again. */
const endings = ['released', 'returned', 'moved', 'deleted'] as const

const request = z.object({
  agencyId: z.string(),
  postId: z.string(),
  contactId: z.string(),
  heldAt: z.string(),
  /** A request of an earlier version has none. */
  ending: z.enum(endings).default('released'),
  /** Null for a draft and a deleted post. */
  scheduledFor: z.string().nullable(),
})

export interface ReleasePorts {
  readonly commands: Pick<Commands, 'ports'>
  readonly clientContacts: Pick<Contacts, 'get'>
  readonly reviewRecords: Pick<ReviewRecords, 'people'>
  readonly postOffice: Pick<PostOffice, 'tell'>
}

/**
 * Asks for the letter after the end of a client's hold. People of a link for everyone have no address. The outbox takes
 * it once for each end.
 */
export async function tellOfHoldEnd(
  { commands, clientContacts, reviewRecords, postOffice }: ReleasePorts,
  postId: string,
  agencyId: string,
): Promise<void> {
  const end = await lastEnd(commands.ports.events, postId)
  if (end === null) return
  const { reviewerId, revision, heldAt, ending, scheduledFor } = end
  const contactId = (await reviewRecords.people.get(reviewerId))?.contactId ?? null
  const contact = contactId === null ? null : await clientContacts.get(contactId)
  if (!contact) return
  await postOffice.tell({
    kind: releaseLetterKind,
    about: [postId, String(revision)],
    to: contact.email,
    content: {
      request: {
        agencyId,
        postId,
        contactId: contact.id,
        heldAt,
        ending,
        scheduledFor,
      } satisfies z.input<typeof request>,
    },
  })
}

interface Hold {
  readonly reviewerId: string
  readonly heldAt: Instant
}

interface HoldEnd extends Hold {
  readonly revision: number
  readonly ending: (typeof endings)[number]
  readonly scheduledFor: Instant | null
}

/** The last end of a hold that a reviewer asked for; null without one. */
async function lastEnd(events: EventStore, postId: string): Promise<HoldEnd | null> {
  let hold: Hold | null = null
  let end: HoldEnd | null = null
  let before: { readonly event: PostEvent; readonly at: Instant } | null = null
  for await (const stored of eventsUpTo(events, postStream(postId), null)) {
    const { at } = stored.metadata
    const event = recorded(stored) as unknown as PostEvent
    if (event.type === 'PostHeld' && event.data.review) hold = { reviewerId: event.data.review.reviewerId, heldAt: at }
    // One append has the events of a move that opens the steps again.
    const moved = before?.event.type === 'PostRescheduled' && before.at === at ? before.event.data.scheduledFor : null
    const how = howEnded(event, moved)
    if (hold && how) [end, hold] = [{ ...hold, ...how, revision: stored.revision }, null]
    before = { event, at }
  }
  return end
}

/** @param moved the new time of a move in the same append; null without one */
function howEnded(event: PostEvent, moved: Instant | null): Pick<HoldEnd, 'ending' | 'scheduledFor'> | null {
  if (event.type === 'PostReleased') return { ending: 'released', scheduledFor: event.data.scheduledFor }
  if (event.type === 'PostDeleted') return { ending: 'deleted', scheduledFor: null }
  if (event.type !== 'PostReturnedToDraft') return null
  return { ending: moved === null ? 'returned' : 'moved', scheduledFor: moved }
}

interface ComposePorts {
  readonly commands: Pick<Commands, 'loadAgency' | 'loadPost'>
  readonly clientContacts: Pick<Contacts, 'get'>
}

export const releaseComposers = ({ commands, clientContacts }: ComposePorts): Composers => ({
  async [releaseLetterKind](asked) {
    const { agencyId, postId, contactId, ...end } = request.parse(asked)
    const [contact, { state: post }, { state: agency }] = await Promise.all([
      clientContacts.get(contactId),
      commands.loadPost(postId),
      commands.loadAgency(agencyId),
    ])
    const client = agency.clients[post.clientId]
    if (!contact || !client || (post.deleted && end.ending !== 'deleted')) return null
    return endMail(contact.email, { agency, clientName: client.name, ...end })
  },
})

interface About extends Pick<z.output<typeof request>, 'heldAt' | 'ending' | 'scheduledFor'> {
  readonly agency: Pick<Agency, 'name' | 'timeZone'>
  readonly clientName: string
}

/** Without the words of the post, which a link may keep behind a lock. */
function endMail(to: string, { agency: { name, timeZone }, clientName, heldAt, ending, scheduledFor }: About): Message {
  const agency = onOneLine(name)
  const inZone = (style: Intl.DateTimeFormatOptions, at: Instant) =>
    new Intl.DateTimeFormat('en-GB', { ...style, timeZone }).format(new Date(at))
  const day = { day: 'numeric', month: 'long' } as const
  const time =
    scheduledFor === null ? '' : `${inZone({ ...day, hour: '2-digit', minute: '2-digit' }, scheduledFor)} (${timeZone})`
  const link = `To see it, use the link in our earlier letter. If it is over, ask ${agency} for a new one.`
  const [subject, act, next, more = link] = {
    released: ['was released', 'released it', `It is planned for ${time}.`],
    returned: [
      'is a draft again',
      'returned it to draft, so it is no longer on hold',
      `It goes out only if ${agency} approves or schedules it again.`,
    ],
    moved: [
      'was moved',
      'moved it to another time, so it is no longer on hold',
      `It is planned for ${time}, and goes out only once it is approved again.`,
    ],
    deleted: [
      'was deleted',
      'deleted it',
      'It will not go out, and links no longer show it.',
      `If you have a question, ask ${agency}.`,
    ],
  }[ending]
  return {
    to,
    subject: `${agency}: the post that you put on hold ${subject}`,
    text: `You put a post of ${onOneLine(clientName)} on hold on ${inZone(day, heldAt)}. ${agency} has ${act}.

${next}

${more}
`,
  }
}
