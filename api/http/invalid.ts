/** Turns zod's issues into one sentence that names the field. */
import type { z } from 'zod'
import { Problem } from './problem.ts'

type Issue = z.core.$ZodIssue

/** For a union: the issue of the intended shape, which is the only one whose keys were sent. */
function meant(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const branches = issue.errors.filter((branch) => !branch.some(isOfAnotherShape))
  const first = branches[0]?.[0]
  if (branches.length === 1 && first) return meant(first)
  return wrongChoice(issue.errors) ?? issue
}

/** For a status that no shape accepts: one issue with all allowed values. */
function wrongChoice(branches: readonly (readonly Issue[])[]): Issue | null {
  const about = (branch: readonly Issue[]) => branch.find(({ path }) => path.at(-1) === 'status')
  const chosen = branches.filter((branch) => about(branch) !== undefined)
  const isWrong = chosen.length > 0 && branches.every((branch) => about(branch) ?? branch.some(isOfAnotherShape))
  const wrong = chosen.map(about).filter((issue) => issue?.code === 'invalid_value' && issue.message !== 'Required')
  const [first] = wrong
  if (!isWrong || !first || wrong.length < chosen.length || branches.some(isOnlyTooMuch)) return null
  const values = wrong.flatMap((issue) => (issue?.code === 'invalid_value' ? issue.values.map(String) : []))
  return { ...first, message: `Choose one of: ${values.join(', ')}` }
}

/** The status fits this shape, but other fields were sent beside it. */
const isOnlyTooMuch = (branch: readonly Issue[]) =>
  branch.every(
    ({ code, keys }: Issue & { readonly keys?: readonly string[] }) =>
      code === 'unrecognized_keys' && !keys?.includes('status'),
  )

const isOfAnotherShape = ({ code, message, path }: Issue) =>
  code === 'unrecognized_keys' || message === 'Required' || (code === 'invalid_value' && path.at(-1) === 'status')

/** `scheduledFor` -> `Scheduled for`. */
function labelOf(path: readonly PropertyKey[]): string {
  const name = path
    .map(String)
    .join(' ')
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
  return brief(name.charAt(0).toUpperCase() + name.slice(1), longestLabel)
}

const longestLabel = 80
const longestMessage = 240

/** Shortens a client's text to one line that fits a sentence. */
function brief(text: string, most: number): string {
  const line = text.replaceAll(/[\s\p{C}]+/gu, ' ')
  return line.length <= most ? line : `${line.slice(0, most).toWellFormed()}…`
}

/** A 400 whose sentence names the field, e.g. `Email: Enter a valid email`. */
export function invalid(error: z.ZodError): Problem {
  const issue = error.issues[0]
  if (!issue) return new Problem(400, 'invalid', 'The request is not valid')
  const found = meant(issue)
  return invalidAt([...issue.path, ...(found === issue ? [] : found.path)], brief(found.message, longestMessage))
}

export function invalidAt(path: readonly PropertyKey[], sentence: string): Problem {
  const label = labelOf(path)
  return new Problem(400, 'invalid', label === '' ? sentence : `${label}: ${sentence}`)
}
