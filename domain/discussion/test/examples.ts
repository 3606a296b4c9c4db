/** Facts and inputs of a discussion, for tests. */
import type { Actor } from '../../core/event.ts'
import type { DiscussionCommand } from '../commands.ts'
import type { DiscussionContext } from '../decider.ts'
import type { DiscussionEvent } from '../events.ts'
import { textHash } from '../hashes.ts'

export const now = '2026-03-02T10:00:00.000Z'
export const [first, second, third] = ['comment-1', 'comment-2', 'comment-3'] as const
export const ada: Actor = { type: 'user', id: 'ada' }
export const bob: Actor = { type: 'user', id: 'bob' }

/** A flag of two code points, a letter with an accent of its own, and a family of several emoji. */
export const content = 'Hi 🇩🇪 cafe\u0301 👨‍👩‍👧!'
export const input: DiscussionContext = {
  now,
  actor: ada,
  mayModerate: false,
  post: { content, imageUrl: 'https://img.example/a.png', image: { hash: 'a'.repeat(64) } },
  unfitMentions: [],
}

export const write = {
  type: 'PostComment',
  commentId: first,
  parentId: null,
  audience: 'team',
  digest: 'v1:words',
  anchor: null,
  suggestion: null,
  mentions: [],
} as const satisfies DiscussionCommand

export const onText = { kind: 'range', from: 0, to: 2, contentHash: textHash(content) } as const

const { type: _, ...data } = write
export const posted: DiscussionEvent = { type: 'CommentPosted', data: { ...data, mentions: [] } }

/** As it is read from the log. */
export const by = <E extends DiscussionEvent>(actor: Actor, event: E, at = now): E => ({
  ...event,
  metadata: { actor, at },
})
