/** Reads a model's answer: whole, or as it streams in. Pure. */
import { z } from 'zod'

export const answerSchema = z.strictObject({ content: z.string() })

/**
 * The answer's text; null without one. A server without structured output may wrap the object in words or a code fence.
 */
export function contentOf(answer: string): string | null {
  const from = answer.indexOf('{')
  const to = answer.lastIndexOf('}')
  if (from < 0 || to < from) return null
  try {
    const read = answerSchema.loose().safeParse(JSON.parse(answer.slice(from, to + 1)))
    return read.success ? tidied(read.data.content) : null
  } catch {
    return null
  }
}

/** Control characters: stores end a text at U+0000, and no network shows the others. */
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

const tidied = (text: string) => text.toWellFormed().replaceAll('\r\n', '\n').replaceAll(controls, '').trim()

const begin = /"content"\s*:\s*"/
/** The limit on buffered characters before the text: more than its start needs. */
const maxBefore = 200
/** Whole characters and escapes, up to the end of the string or of the received part. */
const characters = /(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y
/** Characters that must be escaped in a JSON string, but that some models send raw. */
const bare: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
/** Half a surrogate pair or half a line end: the next chunk completes it. */
const open = /[\ud800-\udbff\r]$/

/**
 * Reads a streamed answer: takes a chunk, and returns the text that it adds. Written by hand, because the answer is one
 * string in one object: a parser of partial JSON would rebuild the whole for each chunk, and could end in an escape or
 * half a character.
 */
export function answerReader(): (piece: string) => string {
  let place: 'before' | 'within' | 'after' = 'before'
  /** Raw characters not decoded yet. */
  let rest = ''
  /** Decoded characters not returned yet. */
  let held = ''
  let hasBegun = false

  function readOn(): string {
    characters.lastIndex = 0
    const [raw = ''] = characters.exec(rest) ?? []
    rest = rest.slice(raw.length)
    // An escape has at most six characters, so a longer undecodable rest is invalid.
    if (rest.startsWith('"') || rest.length > 6) place = 'after'
    // oxlint-disable-next-line no-control-regex
    const escaped = raw.replaceAll(/[\u0000-\u001f]/g, (control) => bare[control] ?? '')
    const text = held + String(JSON.parse(`"${escaped}"`))
    held = place === 'after' ? '' : (open.exec(text)?.[0] ?? '')
    return text.slice(0, text.length - held.length)
  }

  return (piece) => {
    if (place === 'after') return ''
    rest += piece
    if (place === 'before') {
      const found = begin.exec(rest)
      if (!found) {
        rest = rest.slice(-maxBefore)
        return ''
      }
      place = 'within'
      rest = rest.slice(found.index + found[0].length)
    }
    const text = readOn().toWellFormed().replaceAll('\r\n', '\n').replaceAll(controls, '')
    const output = hasBegun ? text : text.trimStart()
    hasBegun ||= output !== ''
    return output
  }
}
