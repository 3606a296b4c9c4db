/** Takes a suggested text over: the post is returned, revised and submitted in one append, and its steps begin anew. */
import { isRefused, refuse } from '../core/decider.ts'
import type { PostEvent } from './events.ts'
import { review, type ReviewCommand } from './review.ts'
import { isAllowed } from './rights.ts'
import { wrongState, type Of, type PostContext, type PostDecision } from './rules.ts'
import { evolvePost, type Post } from './state.ts'

/** A draft stays a draft: its author submits it. */
export function takeOver(post: Post, { content }: Of<'TakeOverSuggestion'>, context: PostContext): PostDecision {
  const { rights, userId } = context.acting
  const { status } = post
  if (!isAllowed(rights, 'edit', status)) return refuse({ reason: 'right-missing' })
  if ((status === 'draft' || status === 'pending') && post.content === content) return []
  if (status !== 'draft' && status !== 'pending' && status !== 'rejected') return wrongState('edit', post)
  const steps: ReviewCommand[] = [
    ...(status === 'pending' ? [{ type: 'ReturnPostToDraft' } as const] : []),
    { type: 'ReviseContent', content, generation: null },
    ...(status === 'draft' ? [] : [{ type: 'SubmitPost' } as const]),
  ]
  const events: PostEvent[] = []
  let state = post
  for (const step of steps) {
    const decision = review(state, step, context)
    if (isRefused(decision)) return decision
    // The events have no metadata yet, and the rules for own texts ask who wrote it.
    state = { ...decision.reduce(evolvePost, state), textBy: step.type === 'ReviseContent' ? userId : state.textBy }
    events.push(...decision)
  }
  return events
}
