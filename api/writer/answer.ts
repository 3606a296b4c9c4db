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

/**
 * The text of an answer that is still coming. By hand, as it is one string of one object: a parser of unfinished JSON
 * would build the whole object anew for every few characters, and end a text within an escape or half a character.
 */
export function contentSoFar(answer: string): string {
  const begun = /"content"\s*:\s*"/.exec(answer)
  if (!begun) return ''
  const [written = ''] = /^(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/.exec(answer.slice(begun.index + begun[0].length)) ?? []
  try {
    return String(JSON.parse(`"${written.replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`)).replace(/[\ud800-\udbff]$/, '').replaceAll(controls, '').trimStart()
  } catch {
    return ''
  }
}
