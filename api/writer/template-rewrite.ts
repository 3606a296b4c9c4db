/** Other versions of a text, as far as they can honestly be made without a model: by leaving out, and by asking a question at the end. */
import { textLength, textLimits } from '../../domain/core/text-limits.ts'
import type { Platform } from '../../domain/core/values.ts'
import { invitations, type Pick, type Voice } from './phrases.ts'
import type { Brief } from './port.ts'

type Rewritten = { readonly content: string } | { readonly sentence: string; /** The text is why, not that there is no model. */ readonly isFinal?: true }

const notConnected = 'AI is not connected on this server, so this takes a person.'

export function rewrittenByTemplate(platform: Platform, { text, how }: NonNullable<Brief['rewrite']>, voice: Voice, pick: Pick): Rewritten {
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
/** Hashtags stand at the end, and belong to what is kept. */
const tagsAtEnd = /(?:\s+#[\p{L}\p{M}\p{N}_]+)+$/u

/** Whole sentences from the start, up to about the half; the hashtags stay. */
function shortened(text: string): Rewritten {
  const tags = tagsAtEnd.exec(text)?.[0] ?? ''
  const body = text.slice(0, text.length - tags.length)
  const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(body)].map(({ segment }) => segment)
  if (sentences.length < 2) return { sentence: `${notConnected} This is a single sentence already, so there is none to leave out.` }
  const most = body.length * share
  let kept = sentences[0] ?? ''
  for (const sentence of sentences.slice(1)) {
    if (kept.length + sentence.length > most) break
    kept += sentence
  }
  return { content: kept.trim() + tags }
}

/** Before the hashtags, where it is read. */
function invited(platform: Platform, text: string, invitation: string): Rewritten {
  const tags = tagsAtEnd.exec(text)?.[0] ?? ''
  const content = `${text.slice(0, text.length - tags.length).trimEnd()}\n\n${invitation}${tags}`
  if (textLength(platform, content) <= textLimits[platform]) return { content }
  return { sentence: 'There is no room left for a call to action. Make the text shorter first.', isFinal: true }
}
