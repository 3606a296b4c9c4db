/**
 * Letters about the verdicts and comments of a link, to the people of the agency: to each of them one for ten minutes
 * at most. It is composed when these are over, so that it has all of what was done.
 */
import { z } from 'zod'
import { approversIn } from '../../../domain/agency/approvers.ts'
import { includesClient } from '../../../domain/agency/roles.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import { memberOf } from '../../../domain/agency/team-state.ts'
import type { Instant } from '../../../domain/core/event.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Clock } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import { isConfirmed, type Users } from '../auth/users.ts'
import type { Composers, NewLetter } from '../mail/letter-record.ts'
import { onOneLine } from '../mail/on-one-line.ts'
import type { PostOffice } from '../mail/post-office.ts'
import type { ReviewRecords } from './records.ts'
import { submitterOf } from './submitter.ts'

const request = z.object({
  linkId: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  userId: z.string(),
  publicUrl: z.string(),
  from: z.string(),
  to: z.string(),
})

export const verdictLetterKind = 'review-verdicts'
const spanMs = 600_000
const maxListed = 20
const maxNoteShown = 500

interface TellPorts {
  readonly commands: Commands
  readonly clock: Clock
  readonly publicUrl: string
  readonly postOffice: Pick<PostOffice, 'tell'>
}

interface About {
  readonly linkId: string
  readonly agencyId: string
  readonly clientId: string
  readonly agency: Agency
}

/** Asks for the letters to the submitter of a post and to those who approve the client's posts. */
export async function tellOfReview(
  { commands, clock, publicUrl, postOffice }: TellPorts,
  { linkId, agencyId, clientId, agency }: About,
  postId: string,
): Promise<void> {
  const submitter = await submitterOf(commands.ports.events, postId)
  const people = new Set(approversIn(agency, clientId).map(({ userId }) => userId))
  if (submitter !== null) people.add(submitter)
  const start = Math.floor(Date.parse(clock.now()) / spanMs) * spanMs
  const [from, to] = [new Date(start).toISOString(), new Date(start + spanMs).toISOString()]
  for (const userId of people)
    await postOffice.tell({
      kind: verdictLetterKind,
      about: [linkId, userId, from],
      userId,
      content: {
        request: { linkId, agencyId, clientId, userId, publicUrl, from, to } satisfies z.input<typeof request>,
      },
      notBefore: to,
    } satisfies NewLetter)
}

interface ComposePorts {
  readonly commands: Pick<Commands, 'loadAgency'>
  readonly views: () => Pick<Views, 'reviews' | 'postCards'>
  readonly users: Pick<Users, 'get'>
  readonly reviewRecords: Pick<ReviewRecords, 'people' | 'notes'>
}

interface Given {
  readonly postId: string
  readonly reviewerId: string
  readonly verdict: keyof typeof words
  readonly noteId: string | null
  readonly at: Instant
}

const words = {
  approve: 'approved',
  changes: 'asked for changes to',
  hold: 'put on hold',
  comment: 'commented on',
} as const

export const verdictComposers = ({ commands, views, users, reviewRecords }: ComposePorts): Composers => ({
  async [verdictLetterKind](asked) {
    const { linkId, agencyId, clientId, userId, publicUrl, from, to } = request.parse(asked)
    const [user, { state: agency }] = await Promise.all([users.get(userId), commands.loadAgency(agencyId)])
    const client = agency.clients[clientId]
    const member = memberOf(agency.team, userId)
    // Only confirmed addresses get one: no other person reads who works for which client.
    if (!user || !isConfirmed(user) || !client || !member || !includesClient(member.clients, clientId)) return null
    const isInTime = ({ at }: { readonly at: Instant }) => at >= from && at < to
    const verdicts: Given[] = []
    for await (const { item } of views().reviews.each({ where: { linkId }, filter: { at: { gte: from } } }))
      for (const each of [...item.earlier, ...item.verdicts])
        if (isInTime(each)) verdicts.push({ postId: item.postId, ...each })
    const comments = (await commentsOn(reviewRecords, linkId)).filter(isInTime)
    const given = [...verdicts, ...comments].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    if (given.length === 0) return null
    const shown = given.slice(0, maxListed)
    const cards = await views().postCards.getMany([...new Set(shown.map(({ postId }) => postId))])
    const lines = await Promise.all(
      shown.map(async ({ postId, reviewerId, verdict, noteId }) => {
        const name = onOneLine(await reviewRecords.people.nameOf(reviewerId))
        const note = noteId === null ? null : ((await reviewRecords.notes.get(noteId))?.text ?? null)
        const post = onOneLine(cards.get(postId)?.excerpt.slice(0, 80) ?? 'a post that was deleted')
        const said = note === null ? '' : `\n  "${onOneLine(note.slice(0, maxNoteShown))}"`
        return `- ${name} ${words[verdict]}: ${post}${said}`
      }),
    )
    const rest = given.length - shown.length
    return {
      to: user.email,
      subject: `${onOneLine(client.name)}: ${subjectOf(verdicts.length)} on your posts`,
      text: `The people of ${onOneLine(client.name)} have reviewed posts:

${lines.join('\n')}${rest > 0 ? `\n- and ${rest} more` : ''}

Open the posts: ${publicUrl}/content
`,
    }
  },
})

/** By person and post, with the time of the last one. The words are where they can be erased. */
async function commentsOn({ people }: Pick<ReviewRecords, 'people'>, linkId: string): Promise<readonly Given[]> {
  const found = await people.ofLink(linkId)
  return found.flatMap(({ id: reviewerId, commented = {} }) =>
    Object.entries(commented).map(([postId, at]): Given => ({
      postId,
      reviewerId,
      verdict: 'comment',
      noteId: null,
      at,
    })),
  )
}

function subjectOf(verdicts: number): string {
  if (verdicts === 0) return 'comments'
  return verdicts === 1 ? 'a verdict' : `${verdicts} verdicts`
}
