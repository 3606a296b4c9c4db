/** A server with a model, and a user who generates texts. */
import pino from 'pino'
import type { ApiClient } from '../../../http/client.ts'
import type { Routes, SentBody } from '../../../contract/index.ts'
import { generationsOf } from '../../../testing/generations.ts'
import { brand, owner, testServer, type TestServer } from '../../../testing/server.ts'
import { post, startTestAi, usualText, type Act, type TestAi } from './fake-openai.ts'

export type Wanted = Partial<SentBody<Routes['generateContent']>>

/** A user with an own agency, because requests are limited per agency. */
export interface Asking {
  readonly caller: ApiClient
  readonly clientId: string
  /** The server's address. */
  readonly url: string
  bodyOf(wanted?: Wanted): SentBody<Routes['generateContent']>
  /** The events recorded for the client. */
  recorded(): Promise<readonly unknown[]>
}

export interface WriterStage {
  readonly ai: TestAi
  readonly server: TestServer
  /** Every line of the log. */
  readonly lines: readonly string[]
  enter(on?: TestServer): Promise<Asking>
  /** A server whose requests to the model soon time out; the others' timeout is longer than any test. */
  impatient(): Promise<TestServer>
  /** A server with other environment variables. */
  start(env: Readonly<Record<string, string>>): Promise<TestServer>
  close(): Promise<void>
}

export async function openWriterStage(): Promise<WriterStage> {
  const ai = await startTestAi()
  const lines: string[] = []
  const start = (env: Readonly<Record<string, string>>) =>
    testServer(
      { ...ai.env, OPENAI_TIMEOUT_MS: '50000', ...env },
      { log: pino({ level: 'debug' }, { write: (text: string) => void lines.push(text) }) },
    )
  const server = await start({})
  return {
    ai,
    server,
    lines,
    start,
    impatient: () => start({ OPENAI_TIMEOUT_MS: '100' }),
    async enter(on = server) {
      const caller = await owner(on)
      const { clientId } = await brand(caller, 'twitter')
      return {
        caller,
        clientId,
        url: on.url,
        bodyOf: (wanted = {}) => ({ clientId, platform: 'twitter', topic: 'Autumn breads', ...wanted }),
        recorded: () => generationsOf(on.commands.ports.events, clientId),
      }
    },
    async close() {
      await server.remove()
      await ai.close()
    },
  }
}

export const long = post('Very long. '.repeat(40))
const endless = post('On and on. '.repeat(600))
export const linked = post('Read it all on https://evil.example/now')

/** The model's failures, and the message to the user. */
export const failures: readonly (readonly [string, readonly Act[], RegExp])[] = [
  ['declines', [{ does: 'refuse' }], /^The AI declined to write this\. Nothing you typed is lost\./],
  ['is stopped by its filter', [{ does: 'answer', text: '', finish: 'content_filter' }], /^The AI declined/],
  [
    'has too much to do',
    [{ does: 'fail', status: 429, headers: { 'Retry-After': '20' } }],
    /too much to do right now\. .*Try again in 20 seconds\.$/,
  ],
  [
    'has no credit left',
    [{ does: 'fail', status: 429, error: { message: 'You exceeded your quota', code: 'insufficient_quota' } }],
    /credit is used up/,
  ],
  ['has trouble', [{ does: 'fail', status: 500 }], /trouble of its own/],
  [
    'does not know the model',
    [{ does: 'fail', status: 404, error: { code: 'model_not_found' } }],
    /doesn't know the model/,
  ],
  ['is cut off in the middle', [{ does: 'cut', text: post(usualText), how: 'reset' }], /broke off|can't be reached/],
  [
    'answers what is no JSON, twice',
    [
      { does: 'answer', text: 'Hello' },
      { does: 'answer', text: '{"content": ' },
    ],
    /can't be read as a post, twice/,
  ],
  [
    'writes too much, twice',
    [
      { does: 'answer', text: long },
      { does: 'answer', text: long },
    ],
    /more than the 280 characters that X \(Twitter\) takes, twice/,
  ],
  [
    'is cut off at its measure, twice',
    [
      { does: 'answer', text: post('Whole?'), finish: 'length' },
      { does: 'answer', text: post('Whole?'), finish: 'length' },
    ],
    /cut off before its end, twice/,
  ],
  [
    'goes on and on, twice',
    [
      { does: 'answer', text: endless },
      { does: 'answer', text: endless },
    ],
    /cut off before its end, twice/,
  ],
  [
    'leaves a gap, twice',
    [
      { does: 'answer', text: post('Order on [link]') },
      { does: 'answer', text: post('By [Your Name]') },
    ],
    /left placeholders, twice: “\[Your Name\]”/,
  ],
  [
    'writes nothing, twice',
    [
      { does: 'answer', text: post(' ') },
      { does: 'answer', text: '{"content":""}' },
    ],
    /wrote nothing, twice/,
  ],
  [
    'invents a link, twice',
    [
      { does: 'answer', text: linked },
      { does: 'answer', text: linked },
    ],
    /facts that it was not given: “https:\/\/evil\.example\/now”/,
  ],
  [
    'invents a price, twice',
    [
      { does: 'answer', text: post('Only $5!') },
      { does: 'answer', text: post('Only $4!') },
    ],
    /“\$4”/,
  ],
]
