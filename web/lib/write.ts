/** Texts from the writer, in a client's voice. */
import { createParser } from 'eventsource-parser'
import {
  defaultTone,
  type Client,
  type Platform,
  type Rewrite,
  type Routes,
  type SentBody,
  type SocialAccount,
  type WritingEvent,
} from '../../api/contract/index.ts'
import { addressOf, reach } from './call.ts'
import { errorText, statusOf } from './error-text.ts'
import { agencyOfPage } from './page-agency.ts'
import { words } from './words.ts'
import { writingEventOf } from './writing-events.ts'

export type Wish = SentBody<Routes['generateContent']>

const route = 'POST /api/generate-content'
/** A text of the longest network's length, escaped, fits many times. */
const maxEventCharacters = 2_000_000

/** Asks for texts, and hears them while they are written. @throws Error as any call does, when nothing was told yet */
export async function hearTexts(wish: Wish, hear: (event: WritingEvent) => void, signal: AbortSignal): Promise<void> {
  const response = await reach(addressOf(route, { body: wish }), {
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...agencyOfPage.header() },
    body: JSON.stringify(wish),
    signal,
  })
  if (response.headers.get('X-Membership') === 'another') location.assign('/')
  if (!response.ok || response.body === null)
    throw new Error(`${response.status}: ${(await response.text()) || response.statusText}`)
  const parser = createParser({
    onEvent: (message) => hear(writingEventOf(message)),
    maxBufferSize: maxEventCharacters,
  })
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) parser.feed(piece.value)
}

/** Another text for a post that is there already. @throws Error when it isn't known whose */
export function anotherFor(client: Client | undefined, account: SocialAccount | undefined): Wish {
  if (!client || !account) throw new Error(words.unknownAccount)
  return {
    clientId: client.id,
    platform: account.platform,
    topic: 'regenerate',
    tone: client.toneOfVoice || defaultTone,
  }
}

/** Another version of a text. */
export const versionOf = (
  client: Client,
  platform: Platform,
  text: string,
  how: Rewrite,
  tone = client.toneOfVoice,
): Wish => ({
  clientId: client.id,
  platform,
  tone: tone || defaultTone,
  rewrite: { text, how },
})

/** The error of a rewrite, as its dialog shows it. */
export function notRegenerated(error: unknown): Error {
  const status = statusOf(error)
  if (status !== null) return new Error(`${status}: ${words.notGenerated(errorText(error))}`, { cause: error })
  return error instanceof Error ? error : new Error(errorText(error))
}
