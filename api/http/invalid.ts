/** Turns what zod found into one sentence that names the field. */
import type { z } from 'zod'
import { Problem } from './problem.ts'

type Issue = z.core.$ZodIssue

/** In a choice of shapes, what is wrong with the one that was meant: the only one whose keys were sent. */
function meant(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const branches = issue.errors.filter((branch) => !branch.some(isOfAnotherShape))
  const first = branches[0]?.[0]
  return branches.length === 1 && first ? meant(first) : issue
}

const isOfAnotherShape = ({ code, message, path }: Issue) =>
  code === 'unrecognized_keys' || message === 'Required' || (code === 'invalid_value' && path.at(-1) === 'status')

/** `scheduledFor` -> `Scheduled for`. */
function labelOf(path: Issue['path']): string {
  const name = path
    .map(String)
    .join(' ')
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** A 400 whose sentence names the field, e.g. `Email: Enter a valid email`. */
export function invalid(error: z.ZodError): Problem {
  const issue = error.issues[0]
  if (!issue) return new Problem(400, 'invalid', 'The request is not valid')
  const found = meant(issue)
  const label = labelOf([...issue.path, ...(found === issue ? [] : found.path)])
  return new Problem(400, 'invalid', label === '' ? found.message : `${label}: ${found.message}`)
}
