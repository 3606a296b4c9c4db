/** Publishing at once, from the preview. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { findDialog, gone, renderRoute, toastIs } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { changed, overtaken, signedIn } from '../../test/signed-in.ts'
import { aPost } from '../../test/things.ts'

const api = startFakeApi()

async function ask() {
  const world = signedIn(api)
  const post = aPost(world.account)
  world.posts = [post]
  api.on('getPostDelivery', () => ({ sentence: 'Due.', act: 'wait', at: null, attempts: [], evidence: null }))
  const { user } = renderRoute(`/content?client=${world.client.id}`)
  await user.click(await screen.findByTestId('button-preview'))
  await findDialog('Post Preview')
  await user.click(screen.getByTestId('button-publish-now'))
  return { world, post, user, dialog: within(await findDialog('Publish this post now?')) }
}

describe('Publish now', () => {
  it('asks first, and sends the revision that was read [P11.17]', async () => {
    const { world, post, user, dialog } = await ask()
    dialog.getByText('The post goes to Blue Cup on Facebook within seconds. You cannot take it back from here.')
    expect(api.sent('publishPost')).toEqual([])
    api.on('publishPost', () =>
      changed(world, post.id, { status: 'scheduled', scheduledFor: new Date().toISOString() }),
    )
    await user.click(dialog.getByTestId('button-confirm-publish-now'))
    await toastIs('default', 'Publishing now', 'Post is on its way to the network.')
    expect(api.sent('publishPost').map(({ headers }) => headers.get('If-Match'))).toEqual(['"0"'])
    await gone(() => screen.queryByText('Post Preview'))
  })

  it('that is refused says why, and leaves the preview open', async () => {
    const { user, dialog } = await ask()
    api.on('publishPost', () => refuse(409, 'The social account is not connected. Connect it first.'))
    await user.click(dialog.getByTestId('button-confirm-publish-now'))
    await toastIs(
      'destructive',
      'Error',
      'Failed to publish post',
      'The social account is not connected. Connect it first.',
    )
    await findDialog('Post Preview')
  })

  it('that is cancelled sends nothing', async () => {
    const { user, dialog } = await ask()
    await user.click(dialog.getByText('Cancel', { selector: 'button' }))
    await gone(() => screen.queryByText('Publish this post now?'))
    expect(api.sent('publishPost')).toEqual([])
  })

  it('says why it is not possible any more once another tab changed the post', async () => {
    const { world, post, user, dialog } = await ask()
    api.on('countNews', () => ({ missed: false, changed: [] }))
    changed(world, post.id, { status: 'pending' })
    await waitFor(() => expect(world.listeners()).toBe(1))
    world.ring({ missed: false, changes: [{ kind: 'posts', id: post.id, clientId: post.clientId, position: 'p9' }] })
    const confirm = dialog.getByTestId('button-confirm-publish-now')
    await waitFor(() => expect(confirm).toHaveProperty('disabled', true))
    const refusal = dialog.getByTestId('publish-now-refusal')
    expect(refusal.textContent).toBe('This post waits for review now.')
    expect(confirm.getAttribute('aria-describedby')).toBe(refusal.id)
    await user.click(confirm)
    expect(api.sent('publishPost')).toEqual([])
  })

  it('that another revision refuses says to press Show, which is there then', async () => {
    const { world, post, user, dialog } = await ask()
    changed(world, post.id, { content: 'With other words' })
    api.on('publishPost', () => refuse(412, overtaken))
    await user.click(dialog.getByTestId('button-confirm-publish-now'))
    await toastIs(
      'destructive',
      'Error',
      'Failed to publish post',
      'This post has changed. Press Show to see the newer version.',
    )
    const preview = within(await findDialog('Post Preview'))
    await user.click(preview.getByText('Show'))
    await waitFor(() => expect(preview.getByTestId('preview-content').textContent).toContain('With other words'))
  })
})
