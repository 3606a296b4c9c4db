/** Turns a row into a post to write, or into a sentence that explains what is wrong with it. */
import type { Client, SocialAccount } from '../../../../domain/client/state.ts'
import type { Instant } from '../../../../domain/core/event.ts'
import { yieldToEventLoop } from '../../../../domain/event-store/yield-to-event-loop.ts'
import { platforms, type Platform } from '../../../../domain/core/values.ts'
import { contentSchema, imageUrlSchema, type PostCommand } from '../../../../domain/post/commands.ts'
import { idFromKey } from '../../../core/agency-id.ts'
import { networkNames } from '../../../contract/network-names.ts'
import { wallClock } from '../../../core/time-zone.ts'
import { dateOrderOf, readDate, readTime, type DateOrder } from './dates.ts'
import { batchesOf } from './batches.ts'
import { quoted } from './quoted.ts'
import type { Row } from './read.ts'

export type Write = Extract<PostCommand, { type: 'WritePost' }>

export interface Asked {
  readonly row: Row
  readonly account: { readonly platform: Platform; readonly accountName: string } | null
  readonly write: Write | null
  /** Why there is nothing to write. */
  readonly sentence: string | null
  readonly scheduledFor: Instant | null
}

export interface Around {
  readonly agencyId: string
  readonly clientId: string
  readonly client: Client
  readonly zone: string
  readonly as: 'draft' | 'pending'
}

/** The limit on characters of a date and a time. */
const maxDateLength = 60
/** The time for a date without one. */
const usualTime = '09:00'

/**
 * The posts to write for a file's rows; a repeated row is written once. Yields to the event loop between batches of
 * rows.
 */
export async function asked(rows: readonly Row[], around: Around): Promise<readonly Asked[]> {
  const order = dateOrderOf(rows.map(({ date }) => date))
  const firstLines = new Map<string, number>()
  const all: Asked[] = []
  for (const batch of batchesOf(rows, ({ content }) => content.length)) {
    for (const row of batch) {
      const one = askedBy(row, order, around)
      const first = one.write ? firstLines.get(one.write.postId) : undefined
      if (one.write && first === undefined) firstLines.set(one.write.postId, row.line)
      all.push(
        first === undefined
          ? one
          : { ...one, write: null, sentence: `The same as line ${first}, which is imported once.` },
      )
    }
    await yieldToEventLoop()
  }
  return all
}

function askedBy(row: Row, order: DateOrder, { agencyId, clientId, client, zone, as }: Around): Asked {
  if (row.hasMore)
    return {
      row,
      account: null,
      write: null,
      scheduledFor: null,
      sentence: 'It has more columns than the first line names. Put quotation marks around its text.',
    }
  const place = accountOf(row, client)
  if ('sentence' in place) return { row, account: null, write: null, scheduledFor: null, sentence: place.sentence }
  const { accountId, account } = place
  const refused = (sentence: string): Asked => ({ row, account, write: null, scheduledFor: null, sentence })
  const time = timeOf(row, order, zone)
  if (typeof time === 'object' && time !== null) return refused(time.sentence)
  const content = contentSchema.safeParse(row.content)
  if (!content.success) return refused(`${content.error.issues[0]?.message ?? 'The content is wrong'}.`)
  const image = imageUrlSchema.safeParse(row.image)
  if (!image.success) return refused(`Image: ${image.error.issues[0]?.message ?? 'This address is wrong'}.`)
  // The id comes from the row as written: the parsed post would change with the agency's time zone, the row doesn't.
  const postId = idFromKey(
    agencyId,
    'importPosts',
    JSON.stringify([clientId, accountId, row.content, row.date, row.time, row.image]),
  )
  const words = { content: content.data, imageUrl: image.data, scheduledFor: time }
  const write: Write = {
    type: 'WritePost',
    postId,
    clientId,
    accountId,
    platform: account.platform,
    ...words,
    as,
    generation: null,
    plan: null,
    imported: true,
  }
  return { row, account, write, sentence: null, scheduledFor: time }
}

function timeOf({ date, time }: Row, order: DateOrder, zone: string): Instant | null | { readonly sentence: string } {
  if (date === '') return time === '' ? null : { sentence: 'There is a time but no date.' }
  if (date.length > maxDateLength) return { sentence: `“${quoted(date)}” is not a date. Write it like 2026-12-31.` }
  // A date and a time in one column.
  const [datePart = '', ...rest] = date.split(/[T\s]+/)
  const day = readDate(datePart, order)
  if ('sentence' in day) return day
  const clock = readTime(time || rest.join(' ') || usualTime)
  return 'sentence' in clock ? clock : wallClock(day.value, clock.value, zone)
}

type Place = { readonly accountId: string; readonly account: SocialAccount } | { readonly sentence: string }

const plain = (text: string) => text.trim().toLowerCase().replace(/^@/, '')
const otherNames: Readonly<Record<string, Platform>> = {
  x: 'twitter',
  fb: 'facebook',
  ig: 'instagram',
  insta: 'instagram',
}

function accountOf({ platform, account }: Row, client: Client): Place {
  if (platform === '' && account === '') return { sentence: 'Neither a platform nor an account is named.' }
  const named =
    platform === '' ? null : (platforms.find((each) => each === plain(platform)) ?? otherNames[plain(platform)])
  if (named === undefined)
    return { sentence: `“${quoted(platform)}” is not a network. Use facebook, instagram, x or linkedin.` }
  const name = plain(account)
  const fitting = Object.entries(client.accounts).filter(
    ([, each]) =>
      !each.isRemoved &&
      (named === null || each.platform === named) &&
      (account === '' || plain(each.accountName) === name),
  )
  const [only, another] = fitting
  const where = named === null ? '' : ` on ${networkNames[named]}`
  if (!only)
    return {
      sentence:
        account === ''
          ? `This client has no account${where}.`
          : `This client has no account “${quoted(account)}”${where}.`,
    }
  if (another)
    return {
      sentence: `This client has several accounts${account === '' ? where : ` called “${quoted(account)}”`}. Name the ${account === '' ? 'account' : 'platform'} too.`,
    }
  return { accountId: only[0], account: only[1] }
}
