/** Comments and suggestions of a client's people, on the page behind a review link. */
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ReviewComment, ReviewedPost, ReviewSeen } from '../../../api/contract/index.ts'
import { closeApp, fill, renderRoute, toldUnder } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { newId } from '../../test/things.ts'

const api = startFakeApi()
const token = 'p3Zb0TkXn5mQ8sVt2Lr9WcYd4FgHjK6eUaIoN1xSvBE'
const hash = (digit: string) => `v1:${digit.repeat(64)}`
const agency = { name: 'North Star', logoUrl: null, color: null }

let post: ReviewedPost
let comments: ReviewComment[]

const aComment = (parts: Partial<ReviewComment> = {}): ReviewComment => ({
  id: newId(),
  parentId: null,
  author: { kind: 'reviewer', name: 'Nora' },
  isYours: true,
  at: '2030-03-01T08:00:00.000Z',
  edited: false,
  state: 'shown',
  text: 'It is 4',
  anchor: null,
  quote: null,
  isEarlierVersion: false,
  suggestion: null,
  ...parts,
})
/** The server has it, and tells so with the next look. */
function kept(comment: ReviewComment): ReviewComment {
  comments = [...comments.filter(({ id }) => id !== comment.id), comment]
  const shown = comments.filter(({ state }) => state !== 'removed')
  post = { ...post, comments: shown.length, commentChanges: post.commentChanges + 1 }
  return comment
}

beforeEach(() => {
  comments = []
  post = {
    id: newId(),
    platform: 'facebook',
    accountName: 'Blue Cup',
    content: 'Fresh bread every morning',
    imageUrl: '/media/a.png',
    scheduledFor: null,
    status: 'pending',
    held: null,
    url: null,
    version: 1,
    hash: 'hash-1',
    textHash: hash('1'),
    imageHash: hash('2'),
    comments: 0,
    commentChanges: 0,
    verdict: null,
    seen: null,
    can: ['comment', 'suggest'],
    isStep: false,
    isStepAhead: false,
  }
  api.on('getUser', () => refuse(401, 'Sign in first.'))
  api.on('openReview', () => undefined)
  api.on('listReviewComments', () => ({ comments, next: null }))
  api.on('lookAtReview', (): ReviewSeen => ({
    state: 'open',
    agency,
    clientName: 'Blue Cup',
    timeZone: 'Europe/Berlin',
    issuedBy: 'Ada Lovelace',
    expiresAt: '2030-03-10T08:00:00.000Z',
    may: ['comment', 'suggest'],
    you: { id: 'reviewer-1', name: 'Nora', verified: 'named' },
    canVerify: false,
    isPaused: false,
    posts: [post],
    total: 1,
    done: 0,
    next: null,
  }))
})
afterEach(closeApp)

async function open() {
  const { user } = renderRoute(`/review#${token}`)
  return { user, card: within(await screen.findByTestId('post-to-review')) }
}

it('A suggestion outlasts a change of the text, which is shown beside it', async () => {
  const { user, card } = await open()
  await user.click(card.getByTestId('button-suggest-change'))
  const field = await card.findByLabelText<HTMLTextAreaElement>('Your text')
  expect(field.value).toBe('Fresh bread every morning')
  await user.click(card.getByTestId('button-send-suggestion'))
  expect(toldUnder(field)).toBe('Change something in the text')
  await fill(user, field, 'Fresh bread every evening')
  const current = { content: 'Warm bread every morning', textHash: hash('3'), version: 2 }
  api.on('commentAsReviewer', () =>
    refuse(409, JSON.stringify({ type: '/problems/commented-text-changed', detail: 'The text has changed.', current })),
  )
  await user.click(card.getByTestId('button-send-suggestion'))
  expect((await card.findByTestId('form-error')).textContent).toBe('The text has changed.')
  expect(field.value).toBe('Fresh bread every evening')
  await waitFor(() => expect(card.getByTestId('text-is-now').textContent).toContain('Warm'))
  api.on('commentAsReviewer', ({ body: { commentId: id, suggestion } }) =>
    kept(aComment({ id, text: '', suggestion: { text: suggestion?.text ?? '', state: 'open' } })),
  )
  await user.click(card.getByTestId('button-send-suggestion'))
  expect((await card.findByTestId('review-suggestion')).textContent).toContain('waits for the agency')
  const [first, second] = api.sent('commentAsReviewer').map(({ body }) => body)
  expect(first).toMatchObject({ suggestion: { text: 'Fresh bread every evening', contentHash: hash('1') } })
  expect(second).toMatchObject({ suggestion: { text: field.value, contentHash: hash('3') } })
  expect(second).not.toMatchObject({ commentId: (first as { commentId: string }).commentId })
  expect(document.activeElement).toBe(card.getByTestId('button-comments'))
  expect(card.queryByTestId('suggest-form')).toBeNull()
})

it('Comments are asked for when they are opened, and one is written to the agency, once', async () => {
  comments = [aComment({ isYours: false, author: { kind: 'member', name: 'Ada' }, text: 'Is 3 right?' })]
  post = { ...post, comments: 1, commentChanges: 1 }
  const { user, card } = await open()
  expect(api.sent('listReviewComments')).toHaveLength(0)
  await user.click(card.getByTestId('button-comments'))
  expect((await card.findByTestId('review-comment')).textContent).toContain('Is 3 right?')
  const field = card.getByLabelText('Write to North Star')
  await user.click(card.getByTestId('button-send-comment'))
  expect(toldUnder(field)).toBe('Write a comment')
  await fill(user, field, '\u200b\u2800')
  expect(toldUnder(field)).toBe('Write a comment')
  await fill(user, field, 'It is 4')
  api.on('commentAsReviewer', () => refuse(409, 'A post has at most 500 comments.'))
  await user.click(card.getByTestId('button-send-comment'))
  expect((await card.findByTestId('form-error')).textContent).toBe('A post has at most 500 comments.')
  api.on('commentAsReviewer', ({ body: { commentId: id, text } }) => kept(aComment({ id, text: text ?? '' })))
  await user.click(card.getByTestId('button-send-comment'))
  await waitFor(() => expect(card.getAllByTestId('review-comment')[1]?.textContent).toMatch(/^You.*It is 4/))
  const [first, second] = api.sent('commentAsReviewer').map(({ body }) => body)
  expect(first).toMatchObject({ token, postId: post.id, parentId: null, text: 'It is 4' })
  expect(second).toEqual(first)
  await waitFor(() => expect(card.getByTestId('button-comments').textContent).toBe('Comments (2)'))
})

it('A comment whose answer was lost is corrected and sent under a new id, the same words under the same', async () => {
  const { user, card } = await open()
  await user.click(card.getByTestId('button-comments'))
  const field = await card.findByLabelText('Write to North Star')
  const send = async (text: string) => {
    await fill(user, field, text)
    await user.click(card.getByTestId('button-send-comment'))
  }
  api.on('commentAsReviewer', () => refuse(500, 'The answer is lost'))
  await send('It is 4')
  await card.findByTestId('form-error')
  api.on('commentAsReviewer', ({ body: { commentId: id, text } }) => kept(aComment({ id, text: text ?? '' })))
  await send('It is 5')
  await card.findByText('It is 5')
  await send('It is 5')
  await waitFor(() => expect(card.getAllByText('It is 5')).toHaveLength(2))
  const ids = api.sent('commentAsReviewer').map(({ body }) => (body as { commentId: string }).commentId)
  expect(new Set(ids).size).toBe(3)
})

it('A link without comments has no part for them', async () => {
  post = { ...post, can: ['approve'] }
  const { card } = await open()
  expect(card.queryByTestId('review-comments')).toBeNull()
})

it('A comment is about selected words or a point, and those of others say what they are about', async () => {
  const [x, y] = [0.25, 0.5]
  comments = [
    aComment({ anchor: { kind: 'point', x, y, contentHash: hash('2') }, isYours: false, text: 'Darker' }),
    aComment({
      anchor: { kind: 'range', from: 0, to: 3, contentHash: hash('9') },
      quote: 'Old',
      isEarlierVersion: true,
    }),
  ]
  post = { ...post, comments: 2, commentChanges: 2 }
  const { user, card } = await open()
  expect(card.getByTestId('button-comments').textContent).toBe('Comments (2)')
  await user.click(card.getByTestId('button-comments'))
  const abouts = (await card.findAllByTestId('comment-about')).map(({ textContent }) => textContent)
  expect(abouts).toEqual(['About point 1 of the image', 'About “Old” in an earlier version'])
  expect(card.getByTestId('comment-points').textContent).toBe('1')
  await user.click(card.getByTestId('button-choose-place'))
  const text = card.getByLabelText<HTMLTextAreaElement>('Select a part of the text')
  await user.click(card.getByTestId('button-comment-on-selection'))
  expect(card.getByRole('alert').textContent).toMatch(/^Select the words/)
  text.setSelectionRange(6, 11)
  await user.click(card.getByTestId('button-comment-on-selection'))
  expect(card.getByTestId('comment-place').textContent).toBe('About “bread”')
  await fill(user, card.getByLabelText('Write to North Star'), 'Which one?')
  api.on('commentAsReviewer', ({ body: { commentId: id, text: said, anchor } }) =>
    kept(aComment({ id, text: said ?? '', anchor: anchor ?? null, quote: 'bread' })),
  )
  await user.click(card.getByTestId('button-send-comment'))
  await card.findByText('About “bread”')
  const anchor = { kind: 'range', from: 6, to: 11, contentHash: hash('1') }
  expect(api.sent('commentAsReviewer')[0]?.body).toMatchObject({ anchor, text: 'Which one?' })
  expect(card.queryByTestId('comment-place')).toBeNull()
})

it('An own comment is edited, and removed after a question', async () => {
  const own = aComment()
  comments = [own, aComment({ isYours: false, author: { kind: 'member', name: 'Ada' }, text: 'Really?' })]
  post = { ...post, comments: 2, commentChanges: 2 }
  const { user, card } = await open()
  await user.click(card.getByTestId('button-comments'))
  await user.click(await card.findByRole('button', { name: 'Edit your comment: It is 4' }))
  expect(card.queryByRole('button', { name: /Really/ })).toBeNull()
  await fill(user, card.getByLabelText('Edit your comment'), 'It is 5')
  api.on('editReviewComment', ({ body: { text } }) => kept({ ...own, text }))
  await user.click(card.getByTestId('button-save-own'))
  await user.click(await card.findByRole('button', { name: 'Remove your comment: It is 5' }))
  api.on('removeReviewComment', () => {
    kept({ ...own, state: 'removed', text: null })
    return undefined
  })
  await user.click(card.getByTestId('button-remove-own'))
  await card.findByText('This comment was removed.')
  expect(api.sent('removeReviewComment')[0]?.body).toMatchObject({ postId: post.id, commentId: own.id })
  await waitFor(() => expect(card.getByTestId('button-comments').textContent).toBe('Comments (1)'))
})
