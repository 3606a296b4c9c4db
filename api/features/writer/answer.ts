/** Reads what a model answers: whole, or as far as it has come. Pure. */
import { z } from 'zod'

export const answerSchema = z.strictObject({ content: z.string() })

/** The text of an answer; null where it has none. A server that knows no fixed form may wrap the object in words or a fence. */
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

/** Stores end a text at U+0000, and no network shows what controls a terminal. */
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

const tidied = (text: string) => text.toWellFormed().replaceAll('\r\n', '\n').replaceAll(controls, '').trim()

const begin = /"content"\s*:\s*"/
/** As much of what came before the text as its beginning can need. */
const maxBefore = 200
/** Whole characters and escapes, up to where the text ends or is not here yet. */
const characters = /(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y
/** What stands in a string although JSON has it escaped. */
const bare: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
/** Half a character, or half an end of a line: the rest decides. */
const open = /[\ud800-\udbff\r]$/

/**
 * Reads an answer as it comes: takes a piece, and gives what it adds to the text. By hand, as it is one string of one
 * object: a parser of unfinished JSON would build the whole anew for every few characters, and end a text within an
 * escape or half a character.
 */
export function answerReader(): (piece: string) => string {
  let place: 'before' | 'within' | 'after' = 'before'
  /** Raw, of which nothing can be told yet. */
  let rest = ''
  /** Read, of which nothing can be told yet. */
  let held = ''
  let hasBegun = false

  function readOn(): string {
    characters.lastIndex = 0
    const [raw = ''] = characters.exec(rest) ?? []
    rest = rest.slice(raw.length)
    // An escape has six characters at most: whatever is longer and can't be read is none.
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
    const told = hasBegun ? text : text.trimStart()
    hasBegun ||= told !== ''
    return told
  }
}
