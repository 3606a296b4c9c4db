/** The comments in the preview of a post: threads, who reads them, what they are about, mentions and suggestions. */
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PostComment } from '../../../api/contract/index.ts'
import { agencyQuery } from '../../lib/access-queries.ts'
import { queryClient } from '../../lib/query-client.ts'
import { dialogs, fill, findDialog, renderRoute } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { changed, signedIn, type World } from '../../test/signed-in.ts'
import { aMember, aPost, newId } from '../../test/things.ts'
import Comments from './Comments.tsx'

const api = startFakeApi()
let world: World
const nora = aMember({ name: 'Nora', isMe: true })
const mia = aMember({ name: 'Mia', role: 'manager' })

beforeEach(() => {
  world = signedIn(api)
  world.agency = { ...world.agency, me: { memberId: nora.id, role: 'owner', clients: 'all' } }
  api.on('getTeam', () => ({
    members: [nora, mia],
    invitations: [],
    ownApproval: 'allowed',
    ownershipOfferedTo: null,
    mails: true,
    maxMembers: 50,
  }))
  api.on('postComment', ({ body }) => {
    const { commentId: id, suggestion, audience, ...said } = body
    const posted = aComment({
      ...said,
      id,
      audience: audience ?? 'team',
      can: ['reply', 'edit', 'remove', 'take-over'],
    })
    return suggestion ? { ...posted, suggestion: { text: suggestion.text, state: 'open' } } : posted
  })
})

const aComment = (parts: Partial<PostComment> = {}): PostComment => ({
  id: newId(),
  parentId: null,
  audience: 'team',
  author: { kind: 'member', id: mia.id, name: 'Mia' },
  postedAt: '2030-01-07T09:00:00.000Z',
  editedAt: null,
  state: 'shown',
  text: 'Which breads?',
  anchor: null,
  isEarlierVersion: false,
  suggestion: null,
  mentions: [],
  can: ['reply', 'remove'],
  ...parts,
})

/** The section alone: the whole app would take most of the time. */
async function opened(imageUrl: string | null = null) {
  const post = aPost(world.account, { content: 'Autumn 🇩🇪 breads', imageUrl })
  world.posts = [post]
  const user = userEvent.setup()
  await queryClient.prefetchQuery(agencyQuery)
  render(
    <QueryClientProvider client={queryClient}>
      <Comments post={post} zone="UTC" />
    </QueryClientProvider>,
  )
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Write a comment')
  return { user, section: screen, field }
}
const sent = () => api.sent('postComment').at(-1)?.body

describe('The comments of a post', () => {
  it('are threads that say for whom they are', async () => {
    const open = aComment({ audience: 'client', text: 'For both', editedAt: '2030-01-07T10:00:00.000Z' })
    world.comments = [
      aComment(),
      open,
      aComment({ parentId: open.id, audience: 'client', text: 'An answer', can: [] }),
      aComment({ state: 'removed', text: null, can: [] }),
      aComment({ state: 'erased', text: null, can: [] }),
    ]
    world.posts = [aPost(world.account)]
    const { user } = renderRoute(`/content?client=${world.client.id}&tab=draft`)
    await user.click(await screen.findByTestId('button-preview'))
    const section = within(await findDialog('Post Preview'))
    await section.findByTestId('comment-form')
    const threads = section.getAllByTestId('thread')
    expect(threads.map(({ dataset }) => dataset['audience'])).toEqual(['team', 'client', 'team', 'team'])
    const second = within(threads[1] ?? document.body)
    expect(second.getByText('Visible to the client')).toBeTruthy()
    expect(second.getByText('An answer')).toBeTruthy()
    expect(second.getByText(/edited/)).toBeTruthy()
    expect(section.getByText('This comment was removed.')).toBeTruthy()
    expect(section.getByText('This comment was erased.')).toBeTruthy()
  })

  it('are for the team unless the client is chosen', async () => {
    const { user, section, field } = await opened()
    await fill(user, field, 'Lovely')
    await user.click(section.getByTestId('button-send-comment'))
    expect(await section.findByText('Lovely')).toBeTruthy()
    expect(sent()).toMatchObject({ text: 'Lovely', audience: 'team', anchor: null, suggestion: null, mentions: [] })
    await user.click(section.getByTestId('radio-client'))
    expect(within(section.getByTestId('comment-form')).getByText('Visible to the client')).toBeTruthy()
    await fill(user, field, 'Dear client')
    await user.click(section.getByTestId('button-send-comment'))
    await waitFor(() => expect(sent()).toMatchObject({ text: 'Dear client', audience: 'client' }))
  })

  it('keep the words and the id of one that could not be sent, until the words change', async () => {
    const { user, section, field } = await opened()
    api.on('postComment', () => refuse(503, 'Try again.'))
    await fill(user, field, 'Kept')
    await user.click(section.getByTestId('button-send-comment'))
    expect(await section.findByText('Try again.')).toBeTruthy()
    expect(field.value).toBe('Kept')
    await user.click(section.getByTestId('button-send-comment'))
    await waitFor(() => expect(api.sent('postComment')).toHaveLength(2))
    const ids = () => new Set(api.sent('postComment').map(({ body }) => (body as { commentId: string }).commentId))
    expect(ids().size).toBe(1)
    await fill(user, field, 'Corrected')
    await user.click(section.getByTestId('button-send-comment'))
    await waitFor(() => expect(api.sent('postComment')).toHaveLength(3))
    expect(ids().size).toBe(2)
  })

  it('have replies, which are for the same people', async () => {
    const first = aComment({ audience: 'client' })
    world.comments = [first]
    const { user, section } = await opened()
    await user.click(section.getByRole('button', { name: 'Reply to Mia' }))
    const form = within(await section.findByTestId('reply-form'))
    await fill(user, form.getByLabelText('Write a reply'), 'Rye')
    await user.click(form.getByTestId('button-send-comment'))
    await waitFor(() => expect(sent()).toMatchObject({ parentId: first.id, audience: 'client', text: 'Rye' }))
    await waitFor(() => expect(section.queryByTestId('reply-form')).toBeNull())
  })

  it('are edited and removed by those who may', async () => {
    const mine = aComment({ author: { kind: 'member', id: nora.id, name: 'Nora' }, can: ['edit', 'remove'] })
    world.comments = [mine]
    const { user, section } = await opened()
    api.on('editComment', ({ body }) => ({ ...mine, text: body.text }))
    await user.click(section.getByRole('button', { name: 'Edit the comment of Nora' }))
    await fill(user, section.getByLabelText('Edit'), 'Which rolls?')
    await user.click(section.getByTestId('button-save-comment'))
    expect(await section.findByText('Which rolls?')).toBeTruthy()
    api.on('removeComment', () => {
      world.comments = [{ ...mine, state: 'removed', text: null, can: [] }]
      return undefined
    })
    await user.click(section.getByRole('button', { name: 'Remove the comment of Nora' }))
    const dialog = within(await findDialog('Remove this comment?'))
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    expect(await section.findByText('This comment was removed.')).toBeTruthy()
    await waitFor(() => expect(dialogs()).toBe(0))
  })

  it('offer the members of the client behind an @', async () => {
    const { user, section, field } = await opened()
    await user.type(field, 'See this, @mi')
    await user.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect(field.value).toBe('See this, @Mia '))
    expect(section.queryByRole('listbox')).toBeNull()
    await user.click(section.getByTestId('button-send-comment'))
    await waitFor(() => expect(sent()).toMatchObject({ mentions: [mia.id] }))
  })
})

describe('A comment is about', () => {
  it('a selected part of the text, in whole characters', async () => {
    const { user, section, field } = await opened()
    await user.click(section.getByTestId('button-choose-place'))
    const text = section.getByLabelText<HTMLTextAreaElement>('Select a part of the text')
    // Ends within the flag.
    text.setSelectionRange(0, 9)
    fireEvent.select(text)
    await user.click(section.getByTestId('button-comment-on-selection'))
    expect(section.getByTestId('comment-place').textContent).toContain('About “Autumn 🇩🇪”')
    await fill(user, field, 'Which one?')
    await user.click(section.getByTestId('button-send-comment'))
    const anchor = { kind: 'range', from: 0, to: 11, contentHash: `v1:${'a'.repeat(64)}` }
    await waitFor(() => expect(sent()).toMatchObject({ anchor }))
    expect((await section.findByTestId('comment-about')).textContent).toBe('About “Autumn 🇩🇪”')
  })

  it('a point of the image, which keys move too', async () => {
    const { user, section, field } = await opened('https://img.example/a.png')
    await user.click(section.getByTestId('button-choose-place'))
    section.getByTestId('pinned-image').focus()
    await user.keyboard('{Enter}{ArrowRight}{ArrowUp}')
    await fill(user, field, 'Too dark')
    await user.click(section.getByTestId('button-send-comment'))
    await waitFor(() => expect(sent()).toMatchObject({ anchor: { kind: 'point', x: 0.55, y: 0.45 } }))
    expect((await section.findByTestId('comment-about')).textContent).toBe('Point 1')
  })

  it('an earlier version, which it leads to', async () => {
    const anchor = { kind: 'range', from: 0, to: 6, contentHash: `v1:${'c'.repeat(64)}` } as const
    world.comments = [aComment({ anchor, isEarlierVersion: true })]
    api.on('getCommentedVersion', () => ({ content: 'Winter breads', imageUrl: null }))
    const { user, section } = await opened()
    await user.click(section.getByTestId('button-earlier-version'))
    const dialog = within(await findDialog('An earlier version'))
    expect((await dialog.findByTestId('earlier-text')).textContent).toBe('Winter breads')
    expect(dialog.getByText('Winter').tagName).toBe('MARK')
  })

  it('a text to take instead', async () => {
    const { user, section, field } = await opened()
    await user.click(section.getByTestId('button-suggest'))
    await fill(user, section.getByLabelText('Suggested text'), 'Autumn rolls')
    await fill(user, field, 'Shorter')
    await user.click(section.getByTestId('button-send-comment'))
    const suggestion = { text: 'Autumn rolls', contentHash: `v1:${'a'.repeat(64)}` }
    await waitFor(() => expect(sent()).toMatchObject({ suggestion }))
    expect(await section.findByTestId('suggestion')).toBeTruthy()
    const [taken] = world.posts
    api.on('takeOverSuggestion', ({ params }) => {
      changed(world, params.id, { content: 'Autumn rolls' })
      world.comments = [aComment({ suggestion: { text: 'Autumn rolls', state: 'taken' } })]
      return world.comments[0] ?? aComment()
    })
    await user.click(section.getByTestId('button-take-over'))
    expect(await section.findByText(/Taken over/)).toBeTruthy()
    expect(world.posts[0]?.revision).toBe((taken?.revision ?? 0) + 1)
  })
})

it('A viewer reads comments and writes none', async () => {
  world.agency = { ...world.agency, me: { memberId: nora.id, role: 'viewer', clients: 'all' } }
  world.comments = [aComment({ can: [] })]
  const post = aPost(world.account)
  world.posts = [post]
  await queryClient.prefetchQuery(agencyQuery)
  render(
    <QueryClientProvider client={queryClient}>
      <Comments post={post} zone="UTC" />
    </QueryClientProvider>,
  )
  expect(await screen.findByText('Which breads?')).toBeTruthy()
  expect(screen.queryByTestId('comment-form')).toBeNull()
})
