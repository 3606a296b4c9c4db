/** The page behind a review link, without an account. */
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ReviewedPost, ReviewSeen } from '../../../api/contract/index.ts'
import { closeApp, fill, renderRoute, toldUnder } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { newId } from '../../test/things.ts'
import { askedWith } from './kept-session.ts'

const api = startFakeApi()
const token = 'p3Zb0TkXn5mQ8sVt2Lr9WcYd4FgHjK6eUaIoN1xSvBE'
const session = 'S'.repeat(43)
const agency = { name: 'North Star', logoUrl: null, color: '#1f6f54' }
type Open = Extract<ReviewSeen, { readonly state: 'open' }>

const aReviewed = (parts: Partial<ReviewedPost> = {}): ReviewedPost => ({
  id: newId(),
  platform: 'facebook',
  accountName: 'Blue Cup',
  content: 'Fresh bread every morning',
  imageUrl: null,
  scheduledFor: '2030-03-04T08:00:00.000Z',
  status: 'pending',
  held: null,
  url: null,
  version: 1,
  hash: 'hash-1',
  textHash: `v1:${'0'.repeat(64)}`,
  imageHash: null,
  comments: 0,
  commentChanges: 0,
  verdict: null,
  seen: null,
  can: ['approve', 'changes'],
  isStep: true,
  isStepAhead: false,
  ...parts,
})

let posts: ReviewedPost[]
let about: Partial<Open>

beforeEach(() => {
  posts = [aReviewed(), aReviewed({ content: 'Cake on Sunday' })]
  about = {}
  api.on('getUser', () => refuse(401, 'Sign in first.'))
  api.on('openReview', () => undefined)
  api.on('lookAtReview', (): ReviewSeen => ({
    state: 'open',
    agency,
    clientName: 'Blue Cup',
    timeZone: 'Europe/Berlin',
    issuedBy: 'Ada Lovelace',
    expiresAt: '2030-03-10T08:00:00.000Z',
    may: ['approve', 'comment'],
    you: { id: 'reviewer-1', name: 'Nora', verified: 'named' },
    canVerify: false,
    isPaused: false,
    posts,
    total: posts.length,
    done: posts.filter(({ verdict }) => verdict?.isCurrent).length,
    next: null,
    ...about,
  }))
})
afterEach(closeApp)

const judged = (post: ReviewedPost, parts: Partial<ReviewedPost>): ReviewedPost => {
  const next = { ...post, ...parts }
  posts = posts.map((each) => (each.id === post.id ? next : each))
  return next
}
const approval = { verdict: 'approve', version: 1, at: '2030-03-01T08:00:00.000Z', isCurrent: true } as const
const open = () => renderRoute(`/review#${token}`)
const cards = async () => (await screen.findAllByTestId('post-to-review')).map((card) => within(card))
async function firstCard() {
  const [card] = await cards()
  if (!card) throw new Error('No post')
  return card
}

describe('A review link', () => {
  it('shows the posts, and tells the server so afterwards', async () => {
    open()
    expect(await cards()).toHaveLength(2)
    expect(screen.getByText('Cake on Sunday')).toBeTruthy()
    expect(screen.getByTestId('review-progress').textContent).toBe('0 of 2 done')
    expect(document.title).toBe('Review · North Star')
    expect(document.querySelector('meta[name=robots]')?.getAttribute('content')).toBe('noindex')
    await waitFor(() => expect(api.sent('openReview')).toHaveLength(1))
    const seen = posts.map(({ id, version }) => ({ postId: id, version }))
    expect(api.sent('openReview')[0]?.body).toEqual({ token, seen })
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(token)
  })

  it('that was cut off is not asked about', async () => {
    renderRoute('/review#short')
    expect(await screen.findByText('This link is not complete')).toBeTruthy()
    expect(api.sent('lookAtReview')).toHaveLength(0)
  })

  it.each(['revoked', 'expired'] as const)('that is %s says which agency to ask', async (state) => {
    api.on('lookAtReview', () => ({ state, agency }))
    open()
    expect(await screen.findByText('This link is over. Please ask North Star for a new one.')).toBeTruthy()
  })

  it('that is unknown says so', async () => {
    api.on('lookAtReview', () => refuse(404, "This link doesn't exist."))
    open()
    expect(await screen.findByText('This link does not exist')).toBeTruthy()
    expect(screen.queryByTestId('post-to-review')).toBeNull()
  })

  it('with a passcode opens by it, for this tab', async () => {
    const shown = { state: 'locked', agency, needs: 'passcode', address: null } as const
    api.on('lookAtReview', ({ body }) => (body.session === session ? { state: 'revoked', agency } : shown))
    const { user } = open()
    const field = await screen.findByLabelText(/Passcode/)
    api.on('unlockReview', () => refuse(403, 'This passcode is wrong.'))
    await user.click(screen.getByTestId('button-unlock'))
    expect(toldUnder(field)).toBe('Enter the passcode')
    await fill(user, field, 'open up')
    await user.click(screen.getByTestId('button-unlock'))
    expect((await screen.findByTestId('form-error')).textContent).toBe('This passcode is wrong.')
    api.on('unlockReview', () => ({ session }))
    await user.click(screen.getByTestId('button-unlock'))
    expect(await screen.findByText('This link is over')).toBeTruthy()
    expect(api.sent('unlockReview').at(-1)?.body).toEqual({ token, passcode: 'open up' })
  })

  it('with a lock by code mails one first', async () => {
    api.on('lookAtReview', () => ({ state: 'locked', agency, needs: 'code', address: 'n…@example.com' }))
    api.on('askReviewCode', () => undefined)
    api.on('unlockReview', () => ({ session }))
    const { user } = open()
    await user.click(await screen.findByTestId('button-send-code'))
    const field = await screen.findByLabelText(/Code/)
    expect(document.activeElement).toBe(field)
    await fill(user, field, '123 456')
    await user.click(screen.getByTestId('button-unlock'))
    await waitFor(() => expect(api.sent('unlockReview')[0]?.body).toEqual({ token, code: '123456' }))
  })
})

describe('A post', () => {
  it('is named by its buttons, whose visible words come first', async () => {
    const can = ['approve', 'changes', 'hold'] as const
    posts = [aReviewed({ can: [...can] }), aReviewed({ can: [...can], platform: 'linkedin', scheduledFor: null })]
    open()
    const names = (await cards()).flatMap((card) =>
      can.map((act) => {
        const { textContent, ariaLabel } = card.getByTestId(`button-${act}`)
        expect(ariaLabel?.startsWith(textContent)).toBe(true)
        return ariaLabel
      }),
    )
    const of = 'post 1 of 2 for Facebook, planned for Mon, Mar 4, 2030 at 9:00 AM'
    const other = 'post 2 of 2 for LinkedIn, time not chosen yet'
    const acts = ['Approve', 'Ask for changes to', 'Hold']
    expect(names).toEqual([of, other].flatMap((post) => acts.map((act) => `${act} ${post}`)))
  })

  it('is approved in the version that was shown, and the count follows', async () => {
    const [post] = posts
    api.on('giveVerdict', ({ body }) =>
      judged(posts.find(({ id }) => id === body.postId) ?? aReviewed(), {
        status: 'scheduled',
        verdict: approval,
        can: [],
      }),
    )
    const { user } = open()
    const card = await firstCard()
    await user.click(card.getByTestId('button-approve'))
    const told = await card.findByTestId('post-told')
    expect(told.textContent).toBe('You approved this version.')
    await waitFor(() => expect(document.activeElement).toBe(told))
    expect(api.sent('giveVerdict')[0]?.body).toEqual({
      token,
      postId: post?.id,
      seenHash: 'hash-1',
      seenVersion: 1,
      verdict: 'approve',
      note: '',
    })
    await waitFor(() => expect(screen.getByTestId('review-progress').textContent).toBe('1 of 2 done'))
    await user.click(card.getByTestId('button-next-post'))
    expect(document.activeElement?.textContent).toBe('Post 2 of 2')
  })

  it('that no step waits for is scheduled by the agency', async () => {
    posts = [aReviewed({ isStep: false, verdict: approval, can: ['changes'] })]
    open()
    expect((await firstCard()).getByTestId('post-told').textContent).toBe(
      'You approved this version. The agency will schedule it.',
    )
    expect(await screen.findByText('All done. Thank you!')).toBeTruthy()
  })

  it("that is approved before the client's step waits for the agency, and is approved once more then", async () => {
    posts = [
      aReviewed({ verdict: approval, can: ['changes'], isStep: false, isStepAhead: true }),
      aReviewed({ verdict: { ...approval, isCurrent: false } }),
    ]
    open()
    const [ahead, opened] = await cards()
    expect(ahead?.getByTestId('post-told').textContent).toBe(
      "You approved this version. The agency's own approval comes first.",
    )
    expect(opened?.getByTestId('post-told').textContent).toBe(
      'You approved it before it was your turn. Please approve it once more.',
    )
    expect(opened?.getByTestId('button-approve')).toBeTruthy()
    expect(opened?.queryByText('Approved by you')).toBeNull()
    expect(screen.queryByText('All done. Thank you!')).toBeNull()
  })

  it('that was scheduled with another text is not approved by the client, and shows what changed', async () => {
    const seen = { version: 1, content: 'Fresh bread', imageUrl: null }
    const verdict = { ...approval, isCurrent: false }
    posts = [aReviewed({ status: 'scheduled', verdict, seen, can: ['hold'], isStep: false })]
    open()
    const card = await firstCard()
    expect(card.getByTestId('post-told').textContent).toBe('You decided on an earlier version.')
    const changes = within(await card.findByTestId('post-changes'))
    await waitFor(() => expect(changes.getByTestId('text-difference').textContent).toContain('every morning'))
  })

  it('is not asked for where every post is decided: no thanks for what the person did not do', async () => {
    posts = [aReviewed({ status: 'approved', can: [] })]
    about = { done: 1, issuedBy: 'A member of the agency' }
    open()
    expect(await screen.findByText('No post waits for you')).toBeTruthy()
    expect(screen.queryByText('All done. Thank you!')).toBeNull()
    expect(screen.getByText(/^Sent by a member of the agency\./)).toBeTruthy()
  })

  it('is left by Escape, and its words stay', async () => {
    const { user } = open()
    const card = await firstCard()
    await user.click(card.getByTestId('button-changes'))
    await fill(user, card.getByLabelText(/What should change/), 'Say when')
    await user.keyboard('{Escape}')
    expect(card.queryByTestId('act-form')).toBeNull()
    await user.click(card.getByTestId('button-changes'))
    expect(card.getByLabelText<HTMLTextAreaElement>(/What should change/).value).toBe('Say when')
  })

  it('is sent back with words, which are asked for', async () => {
    api.on('giveVerdict', ({ body }) =>
      judged(posts.find(({ id }) => id === body.postId) ?? aReviewed(), {
        status: 'rejected',
        verdict: { ...approval, verdict: 'changes' },
        can: [],
      }),
    )
    const { user } = open()
    const card = await firstCard()
    await user.click(card.getByTestId('button-changes'))
    const field = card.getByLabelText(/What should change/)
    await user.click(card.getByTestId('button-send-act'))
    expect(toldUnder(field)).toBe('Say what should change')
    expect(api.sent('giveVerdict')).toHaveLength(0)
    await fill(user, field, 'The price is 3 euros')
    await user.click(card.getByTestId('button-send-act'))
    expect((await card.findByTestId('post-told')).textContent).toBe('You asked for changes.')
    expect(api.sent('giveVerdict')[0]?.body).toMatchObject({ verdict: 'changes', note: 'The price is 3 euros' })
  })

  it('that changed meanwhile is shown anew with the difference, and what was typed stays', async () => {
    const [post] = posts
    if (!post) throw new Error('No post')
    api.on('giveVerdict', () => {
      judged(post, { content: 'Fresh bread every evening', version: 2, hash: 'hash-2' })
      return refuse(409, 'This post has changed. Look at it again.')
    })
    const { user } = open()
    const card = await firstCard()
    await user.click(card.getByTestId('button-changes'))
    await fill(user, card.getByLabelText(/What should change/), 'Say when')
    await user.click(card.getByTestId('button-send-act'))
    const changes = await card.findByTestId('post-changes')
    await waitFor(() => expect(within(changes).getByTestId('text-difference').textContent).toContain('evening'))
    expect(within(changes).getByTestId('text-difference').textContent).toContain('morning')
    expect(card.getByTestId('form-error').textContent).toBe('This post has changed. Look at it again.')
    expect(card.getByLabelText<HTMLTextAreaElement>(/What should change/).value).toBe('Say when')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Changed since you last saw it'))
    api.on('giveVerdict', () => judged(post, { version: 2, status: 'rejected', can: [] }))
    await user.click(card.getByTestId('button-send-act'))
    await waitFor(() =>
      expect(api.sent('giveVerdict').at(-1)?.body).toMatchObject({ seenHash: 'hash-2', seenVersion: 2 }),
    )
    await waitFor(() => expect(api.sent('openReview').at(-1)?.body).toMatchObject({ seen: [{ version: 2 }] }))
  })

  it('that the agency decided meanwhile is shown as it is now, with the reason for the refusal', async () => {
    const [post] = posts
    if (!post) throw new Error('No post')
    api.on('giveVerdict', () => {
      judged(post, { status: 'draft', can: [] })
      return refuse(409, "A draft can't be approved.")
    })
    const { user } = open()
    const card = await firstCard()
    await user.click(card.getByTestId('button-approve'))
    expect(await card.findByText('Being changed')).toBeTruthy()
    expect(card.queryByText('Waits for you')).toBeNull()
    expect(card.getByTestId('form-error').textContent).toBe("A draft can't be approved.")
  })

  it('that a reply with all posts lacks leaves the page, and one of another page stays', async () => {
    const [first, second] = posts
    if (!first || !second) throw new Error('No posts')
    api.on('giveVerdict', ({ body }) => {
      posts = posts.filter(({ id }) => id !== body.postId)
      return refuse(404, "This post doesn't exist.")
    })
    about = { total: 3 }
    const { user } = open()
    const card = await firstCard()
    await user.click(card.getByTestId('button-approve'))
    expect((await card.findByTestId('form-error')).textContent).toBe("This post doesn't exist.")
    expect(await cards()).toHaveLength(2)
    about = {}
    await user.click(card.getByTestId('button-approve'))
    await waitFor(() => expect(screen.getAllByTestId('post-to-review')).toHaveLength(1))
    expect(screen.getByText(second.content)).toBeTruthy()
  })

  it('takes as many words as the server does, and says so before they are sent', async () => {
    about = { you: { id: null, name: null, verified: 'named' } }
    const { user } = open()
    const card = await firstCard()
    await user.click(card.getByTestId('button-changes'))
    const [name, note] = [card.getByLabelText(/Your name/), card.getByLabelText(/What should change/)]
    expect(toldUnder(note)).toBe('0 of 2,000 characters')
    await fill(user, name, 'x'.repeat(81))
    expect(toldUnder(name)).toBe('A name has at most 80 characters')
    await fill(user, note, 'x'.repeat(2_001))
    expect(toldUnder(note)).toBe('Write at most 2,000 characters. These are 2,001.')
    await user.click(card.getByTestId('button-send-act'))
    expect(api.sent('nameReviewer')).toHaveLength(0)
    // The focus goes to the first error: typing before would land there.
    await waitFor(() => expect(document.activeElement).toBe(name))
    await fill(user, note, 'x'.repeat(2_000))
    expect(toldUnder(note)).toBe('2,000 of 2,000 characters')
  })

  it('shows what changed since an earlier visit', async () => {
    posts = [aReviewed({ version: 3, seen: { version: 1, content: 'Fresh bread', imageUrl: 'https://x.test/a.png' } })]
    open()
    const changes = within(await (await firstCard()).findByTestId('post-changes'))
    expect(changes.getByText('The image was removed.')).toBeTruthy()
    await waitFor(() => expect(changes.getByTestId('text-difference').textContent).toContain('every morning'))
  })

  it('is held until the agency releases it', async () => {
    posts = [aReviewed({ status: 'scheduled', can: ['hold'] })]
    api.on('holdReviewedPost', () => {
      const [post = aReviewed()] = posts
      return judged(post, { held: 'client-asked', verdict: { ...approval, verdict: 'hold' }, can: [] })
    })
    const { user } = open()
    const card = await firstCard()
    expect(card.getByText(/^Goes out/)).toBeTruthy()
    await user.click(card.getByTestId('button-hold'))
    await user.click(card.getByTestId('button-send-act'))
    expect((await card.findByTestId('post-told')).textContent).toBe(
      'You put this post on hold. North Star has to release it.',
    )
    expect(card.queryByText(/^Goes out/)).toBeNull()
  })

  it('has its live address after publishing', async () => {
    posts = [aReviewed({ status: 'published', url: 'https://network.example/1', verdict: approval, can: [] })]
    open()
    const link = (await firstCard()).getByText('View on Facebook')
    expect(link.closest('a')?.href).toBe('https://network.example/1')
  })
})

it('A person with a link for everyone says who they are with the first act', async () => {
  about = { you: { id: null, name: null, verified: 'named' } }
  api.on('nameReviewer', () => {
    about = { you: { id: 'reviewer-1', name: 'Nora', verified: 'named' } }
    return { session }
  })
  api.on('giveVerdict', () => judged(posts[0] ?? aReviewed(), { status: 'scheduled', verdict: approval, can: [] }))
  const { user } = open()
  const card = await firstCard()
  await user.click(card.getByTestId('button-approve'))
  expect(api.sent('giveVerdict')).toHaveLength(0)
  await fill(user, card.getByLabelText(/Your name/), 'Nora')
  await user.click(card.getByTestId('button-send-act'))
  await card.findByTestId('post-told')
  expect(api.sent('nameReviewer')[0]?.body).toEqual({ token, name: 'Nora' })
  expect(api.sent('giveVerdict')[0]?.body).toMatchObject({ token, session, verdict: 'approve' })
  expect(await screen.findByText('You review as Nora.')).toBeTruthy()
  // Another tab has none of this one's session storage.
  sessionStorage.clear()
  expect(askedWith(token)).toEqual({ token, session })
  expect(askedWith(`other${token}`)).toEqual({ token: `other${token}` })
})

it('While approvals are paused, the page says whom to contact', async () => {
  about = { isPaused: true }
  posts = [aReviewed({ can: ['changes'] })]
  open()
  expect(await screen.findByText('Approvals are paused. Please contact North Star.')).toBeTruthy()
  expect(screen.queryByTestId('button-approve')).toBeNull()
})
