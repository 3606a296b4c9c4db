/** A server with OpenAI's protocol over real HTTP, scripted by tests. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

export type Act =
  /** The raw answer. */
  | { readonly does: 'answer'; readonly text: string; readonly finish?: string }
  /** A streamed answer; the part after the first characters waits for `until`. */
  | { readonly does: 'hold'; readonly text: string; readonly first: number; readonly until: Promise<void> }
  | { readonly does: 'refuse' }
  | {
      readonly does: 'fail'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly error?: object
    }
  | { readonly does: 'wait' }
  /** Ends the connection after some chunks, by a reset or cleanly. */
  | { readonly does: 'cut'; readonly text: string; readonly how: 'reset' | 'end' }
  /** Answers a streaming request with one JSON body. */
  | { readonly does: 'whole'; readonly text: string }

export interface Question {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly stream?: boolean
  readonly response_format?: object
  readonly stream_options?: object
}

export interface TestAi {
  /** The environment variables that connect a server to it. */
  readonly env: Readonly<Record<string, string>>
  readonly key: string
  /** Every request, in order. */
  readonly asked: readonly Question[]
  /** The number of requests that were cancelled before their answer. */
  readonly abandoned: () => number
  /** Scripts the next requests, one act each; later ones get the usual text. */
  next(...acts: readonly Act[]): void
  /** Discards the scripted acts. */
  forget(): void
  /** Rejects structured output and the newer options. */
  old: boolean
  close(): Promise<void>
}

export const post = (content: string) => JSON.stringify({ content })
export const usualText = 'Fresh bread at seven, still warm. What do you put on yours?'
/** The tokens reported for each answer. */
export const tokensEach = 120

const pieces = (text: string) => text.match(/[\s\S]{1,6}/g) ?? []

export async function startTestAi(): Promise<TestAi> {
  const key = 'sk-test-4f9c2b7d81e6a05c3d'
  const asked: Question[] = []
  const acts: Act[] = []
  let abandoned = 0

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    if (request.url !== '/v1/chat/completions') return fail(response, 404, { message: 'Unknown address' })
    // Like the real service, it quotes the rejected key.
    if (request.headers.authorization !== `Bearer ${key}`)
      return fail(response, 401, {
        message: `Incorrect API key provided: ${request.headers.authorization}`,
        code: 'invalid_api_key',
      })
    const question = JSON.parse(body) as Question
    asked.push(question)
    if (ai.old && (question.response_format ?? question.stream_options))
      return fail(response, 400, { message: "Unknown parameter: 'response_format'", code: 'unknown_parameter' })
    response.once('close', () => (abandoned += response.writableEnded ? 0 : 1))
    const act = acts.shift() ?? { does: 'answer', text: post(usualText) }
    await (question.stream ? stream(response, act) : whole(response, act))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const ai: TestAi = {
    env: {
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      OPENAI_MODEL: 'gpt-test',
    },
    key,
    asked,
    abandoned: () => abandoned,
    next: (...wanted) => void acts.push(...wanted),
    forget: () => void acts.splice(0),
    old: false,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return ai
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

function fail(
  response: ServerResponse,
  status: number,
  error: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify({ error }))
}

const usage = { prompt_tokens: 100, completion_tokens: tokensEach - 100, total_tokens: tokensEach }

async function whole(response: ServerResponse, act: Act): Promise<void> {
  const tell = (message: object, finish_reason: string) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(
      JSON.stringify({
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
        usage,
      }),
    )
  switch (act.does) {
    case 'hold':
      await act.until
      return void tell({ content: act.text }, 'stop')
    case 'answer':
      return void tell({ content: act.text }, act.finish ?? 'stop')
    case 'whole':
      return void tell({ content: act.text }, 'stop')
    case 'refuse':
      return void tell({ content: null, refusal: "I'm sorry, I can't help with that." }, 'stop')
    case 'fail':
      return fail(response, act.status, act.error ?? { message: 'It went wrong' }, act.headers)
    case 'wait':
      return
    case 'cut':
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 }).write('{"choices":')
      await turn()
      return void response.destroy()
  }
}

async function stream(response: ServerResponse, act: Act): Promise<void> {
  if (act.does === 'fail' || act.does === 'wait' || act.does === 'whole') return whole(response, act)
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  const send = async (data: object) => {
    response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', ...data })}\n\n`)
    // Each chunk in a packet of its own, as over a network.
    await turn()
  }
  const say = (delta: object, finish_reason: string | null = null) =>
    send({ choices: [{ index: 0, delta, finish_reason }] })
  if (act.does === 'refuse') await say({ refusal: "I'm sorry, I can't help with that." })
  else {
    const all = pieces(act.text)
    const first = act.does === 'hold' ? act.first : act.does === 'cut' ? Math.ceil(all.length / 2) : all.length
    for (const content of all.slice(0, first)) await say({ content })
    if (act.does === 'cut') return void (act.how === 'end' ? response.end() : response.destroy())
    if (act.does === 'hold') await act.until
    for (const content of all.slice(first)) await say({ content })
  }
  await say({}, act.does === 'answer' ? (act.finish ?? 'stop') : 'stop')
  await send({ choices: [], usage })
  response.end('data: [DONE]\n\n')
}
