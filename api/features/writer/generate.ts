/**
 * Generates texts on request: checks limits, writes, and records each text. Nothing is recorded for a client that has
 * disconnected.
 */
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { standingOf } from '../../../domain/agency/state.ts'
import type { Views } from '../../../projections/registry.ts'
import { mustHaveClient } from '../clients/routes.ts'
import type { Budgets } from '../usage/budgets.ts'
import { retryAfter, shortWaitInWords, waitInWords } from '../../core/wait-in-words.ts'
import type { Clock } from '../../core/clock.ts'
import type { Reply, Routes, WritingEvent } from '../../contract/index.ts'
import type { Commands } from '../../core/commands.ts'
import { openLine } from '../../http/events.ts'
import { accepted, type Ask, type Handlers } from '../../http/handler.ts'
import { problemOfError } from '../../http/guard.ts'
import { Problem } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import { Limiter } from '../../http/limiter.ts'
import { nothingLost, WriterError, type Brief, type Listener, type Writer } from './port.ts'
import { lastTextsOf, toneOf } from './voice.ts'

export interface GeneratePorts {
  readonly budgets: Pick<Budgets, 'texts' | 'log'>
  readonly commands: Commands
  readonly views: Views
  readonly writer: Writer
  readonly clock: Clock
  readonly log: Logger
}

type Asked = Ask<Routes['generateContent']>
type Written = Pick<Reply<Routes['generateContent']>, 'content' | 'generationId' | 'source'>

const perMinute = 30
const longestMs = 60_000

export function generateHandlers({
  commands,
  views,
  writer,
  clock,
  log,
  budgets,
}: GeneratePorts): Handlers<'generateContent'> {
  const limiter = new Limiter({ points: perMinute, seconds: 60 })

  async function briefFor(ask: Asked): Promise<Brief> {
    const { agencyId, body } = ask
    const agency = await ask.loadAgency()
    await mustHaveClient(ask, body.clientId)
    const standing = standingOf(agency, clock.now())
    if (standing !== 'good') throw problemOf({ reason: 'subscription-needed', standing })
    const wait = await limiter.waitFor(agencyId, body.variants)
    if (wait > 0) throw tooManyTexts(wait)
    const client = agency.clients[body.clientId]
    if (!client) throw new Problem(404, 'not-found', "This client doesn't exist.")
    // A text that could not be recorded would be paid for in vain.
    const usedUp = await budgets.log.usedUp(agencyId)
    if (usedUp) throw problemOf(usedUp)
    const untilTomorrow = await budgets.texts.take(agencyId, body.variants)
    if (untilTomorrow > 0) throw enoughTextsToday(budgets.texts.options.limit, untilTomorrow)
    const recent = await lastTextsOf(views, body.clientId)
    const { platform, rewrite } = body
    const topic = body.topic || `rewrite: ${rewrite?.how ?? ''}`
    return { client, platform, topic, tone: toneOf(client, body.tone), recent, ...(rewrite && { rewrite }) }
  }

  async function written(
    { body: { clientId }, by, visible }: Asked,
    brief: Brief,
    signal: AbortSignal,
    listener: Listener | undefined,
  ): Promise<Written> {
    const { content, source, model, tokens } = await writer.write(brief, signal, listener)
    signal.throwIfAborted()
    const generationId = uuidv7()
    const { platform, topic, tone } = brief
    const { appendedEvents } = accepted(
      await commands.generation(
        clientId,
        { type: 'RecordGeneration', generationId, writer: source, model, platform, topic, tone, content, tokens },
        by,
      ),
    )
    await visible(appendedEvents)
    return { content, source, generationId }
  }

  return {
    async generateContent(ask) {
      const gone = ask.gone()
      const brief = await briefFor(ask)
      const signal = AbortSignal.any([gone, AbortSignal.timeout(longestMs)])
      const line = openLine<WritingEvent>()
      const texts = several(writer, ask.body.variants, brief, async (each, index) => {
        const listener: Listener = {
          part: (text) => line.tell({ event: 'delta', index, text }),
          again: () => line.tell({ event: 'again', index }),
        }
        const text = await written(ask, each, signal, ask.wantsEvents ? listener : undefined)
        line.tell({ event: 'done', index, ...text })
        return text
      })
      const ended = Promise.allSettled(texts)
      if (ask.wantsEvents && (await Promise.race([line.begun.then(() => true), ended.then(() => line.hasBegun)]))) {
        const result = texts.map((text, index) =>
          text.catch((error: unknown) => {
            const problem = problemFrom(error, gone)
            if (!gone.aborted && problem.type !== 'no-model')
              log.warn({ err: problem, correlationId: ask.requestId }, 'Could not write a text')
            line.tell({ event: 'failed', index, sentence: problem.message })
          }),
        )
        return { stream: (to) => line.readTo(to, Promise.allSettled(result)) }
      }
      const all = await ended
      const [first, ...others] = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      if (!first) throw problemFrom(all[0]?.status === 'rejected' ? all[0].reason : undefined, gone)
      return {
        body: {
          ...first,
          ...(others.length > 0 && { others: others.map(({ content, generationId }) => ({ content, generationId })) }),
        },
      }
    },
  }
}

/**
 * Each independently, so that one failure does not affect the others. The model is told the variant's number; the
 * template writer is given the earlier variants.
 */
function several(
  writer: Writer,
  count: number,
  brief: Brief,
  one: (brief: Brief, index: number) => Promise<Written>,
): readonly Promise<Written>[] {
  const briefs = Array.from({ length: count }, (_, variant) => (count === 1 ? brief : { ...brief, variant }))
  if (writer.source === 'openai') return briefs.map(one)
  const before: string[] = []
  let turn: Promise<unknown> = Promise.resolve()
  return briefs.map((each, index) => {
    const text = turn.then(async () => {
      const result = await one({ ...each, recent: [...before, ...each.recent] }, index)
      before.push(result.content)
      return result
    })
    turn = text.catch(() => undefined)
    return text
  })
}

function tooManyTexts(waitMs: number): Problem {
  const sentence = `That was a lot of texts in a short time. ${nothingLost} You can have the next one in ${shortWaitInWords(waitMs)}.`
  return new Problem(429, 'too-many', sentence, { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) })
}

function enoughTextsToday(limit: number, waitMs: number): Problem {
  const sentence = `Your agency has had ${limit.toLocaleString('en-US')} texts written since midnight UTC, which is as many as this server writes a day. ${nothingLost} You can have the next one in ${waitInWords(waitMs)}.`
  return new Problem(429, 'too-many', sentence, retryAfter(waitMs))
}

function problemFrom(error: unknown, gone: AbortSignal): Problem {
  if (gone.aborted) return new Problem(408, 'gone', 'The request was canceled, so no text was written.')
  if (error instanceof Problem) return error
  if (error instanceof WriterError) {
    const { message, retryAfterMs, isFinal, needsModel, cause } = error
    if (isFinal) return new Problem(409, 'not-of-this-text', message)
    if (needsModel) return new Problem(503, 'no-model', message)
    return new Problem(
      503,
      'writer',
      message,
      retryAfterMs === undefined ? {} : { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) },
      cause,
    )
  }
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new Problem(503, 'writer', 'Writing took too long. Nothing you typed is lost. Please try again.')
  return problemOfError(error)
}
