/** One request to a server with OpenAI's protocol, and its answer: whole or streamed. */
import OpenAI, { BadRequestError, UnprocessableEntityError } from 'openai'
import { z } from 'zod'
import { answerSchema } from './answer.ts'
import type { OpenAiSettings } from './config.ts'
import { brokeOff, declined, tookTooLong, unreadable, writerErrorOf } from './openai-errors.ts'
import type { Message } from './prompt.ts'

export interface Answer {
  readonly text: string
  /** The tokens reported by the server; null when it doesn't report any. */
  readonly tokens: number | null
  /** Cut off by the server's limit or by ours. */
  readonly isCut: boolean
}

export interface StreamOptions {
  readonly signal: AbortSignal
  /** A longer answer is not the wanted text, and is read no further. */
  readonly maxCharacters: number
  /** Called with each chunk of the answer. */
  readonly onPiece?: ((piece: string) => void) | undefined
}

export type Ask = (messages: readonly Message[], options: StreamOptions) => Promise<Answer>

const { $schema: _, ...schema } = z.toJSONSchema(answerSchema)
const form = { type: 'json_schema', json_schema: { name: 'post', strict: true, schema } } as const

const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ total_tokens: z.int() }).nullish(),
})
const chunk = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: z.object({ total_tokens: z.int() }).nullish(),
})

export function openAiQuestions({ apiKey, baseUrl, model, timeoutMs }: OpenAiSettings): Ask {
  // No automatic retries: the user is waiting, and decides about a retry.
  const client = new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0, timeout: timeoutMs, logLevel: 'off' })
  /** Whether the server was found to support only the oldest form of the protocol. */
  let isPlain = false

  async function once(
    plainly: boolean,
    messages: readonly Message[],
    { signal, maxCharacters, onPiece }: StreamOptions,
  ): Promise<Answer> {
    const question = { model, messages: [...messages], ...(plainly ? {} : { response_format: form }) }
    if (!onPiece) return wholeOf(await client.chat.completions.create(question, { signal }), maxCharacters)
    const asked = client.chat.completions.create(
      { ...question, stream: true, ...(plainly ? {} : { stream_options: { include_usage: true } }) },
      { signal },
    )
    const { data, response } = await asked.withResponse()
    // Not every server streams.
    if (response.headers.get('content-type')?.includes('json')) return wholeOf(await response.json(), maxCharacters)
    return streamed(data, maxCharacters, onPiece)
  }

  return async (messages, options) => {
    const { signal } = options
    const late = AbortSignal.timeout(timeoutMs)
    const either = { ...options, signal: AbortSignal.any([signal, late]) }
    try {
      return await once(isPlain, messages, either).catch(async (error: unknown) => {
        if (isPlain || !(error instanceof BadRequestError || error instanceof UnprocessableEntityError)) throw error
        const answer = await once(true, messages, either)
        isPlain = true
        return answer
      })
    } catch (error) {
      signal.throwIfAborted()
      throw late.aborted ? tookTooLong() : writerErrorOf(error, apiKey)
    }
  }
}

function wholeOf(body: unknown, maxCharacters: number): Answer {
  const read = completion.safeParse(body)
  const [choice] = read.data?.choices ?? []
  if (!choice) throw unreadable()
  if (choice.message.refusal || choice.finish_reason === 'content_filter') throw declined()
  const text = choice.message.content ?? ''
  const isCut = choice.finish_reason === 'length' || text.length > maxCharacters
  return { text: text.slice(0, maxCharacters), tokens: read.data?.usage?.total_tokens ?? null, isCut }
}

async function streamed(
  chunks: AsyncIterable<unknown>,
  maxCharacters: number,
  onPiece: (piece: string) => void,
): Promise<Answer> {
  let text = ''
  let tokens: number | null = null
  let refused = false
  let ended: string | null = null
  for await (const each of chunks) {
    const read = chunk.safeParse(each)
    if (!read.success) throw unreadable()
    const [choice] = read.data.choices
    tokens = read.data.usage?.total_tokens ?? tokens
    refused ||= Boolean(choice?.delta?.refusal)
    ended = choice?.finish_reason ?? ended
    const piece = choice?.delta?.content ?? ''
    text += piece
    if (text.length > maxCharacters) return { text, tokens, isCut: true }
    if (piece !== '') onPiece(piece)
  }
  if (refused || ended === 'content_filter') throw declined()
  if (ended === null) throw brokeOff()
  return { text, tokens, isCut: ended === 'length' }
}
