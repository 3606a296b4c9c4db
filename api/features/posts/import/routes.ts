import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../../core/clock.ts'
import { standingOf } from '../../../../domain/agency/state.ts'
import { problemsWith } from '../../../../domain/core/preflight.ts'
import { yieldToEventLoop } from '../../../../domain/event-store/yield-to-event-loop.ts'
import { mustHaveClient } from '../../clients/routes.ts'
import { maxImportRows, type ImportRow } from '../../../contract/import.ts'
import { problemSentence } from '../../../contract/post-problems.ts'
import type { CommandContext, AppendedEvent } from '../../../core/command-handler.ts'
import type { Commands } from '../../../core/commands.ts'
import type { Handlers } from '../../../http/handler.ts'
import { problemOf } from '../../../http/sentences.ts'
import { batchesOf } from './batches.ts'
import { readHeader, readRows } from './read.ts'
import { asked, type Asked, type Write } from './rows.ts'

/**
 * The limit on rows judged concurrently. Rows are written one after the other, so that the list keeps the file's order.
 */
const judgedAtOnce = 20
const shownCharacters = 160
/**
 * Limits on the reported address and sentence, because a cell may be as long as the file. A longer address is refused
 * anyway.
 */
const maxAddress = 2_048
const maxSentence = 400

type Verdict = Pick<ImportRow, 'verdict' | 'sentence' | 'postId'> & {
  readonly appendedEvents: readonly AppendedEvent[]
}

export function importHandlers({
  commands,
}: {
  readonly commands: Commands
}): Handlers<'importPosts' | 'readImportHeader'> {
  // Each row loads agency and client anew: a file takes seconds, in which they can be removed.
  async function judge(write: Write, by: CommandContext): Promise<Verdict> {
    const result = await commands.judge(write, by)
    // Judging the longest text once takes half the time that a request may block the event loop.
    await yieldToEventLoop()
    if ('refused' in result) return refused(result.refused)
    return {
      ...(result.isNew ? { verdict: 'ready', postId: null, sentence: noteOn(write) } : known(write)),
      appendedEvents: [],
    }
  }

  async function take(write: Write, by: CommandContext): Promise<Verdict> {
    const result = await commands.post(write.postId, write, by)
    if ('refused' in result) return refused(result.refused)
    const { appended, appendedEvents } = result
    return {
      ...(appended > 0 ? { verdict: 'written', postId: write.postId, sentence: noteOn(write) } : known(write)),
      appendedEvents,
    }
  }

  return {
    async readImportHeader(ask) {
      await mustHaveClient(ask, ask.params.id)
      return { body: await readHeader(await ask.body.read()) }
    },

    async importPosts(ask) {
      const { agencyId, by, body, params, query, aggregates } = ask
      const clientId = params.id
      await mustHaveClient(ask, clientId)
      const agency = await ask.loadAgency()
      const standing = standingOf(agency, commands.ports.clock.now())
      if (standing !== 'good') throw problemOf({ reason: 'subscription-needed', standing })
      const { state: client } = await commands.loadClient(clientId, aggregates)
      const all = await asked(await readRows(await body.read(), query.columns), {
        agencyId,
        clientId,
        client,
        zone: agency.timeZone,
        as: query.status,
      })
      const { from = 0, count = maxImportRows } = query
      const wanted = all.slice(from, from + count)
      const [act, atOnce] = query.dryRun ? [judge, judgedAtOnce] : [take, 1]
      const verdicts: Verdict[] = []
      for (const batch of batchesOf(wanted, ({ row }) => row.content.length, atOnce)) {
        const some = batch.map(({ write, sentence }) => (write ? act(write, by) : unusable(sentence)))
        verdicts.push(...(await Promise.all(some)))
        // Lists are sorted by time in milliseconds: each row gets one of its own, to keep the file's order.
        await (query.dryRun ? yieldToEventLoop() : nextMillisecond(commands.ports.clock))
      }
      await ask.visible(verdicts.flatMap(({ appendedEvents }) => appendedEvents))
      return { body: { total: all.length, rows: wanted.map((one, at) => rowOf(one, verdicts[at])) } }
    },
  }
}

/** A timer of 1 ms may end within the same millisecond. The limit is for a clock that stands still. */
async function nextMillisecond(clock: Clock): Promise<void> {
  const now = clock.now()
  for (let tries = 0; tries < 5 && clock.now() === now; tries++) await setTimeout(1)
}

const unusable = (sentence: string | null): Verdict => ({
  verdict: 'refused',
  sentence,
  postId: null,
  appendedEvents: [],
})

function refused(refusal: Parameters<typeof problemOf>[0]): Verdict {
  // The row's id belongs to a changed or deleted post, so the row was imported before.
  if (refusal.reason === 'id-taken')
    return { verdict: 'known', sentence: 'Imported before.', postId: null, appendedEvents: [] }
  if (refusal.reason === 'made-and-deleted')
    return { verdict: 'known', sentence: 'Imported before, and deleted since.', postId: null, appendedEvents: [] }
  return unusable(problemOf(refusal).message)
}

const known = ({ postId }: Write) => ({ verdict: 'known', sentence: 'Imported before.', postId }) as const

/** A warning for a draft that its network won't accept as it is. */
function noteOn({ platform, content, imageUrl, as }: Write): string | null {
  const [problem] = as !== 'draft' ? [] : problemsWith({ platform, content, hasImage: imageUrl !== null, image: null })
  return problem ? `${problemSentence(problem)} It can be imported as a draft.` : null
}

const rowOf = ({ row, account, scheduledFor }: Asked, verdict: Verdict = unusable(null)): ImportRow => ({
  line: row.line,
  verdict: verdict.verdict,
  sentence: verdict.sentence?.slice(0, maxSentence).toWellFormed() ?? null,
  content: Array.from(row.content.slice(0, 2 * shownCharacters))
    .slice(0, shownCharacters)
    .join(''),
  platform: account?.platform ?? null,
  accountName: account?.accountName ?? null,
  scheduledFor,
  imageUrl: row.image.slice(0, maxAddress) || null,
  postId: verdict.postId,
})
