/** A post that changes elsewhere while its details or its preview are open. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { CalendarTile, Post } from '../../../api/contract/index.ts'
import { findDialog, gone, renderRoute, toastIs } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { changed, overtaken, signedIn, type World } from '../../test/signed-in.ts'
import { aPost } from '../../test/things.ts'

const api = startFakeApi()
const scheduledFor = '2031-03-10T08:00:00.000Z'

const tileOf = ({
  id,
  clientId,
  platform,
  status,
  delivery,
  heldBecause,
  content,
  steps,
  can,
}: Post): CalendarTile => ({
  id,
  clientId,
  platform,
  status,
  delivery,
  heldBecause,
  excerpt: content,
  truncated: false,
  scheduledFor,
  assignedTo: null,
  steps,
  can,
})

function withPost(parts: Partial<Post>): World & { readonly post: Post } {
  const world = signedIn(api)
  const post = aPost(world.account, { content: 'Coffee', scheduledFor, ...parts })
  world.posts = [post]
  api.on('countNews', () => ({ missed: false, changed: [] }))
  api.on('getPostDelivery', () => ({ sentence: '', act: null, at: null, attempts: [], evidence: null }))
  const tile = tileOf(post)
  api.on('getCalendar', () => ({ from: '2031-02-23', to: '2031-04-05', posts: [tile], more: [] }))
  return Object.assign(world, { post })
}

/** Tells of a change by another user. */
async function changeElsewhere(world: World, post: Post, parts: Partial<Post> | 'deleted'): Promise<void> {
  await waitFor(() => expect(world.listeners()).toBe(1))
  if (parts === 'deleted') world.posts = []
  else changed(world, post.id, parts)
  world.ring({ missed: false, changes: [{ kind: 'posts', id: post.id, clientId: post.clientId, position: 'p9' }] })
}
const line = () => screen.getByTestId('newer-post').textContent
const says = (text: string) => waitFor(() => expect(line()).toBe(text))
const published = { status: 'published', publishedAt: scheduledFor } as const

async function openDetails(world: World) {
  const { user } = renderRoute('/calendar?month=2031-03')
  await user.click(await screen.findByTestId('calendar-post'))
  const dialog = within(await findDialog('Post Details'))
  await waitFor(() => expect(api.sent('getPost')).toHaveLength(1))
  await user.hover(dialog.getByText('Open in Content'))
  return { user, dialog, world }
}

describe('Open post details', () => {
  it('say that the post was published, show it on request, and leave the calendar as it was read [P5.3]', async () => {
    const world = withPost({ status: 'scheduled' })
    const { user, dialog } = await openDetails(world)
    const asked = api.sent('getCalendar').length
    await changeElsewhere(world, world.post, published)
    await says('Published:Show')
    expect(dialog.getByTestId('button-move-post')).toHaveProperty('disabled', true)
    expect(dialog.getByTestId('refused-reason').textContent).toBe('This post is published now.')
    await user.click(dialog.getByText('Show'))
    await says('')
    dialog.getByText('Published')
    expect(dialog.queryByTestId('button-move-post')).toBeNull()
    expect(api.sent('getCalendar')).toHaveLength(asked)
  })

  it('say that the post was deleted', async () => {
    const world = withPost({ status: 'scheduled' })
    const { dialog } = await openDetails(world)
    await changeElsewhere(world, world.post, 'deleted')
    await says('Deleted')
    expect(dialog.getByTestId('button-move-post')).toHaveProperty('disabled', true)
  })

  it('opened from a calendar that was read before the change say so at once [P5.4]', async () => {
    const world = withPost({ status: 'scheduled' })
    changed(world, world.post.id, published)
    await openDetails(world)
    await says('Published:Show')
  })
})

describe('Publish now in post details', () => {
  async function ask() {
    const world = withPost({ status: 'scheduled', can: ['publish-now', 'reschedule'] })
    const { user, dialog } = await openDetails(world)
    const button = dialog.getByTestId('button-publish-now')
    await waitFor(() => expect(button).toHaveProperty('disabled', false))
    await user.click(button)
    return { world, user, asked: within(await findDialog('Publish this post now?')) }
  }

  it('asks first, sends the revision that was read, and closes the details [P11.27]', async () => {
    const { world, user, asked } = await ask()
    asked.getByText('The post goes to Blue Cup on Facebook within seconds. You cannot take it back from here.')
    expect(api.sent('publishPost')).toEqual([])
    api.on('publishPost', () => changed(world, world.post.id, { scheduledFor: new Date().toISOString() }))
    await user.click(asked.getByTestId('button-confirm-publish-now'))
    await toastIs('default', 'Publishing now', 'Post is on its way to the network.')
    expect(api.sent('publishPost').map(({ headers }) => headers.get('If-Match'))).toEqual(['"0"'])
    await gone(() => screen.queryByText('Post Details'))
  })

  it('that another revision refuses leaves the details open, where Show is then', async () => {
    const { world, user, asked } = await ask()
    changed(world, world.post.id, { content: 'With other words' })
    api.on('publishPost', () => refuse(412, overtaken))
    await user.click(asked.getByTestId('button-confirm-publish-now'))
    await toastIs(
      'destructive',
      'Error',
      'Failed to publish post',
      'This post has changed. Press Show to see the newer version.',
    )
    const details = within(await findDialog('Post Details'))
    await user.click(await details.findByText('Show'))
    await waitFor(() => expect(details.getByTestId('preview-content').textContent).toContain('With other words'))
  })

  it('is not offered for a post that has none of it', async () => {
    const { dialog } = await openDetails(withPost({ ...published, can: [] }))
    expect(dialog.queryByTestId('button-publish-now')).toBeNull()
  })
})

describe('An open preview', () => {
  async function openPreview(world: World) {
    const { user } = renderRoute(`/content?client=${world.client.id}&tab=pending`)
    await user.click(await screen.findByTestId('button-preview'))
    const dialog = within(await findDialog('Post Preview'))
    await user.hover(dialog.getByText('History'))
    return { user, dialog }
  }

  it('says that its post was approved, and Show loads it [P5.1]', async () => {
    const world = withPost({ status: 'pending' })
    const { user, dialog } = await openPreview(world)
    const lists = api.sent('listPosts').length
    await changeElsewhere(world, world.post, { status: 'approved' })
    await says('Approved:Show')
    await user.click(dialog.getByText('Show'))
    await says('')
    dialog.getByText('Return to draft')
    expect(api.sent('listPosts')).toHaveLength(lists)
  })

  it('disables the buttons that the change made impossible, with the reason [P5.2]', async () => {
    const world = withPost({ status: 'pending' })
    const { dialog } = await openPreview(world)
    await changeElsewhere(world, world.post, { status: 'approved' })
    await waitFor(() => expect(dialog.getByTestId('button-approve')).toHaveProperty('disabled', true))
    expect(dialog.getByTestId('button-reject')).toHaveProperty('disabled', true)
    expect(dialog.getByTestId('button-delete-post')).toHaveProperty('disabled', false)
    const reason = dialog.getByTestId('refused-reason')
    expect(reason.textContent).toBe('This post is approved now.')
    expect(dialog.getByTestId('button-approve').getAttribute('aria-describedby')).toBe(reason.id)
  })

  it('says what changed where the status did not: time or text', async () => {
    const world = withPost({ status: 'pending' })
    const { dialog } = await openPreview(world)
    await changeElsewhere(world, world.post, { scheduledFor: '2031-03-11T08:00:00.000Z' })
    await says('Rescheduled:Show')
    expect(dialog.queryByTestId('refused-reason')).toBeNull()
  })
})
