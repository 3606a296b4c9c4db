/** Every regular expression of the production code, found by its syntax tree. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { isTestCode } from '../layout/imports.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const rooms = ['api', 'domain', 'projections', 'web'] as const
const isSource = (file: string) => /\.(?:ts|tsx|mjs)$/.test(file)

/** Paths from the root, with `/`. */
export const productionFiles: readonly string[] = rooms
  .flatMap((room) =>
    readdirSync(`${root}${room}`, { recursive: true, encoding: 'utf8' }).map(
      (file) => `${room}/${file.replaceAll('\\', '/')}`,
    ),
  )
  .filter((file) => isSource(file) && !isTestCode(file) && !file.endsWith('.gen.ts'))
  .sort()

export interface Found {
  readonly file: string
  readonly line: number
  /** Null where it is put together when the program runs. */
  readonly expression: { readonly source: string; readonly flags: string } | null
}

interface Node {
  readonly type: string
  readonly start: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

export function expressionsIn(file: string, text = readFileSync(root + file, 'utf8')): readonly Found[] {
  const found: Found[] = []
  const lineOf = (node: Node) => text.slice(0, node.start).split('\n').length
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value)) return
    if (value.regex)
      found.push({ file, line: lineOf(value), expression: { source: value.regex.pattern, flags: value.regex.flags } })
    const isMade =
      (value.type === 'NewExpression' || value.type === 'CallExpression') && value.callee?.name === 'RegExp'
    if (isMade) found.push({ file, line: lineOf(value), expression: null })
    Object.values(value).forEach(visit)
  }
  visit(parseSync(file, text).program)
  return found
}

const manyTimes = 64

/** Whether some part may repeat without an end, or more than 64 times. */
export function mayRepeat(source: string): boolean {
  const bare = source.replaceAll(/\\[^]/g, 'x').replaceAll(/\[[^\]]*\]/g, 'x')
  return (
    /[*+]/.test(bare) ||
    Array.from(bare.matchAll(/\{(\d+)(,?)(\d*)\}/g)).some(
      ([, from, comma, to]) => (comma !== '' && to === '') || Number(to || from) > manyTimes,
    )
  )
}

/** What a module exports that is a regular expression: those that are made when it is loaded among them. */
export async function exportedFrom(file: string): Promise<readonly RegExp[]> {
  const module: Readonly<Record<string, unknown>> = await import(`${root}${file}`)
  return Object.values(module).filter((value) => value instanceof RegExp)
}
