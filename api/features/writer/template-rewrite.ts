/**
 * Rewrites a text as far as that is possible without a model: by omitting sentences, and by adding a question at the
 * end.
 */
import { segmentsOf } from '../../../domain/core/segments.ts'
import { textLength, textLimits } from '../../../domain/core/text-limits.ts'
import type { Platform } from '../../../domain/core/values.ts'
import { invitations, type Pick, type Voice } from './phrases.ts'
import type { Brief } from './port.ts'

type Rewritten =
  | { readonly content: string }
  | { readonly sentence: string; /** The text is the reason, not the missing model. */ readonly isFinal?: true }

const notConnected = 'AI is not connected on this server, so this takes a person.'

export function rewrittenByTemplate(
  platform: Platform,
  { text, how }: NonNullable<Brief['rewrite']>,
  voice: Voice,
  pick: Pick,
): Rewritten {
  switch (how) {
    case 'shorter':
      return shortened(text.trim())
    case 'call-to-action':
      return invited(platform, text.trim(), pick(invitations[voice]))
    case 'longer':
      return { sentence: `${notConnected} A longer text needs something new to say.` }
    case 'casual':
      return { sentence: `${notConnected} Making a text shorter and adding a call to action work without it.` }
  }
}

const share = 0.7
const hashtag = /^#[\p{L}\p{M}\p{N}_]+$/u
const spaces = /(\s+)/u
const sentenceSegmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The hashtags at the end of a text, each with its leading space. */
function tagsAtEnd(text: string): string {
  const words = text.split(spaces)
  let first = words.length
  while (first >= 2 && hashtag.test(words[first - 1] ?? '')) first -= 2
  return words.slice(first).join('')
}

/** Whole sentences from the start, up to about half the text; the hashtags stay. */
function shortened(text: string): Rewritten {
  const tags = tagsAtEnd(text)
  const body = text.slice(0, text.length - tags.length)
  const sentences = [...segmentsOf(sentenceSegmenter, body)]
  if (sentences.length < 2)
    return { sentence: `${notConnected} This is a single sentence already, so there is none to leave out.` }
  const maxLength = body.length * share
  let kept = sentences[0] ?? ''
  for (const sentence of sentences.slice(1)) {
    if (kept.length + sentence.length > maxLength) break
    kept += sentence
  }
  return { content: kept.trim() + tags }
}

/** Inserts the invitation before the hashtags. */
function invited(platform: Platform, text: string, invitation: string): Rewritten {
  const tags = tagsAtEnd(text)
  const content = `${text.slice(0, text.length - tags.length).trimEnd()}\n\n${invitation}${tags}`
  if (textLength(platform, content) <= textLimits[platform]) return { content }
  return { sentence: 'There is no room left for a call to action. Make the text shorter first.', isFinal: true }
}
