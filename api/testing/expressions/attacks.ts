/** Texts of 100 kB that make slow expressions slow. */
import type { Diagnostics } from 'recheck'

/** Which of recheck's programs runs: the native one where npm has it, else Java's, else the slow JavaScript one. */
process.env['RECHECK_BACKEND'] ??= 'auto'
const { check } = await import('recheck')

const attackLength = 100_000
const searchMs = 60_000
/** Ten times recheck's defaults: its fuzzer counts an attack that runs into them as successful, also on a busy core. */
const fuzzerTimeouts = { incubationTimeout: 2_500, attackTimeout: 15_000 } as const

/** What recheck says of an expression. */
export const verdictOf = ({ source, flags }: RegExp): Promise<Diagnostics> =>
  check(source, flags, { timeout: searchMs, ...fuzzerTimeouts })

/** The attack that recheck found, with as many repetitions as fit. */
export function attackOf(verdict: Diagnostics): string[] {
  if (verdict.status !== 'vulnerable') return []
  const { pumps, suffix } = verdict.attack
  const share = Math.floor(attackLength / pumps.length)
  return [pumps.map(({ prefix, pump }) => prefix + filled(pump, share)).join('') + suffix]
}

const filled = (piece: string, length: number) => piece.repeat(Math.max(1, Math.floor(length / piece.length)))

const generic = [
  'a',
  'A',
  'é',
  '語',
  '1',
  ' ',
  '\t',
  '\n',
  '.',
  ',',
  '-',
  '/',
  '@',
  '#',
  '[',
  '(',
  '{',
  '<',
  '"',
  '\\',
  '%',
  '\u0301',
  'a ',
  ' #a',
  'a.',
  'a1',
  '1,',
  '@[',
  'http://',
  '://',
  'a@b',
]

/**
 * Repetitions of what is slow elsewhere, and of what the expression itself consists of; each also with an end that
 * fits nothing.
 */
export function worstTextsFor({ source }: RegExp): string[] {
  const literal = source
    .replaceAll(/\\[pP]\{[^}]*\}|\(\?<?[=!:]/g, '')
    .replaceAll(/\\[wdsbWDSB]/g, 'a')
    .replaceAll(/[\\^$?*+()[\]|]|\{[\d,]+\}/g, '')
  const own = [
    literal,
    ...literal.split(/[^\p{L}\p{N}]+/u),
    ...Array.from(new Set(literal), (letter) => letter),
  ].filter((piece) => piece !== '')
  return [...new Set([...generic, ...own.slice(0, 24)])].map((piece) => `${filled(piece, attackLength)}\0`)
}

/** Goes through a text as the product does: by every match of a global expression, by the first of another. */
export function run(expression: RegExp, text: string): void {
  expression.lastIndex = 0
  text.replace(expression, '')
}
