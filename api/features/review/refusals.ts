/** What a client's people are told of a refusal: nothing of billing, budgets and the agency's own rules. */
import type { DiscussionRefusal } from '../../../domain/discussion/decider.ts'
import type { PostRefusal } from '../../../domain/post/rules.ts'
import type { HandlerRefusal } from '../../core/command-handler.ts'
import { Problem } from '../../http/problem.ts'

type Reason = (PostRefusal | DiscussionRefusal | HandlerRefusal)['reason']

/** Their sentences are for clients too. */
const told: readonly Reason[] = [
  'version-changed',
  'wrong-state',
  'too-many-verdicts',
  'code-needed',
  'contact-of-author',
  'post-unknown',
  'stale-revision',
  'comment-unknown',
  'comment-limit-reached',
  'edit-limit-reached',
  'comment-of-another',
  'reply-to-reply',
  'audience-of-thread',
  'commented-text-changed',
  'commented-image-changed',
  'range-empty',
  'range-beyond-text',
  'range-inside-character',
  'id-taken',
  'made-and-deleted',
]

/** Those that members read in other words. */
const inOwnWords: Readonly<Partial<Record<Reason, (agency: string) => string>>> = {
  'approvals-paused': (agency) => `Approvals are paused. Please contact ${agency}.`,
  'being-published': () => 'It is being published, so it can no longer be changed.',
  'agreed-time-passed': (agency) => `The planned time of this post has passed. Please ask ${agency} for a new one.`,
}

const isReason = (type: string): type is Reason => type in inOwnWords || told.some((reason) => reason === type)

export function forClients(problem: Problem, { name }: { readonly name: string }): Problem {
  const { type, status, headers } = problem
  // Of the server itself, such as one without space for more records.
  if (status >= 500 || type === 'link-revoked') return problem
  if (!isReason(type))
    return new Problem(status === 429 ? 429 : 409, 'not-possible-now', notPossibleNow(name), headers, problem)
  const words = inOwnWords[type]
  return words ? new Problem(status, type, words(name)) : problem
}

const notPossibleNow = (agency: string) => `This isn't possible right now. Please contact ${agency}.`

/** The outcome of an act of theirs. @throws Problem in words for clients */
export const toldToClients = <T>(acting: Promise<T>, agency: { readonly name: string }): Promise<T> =>
  acting.catch((error: unknown) => {
    throw error instanceof Problem ? forClients(error, agency) : error
  })
