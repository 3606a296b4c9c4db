/** Writes without AI: composes a post from the client's own fields, marks it as such, and claims nothing else. */
import { segmentsOf } from '../../../domain/core/segments.ts'
import { textLength, textLimits } from '../../../domain/core/text-limits.ts'
import { trimEndOf } from '../../../domain/core/trim-end.ts'
import type { Platform } from '../../../domain/core/values.ts'
import { shapesFor, type Facts, type Outline, type Pick, type Voice } from './phrases.ts'
import { WriterError, type Brief, type Draft, type Writer } from './port.ts'
import { rewrittenByTemplate } from './template-rewrite.ts'

export interface TemplateWriterOptions {
  /** Like `Math.random`; the same numbers give the same post. */
  readonly random: () => number
}

/** The number of posts composed, of which the one least like the recent posts is used. */
const tries = 24
/** The number of characters of each recent post compared: more than this writer writes. */
const maxRecentLength = 4_000

export function createTemplateWriter({ random }: TemplateWriterOptions): Writer {
  const pick: Pick = (options) => options[Math.floor(random() * options.length)] ?? options[0]

  return {
    source: 'template',
    model: null,
    async write(brief: Brief, signal: AbortSignal): Promise<Draft> {
      signal.throwIfAborted()
      const facts = factsOf(brief)
      if (brief.rewrite) {
        const rewritten = rewrittenByTemplate(brief.platform, brief.rewrite, facts.voice, pick)
        if ('sentence' in rewritten) {
          const isFinal = rewritten.isFinal ?? false
          throw new WriterError(rewritten.sentence, { isFinal, needsModel: !isFinal })
        }
        return { ...rewritten, source: 'template', model: null, tokens: null }
      }
      const tags = tagsOf(brief, facts)
      const recent = brief.recent.map((text) => wordsOf(text.slice(0, maxRecentLength)))
      let best = { content: '', likeness: Infinity }
      for (let left = tries; left > 0; left--) {
        const content = compose(brief.platform, facts, tags, pick)
        const words = wordsOf(content)
        const likeness = Math.max(0, ...recent.map((other) => likenessOf(words, other)))
        if (likeness < best.likeness) best = { content, likeness }
      }
      return { content: best.content, source: 'template', model: null, tokens: null }
    },
  }
}

function compose(platform: Platform, facts: Facts, tags: readonly string[], pick: Pick): string {
  const [first, ...others] = shapesFor(facts).flatMap((shape) => shape(facts, pick) ?? [])
  if (!first) throw new Error('No post template suits the known facts')
  return fitted(platform, pick([first, ...others]), tags)
}

/**
 * Omits the least important parts until the text fits. The lead alone always fits, because facts are clipped for that.
 */
function fitted(platform: Platform, { lead, middle, close }: Outline, tags: readonly string[]): string {
  const fits = (text: string) => textLength(platform, text) <= textLimits[platform]
  const tagLine = tags.length > 0 ? [tags.join(' ')] : []
  for (let kept = middle.length; kept >= 0; kept--) {
    const text = [lead, ...middle.slice(0, kept), close].join('\n\n')
    const tagged = [text, ...tagLine].join('\n\n')
    if (fits(tagged)) return tagged
    if (fits(text)) return text
  }
  return lead
}

/** The longest name, topic, audience or industry, in code points; on X two of them fit even if each counts double. */
const factLengths: Readonly<Record<Platform, number>> = { facebook: 300, instagram: 300, twitter: 60, linkedin: 300 }
const aboutLengths: Readonly<Record<Platform, number>> = { facebook: 400, instagram: 300, twitter: 130, linkedin: 400 }

function factsOf({ client, platform, topic, tone }: Brief): Facts {
  const wanted = tidy(topic)
  const maxLength = factLengths[platform]
  const optional = (text: string | null) => {
    const known = capitalised(trimEndOf(tidy(text ?? ''), punctuation))
    return known === '' ? null : clipped(known, maxLength)
  }
  return {
    name: clipped(tidy(client.name), maxLength),
    topic: wanted.toLowerCase() === 'regenerate' ? null : optional(wanted),
    audience: optional(client.targetAudience),
    industry: optional(client.industry),
    about: aboutOf(client.description, aboutLengths[platform]),
    voice: voiceOf(tone || client.toneOfVoice || ''),
  }
}

const punctuation = '.:;,'
const sentenceSegmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
const tidy = (text: string) => text.replace(/\s+/gu, ' ').trim()
const capitalised = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
/** Clipped at the end of a word if possible. @param text tidied */
function clipped(text: string, maxLength: number): string {
  const points = [...text]
  if (points.length <= maxLength) return text
  const cut = points.slice(0, maxLength - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${space < 0 ? cut : cut.slice(0, space)}…`
}

/** As many whole sentences from the start as fit; null when not even the first does. */
function aboutOf(description: string | null, maxLength: number): string | null {
  let about = ''
  for (const segment of segmentsOf(sentenceSegmenter, tidy(description ?? ''))) {
    if ([...about, ...segment.trim()].length > maxLength) break
    about += segment
  }
  about = about.trim()
  if (about === '') return null
  return capitalised(/[\p{L}\p{N}]$/u.test(about) ? `${about}.` : about)
}

function voiceOf(tone: string): Voice {
  if (/friend|warm|casual|play|fun|humo|cheer|joy|relax|cosy|cozy/iu.test(tone)) return 'friendly'
  return /bold|energ|confiden|edgy|inspir|dynamic|daring|direct/iu.test(tone) ? 'bold' : 'plain'
}

const maxTags: Readonly<Record<Platform, number>> = { facebook: 1, instagram: 4, twitter: 1, linkedin: 3 }
const longestTag = 30

/** Hashtags from the given words alone: the topic, the industry and the name. */
function tagsOf({ platform }: Brief, { topic, industry, name }: Facts): string[] {
  const parts = [topic, ...(industry?.split(/[&,/]| and /u) ?? []), name]
  const tags = parts.flatMap((part) => {
    const words = part?.replace(/['’]/gu, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
    const tag = words.map(capitalised).join('')
    return words.length <= 3 && tag.length <= longestTag && /\p{L}/u.test(tag) ? [`#${tag}`] : []
  })
  return [...new Set(tags)].slice(0, maxTags[platform])
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/** From 0 (no word in common) to 1 (the same words). */
function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const word of a) if (b.has(word)) common += 1
  const all = a.size + b.size - common
  return all === 0 ? 0 : common / all
}
