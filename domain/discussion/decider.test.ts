import { describe, expect, it } from 'vitest'
import { specification } from '../test/specification.ts'
import type { DiscussionCommand } from './commands.ts'
import { discussionDecider } from './decider.ts'
import type { DiscussionEvent } from './events.ts'
import { imageHash, textHash, wordsDigest } from './hashes.ts'
import { maxComments, maxEdits, maxReviewerComments } from '../core/comment-limits.ts'
import { ada, bob, by, content, first, input, onText, posted, second, third, write } from './test/examples.ts'

const { given } = specification(discussionDecider)
const reply = { ...write, commentId: second, parentId: first, audience: null } as const
const edit = { type: 'EditComment', commentId: first, digest: 'v1:other', mentions: [] } as const
const removal = { type: 'RemoveComment', commentId: first } as const
const removed: DiscussionEvent = { type: 'CommentRemoved', data: { commentId: first } }
const toClient = { ...posted, data: { ...posted.data, audience: 'client' } } as DiscussionEvent
const later = (minutes: number) => new Date(Date.parse(input.now) + minutes * 60_000).toISOString()
const onImage = (x: number, hash = imageHash(input.post ?? expect.fail()) ?? '') =>
  ({ kind: 'point', x, y: 0.5, contentHash: hash }) as const

describe('A comment', () => {
  it('is posted to the team, about the post, a range of its text or a point of its image', () => {
    expect(given().when(write, input).events).toEqual([posted])
    for (const anchor of [onText, onImage(0), onImage(1)]) {
      const result = given().when({ ...write, anchor }, input)
      expect(result.events).toMatchObject([{ data: { anchor } }])
      expect(result.again()).toEqual([])
    }
  })
  it('is refused under a used id with other words, and once it was removed', () => {
    const posting = by(ada, posted)
    expect(given(posting).when(write, input).events).toEqual([])
    expect(given(posting).when({ ...write, digest: 'v1:other' }, input).reason).toBe('id-taken')
    expect(given(posting).when(write, { ...input, actor: bob }).reason).toBe('id-taken')
    expect(given(posting, removed).when(write, input).reason).toBe('made-and-deleted')
  })
  it('has replies with its audience, and they have none', () => {
    const answer = given(by(ada, toClient)).when(reply, { ...input, actor: bob })
    expect(answer.events).toMatchObject([{ data: { parentId: first, audience: 'client' } }])
    const toReply = { ...reply, commentId: third, parentId: second }
    expect(given(toClient, ...answer.events).when(toReply, input).reason).toBe('reply-to-reply')
    expect(given(toClient).when({ ...reply, audience: 'team' }, input).reason).toBe('audience-of-thread')
    expect(given(toClient, removed).when(reply, input).reason).toBe('comment-unknown')
    expect(given().when(reply, input).reason).toBe('comment-unknown')
  })
  it('goes to the team from its members alone', () => {
    const reviewer = { ...input, actor: { type: 'process', id: 'somewhere else' } } as const
    expect(given().when(write, reviewer).reason).toBe('team-only')
    expect(given().when({ ...write, audience: 'client' }, reviewer).events).toHaveLength(1)
  })
  it.each<readonly [string, Partial<Extract<DiscussionCommand, { type: 'PostComment' }>>, string]>([
    ['an empty range', { anchor: { ...onText, to: 0 } }, 'range-empty'],
    ['a range that ends before it begins', { anchor: { ...onText, from: 2, to: 1 } }, 'range-empty'],
    ['a range beyond the text', { anchor: { ...onText, to: content.length + 1 } }, 'range-beyond-text'],
    ['a range inside a flag', { anchor: { ...onText, from: 3, to: 5 } }, 'range-inside-character'],
    ['a range inside half an emoji', { anchor: { ...onText, from: 4, to: 7 } }, 'range-inside-character'],
    ['a range before an accent', { anchor: { ...onText, from: 8, to: 12 } }, 'range-inside-character'],
    ['a range of another text', { anchor: { ...onText, contentHash: textHash('Hi') } }, 'commented-text-changed'],
    ['a point of another image', { anchor: onImage(0.5, textHash('Hi')) }, 'commented-image-changed'],
    [
      'a suggestion for another text',
      { suggestion: { digest: 'v1:words', contentHash: textHash('Hi') } },
      'commented-text-changed',
    ],
  ])('is refused with %s', (_, change, reason) => {
    expect(given().when({ ...write, ...change }, input).reason).toBe(reason)
  })
  it('ends a range after a whole character', () => {
    for (const to of [7, 13, content.length - 1, content.length])
      expect(given().when({ ...write, anchor: { ...onText, to } }, input).events).toHaveLength(1)
  })
  it('mentions only members who see the post', () => {
    const mentions = ['member-1']
    expect(given().when({ ...write, mentions }, { ...input, unfitMentions: mentions }).reason).toBe('mention-unfit')
    expect(given().when({ ...write, mentions }, input).events).toMatchObject([{ data: { mentions } }])
  })
  it('is refused on a post that is gone, and after the last of 500', () => {
    expect(given().when(write, { ...input, post: null }).reason).toBe('post-unknown')
    const many = Array.from({ length: maxComments }, (_, index) => ({
      ...posted,
      data: { ...posted.data, commentId: `comment ${index}` },
    })) as DiscussionEvent[]
    const all = given(...many, { type: 'CommentRemoved', data: { commentId: 'comment 0' } })
    expect(all.when(write, input).refused).toEqual({ reason: 'comment-limit-reached', limit: maxComments })
  })
})

it('Reviewers have half of the comments on a post, and the agency has the others', () => {
  const rita = { type: 'reviewer', id: 'rita' } as const
  const many = Array.from({ length: maxReviewerComments }, (_, index) =>
    by(rita, {
      ...posted,
      data: { ...posted.data, audience: 'client', commentId: `comment ${index}` },
    } as typeof posted),
  )
  const forClient = { ...write, audience: 'client' } as const
  expect(given(...many).when(forClient, { ...input, actor: rita }).refused).toEqual({
    reason: 'comment-limit-reached',
    limit: maxReviewerComments,
  })
  expect(given(...many).when(forClient, input).events).toHaveLength(1)
})

describe('An edit', () => {
  it('is silent within 15 minutes, and marked afterwards', () => {
    const past = given(by(ada, posted))
    const soon = past.when(edit, { ...input, now: later(15) })
    expect(soon.events).toMatchObject([{ type: 'CommentEdited', data: { marked: false, digest: 'v1:other' } }])
    expect(soon.again()).toEqual([])
    expect(past.when(edit, { ...input, now: later(16) }).events).toMatchObject([{ data: { marked: true } }])
  })
  it('is the author’s alone, of a comment that is there', () => {
    const past = by(ada, posted)
    expect(given(past).when(edit, { ...input, actor: bob, mayModerate: true }).reason).toBe('comment-of-another')
    expect(given(past, removed).when(edit, input).reason).toBe('comment-unknown')
    expect(given().when(edit, input).reason).toBe('comment-unknown')
  })
  it('is refused after the 20th', () => {
    const edits = Array.from({ length: maxEdits }, (_, index) => ({
      type: 'CommentEdited' as const,
      data: { commentId: first, digest: `v1:${index}`, mentions: [], marked: false },
    }))
    expect(given(by(ada, posted), ...edits).when(edit, input).reason).toBe('edit-limit-reached')
  })
})

describe('A removal', () => {
  it('is the author’s, or an admin’s, and happens once', () => {
    const past = by(ada, posted)
    expect(given(past).when(removal, input).events).toEqual([removed])
    expect(given(past).when(removal, { ...input, actor: bob }).reason).toBe('comment-of-another')
    expect(given(past).when(removal, { ...input, actor: bob, mayModerate: true }).events).toEqual([removed])
    expect(given(past, removed).when(removal, input).events).toEqual([])
  })
})

it('The digest of the same words differs with the salt', () => {
  expect(wordsDigest('salt', 'Yes')).toBe(wordsDigest('salt', 'Yes'))
  expect(wordsDigest('salt', 'Yes')).not.toBe(wordsDigest('other', 'Yes'))
})
