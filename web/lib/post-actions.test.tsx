/** Acts on a post show at once, and are taken back when the server refuses them. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Post } from '../../api/contract/index.ts'
import { dialogs, fill, findDialog, renderRoute, toastIs } from '../test/app.tsx'
import { cut, refuse, startFakeApi } from '../test/fake-api.ts'
import { gate } from '../../domain/test/gate.ts'
import { changed, overtaken, signedIn, type World } from '../test/signed-in.ts'
import { aPost } from '../test/things.ts'

const api = startFakeApi()
const gone = 'The server cannot be reached. Nothing is lost: check the connection, then try again.'

async function open(statuses: readonly Post['status'][], tab = 'all', parts: Partial<Omit<Post, 'can'>> = {}) {
  const world = signedIn(api)
  world.posts = statuses.map((status, index) => aPost(world.account, { status, content: `Number ${index}`, ...parts }))
  api.on('getPostDelivery', () => ({ sentence: 'It waits.', act: null, at: null, attempts: [], evidence: null }))
  const { user } = renderRoute(`/content?client=${world.client.id}&tab=${tab}`)
  await screen.findAllByTestId('post-card')
  const press = async (index: number, testId: string) => {
    await user.click(within(card(world, index)).getByTestId('button-preview'))
    const preview = within(await findDialog('Post Preview'))
    await user.click(preview.getByTestId(testId))
  }
  return { world, user, press }
}
const find = ({ posts }: World, index: number) =>
  document.querySelector<HTMLElement>(`[data-testid=post-card][data-post-id="${posts[index]?.id}"]`)
function card(world: World, index: number): HTMLElement {
  const found = find(world, index)
  if (!found) throw new Error(`No card of post ${index}`)
  return found
}
const statusIs = (world: World, index: number, status: string) =>
  waitFor(() => expect(find(world, index)?.getAttribute('data-status')).toBe(status))
const tab = (name: string) =>
  screen.getAllByRole('tab').find(({ textContent }) => textContent?.startsWith(name))?.textContent

const acts = [
  ['approved', 'pending', 'button-approve', 'approve', 'Post has been approved and will be published as scheduled.'],
  ['rejected', 'pending', 'button-reject', 'reject', 'Post has been rejected and moved to drafts.'],
  ['scheduled', 'draft', 'button-schedule-post', 'schedule', 'Post has been scheduled for publishing.'],
] as const

describe('A post', () => {
  it.each(acts)(
    'is shown as %s before the server answers, which is told then [8.29]',
    async (after, before, testId, _, told) => {
      const { world, press } = await open([before])
      const { until, open: release } = gate()
      api.on('changePost', async ({ params }) => {
        await until
        return changed(world, params.id, { status: after })
      })
      await press(0, testId)
      await statusIs(world, 0, after)
      expect(dialogs()).toBe(0)
      expect(world.posts.map(({ status }) => status)).toEqual([before])
      release()
      await toastIs('default', `Post ${after}`, told)
      expect(api.sent('changePost').map(({ body }) => body)).toEqual([{ status: after }])
    },
  )

  it.each(acts)(
    'that could not be %s is as it was, and the sentence of the server is told [8.8]',
    async (after, before, testId, verb) => {
      const { world, press } = await open([before])
      const { until, open: release } = gate()
      api.on('changePost', async () => {
        await until
        return refuse(409, 'Only another post can be changed like that.')
      })
      await press(0, testId)
      await statusIs(world, 0, after)
      release()
      await toastIs('destructive', 'Error', `Failed to ${verb} post`, 'Only another post can be changed like that.')
      await statusIs(world, 0, before)
    },
  )

  it('that was changed since it was read is not approved', async () => {
    const { world, press } = await open(['pending'])
    changed(world, world.posts[0]?.id ?? '', { content: 'Other words' })
    await press(0, 'button-approve')
    await toastIs('destructive', 'Error', 'Failed to approve post', overtaken)
    await statusIs(world, 0, 'pending')
    expect(api.sent('changePost').map(({ headers }) => headers.get('If-Match'))).toEqual(['"0"'])
  })

  it('that could not be deleted is back, and another act on another post goes on [8.10]', async () => {
    const { world, user, press } = await open(['pending', 'pending'], 'pending')
    api.on('deletePost', () => cut)
    const { until, open: release } = gate()
    api.on('changePost', async ({ params }) => {
      await until
      return changed(world, params.id, { status: 'approved' })
    })
    await press(1, 'button-approve')
    await waitFor(() => expect(find(world, 1)).toBeNull())
    await press(0, 'button-delete-post')
    await user.click(within(await findDialog('Delete this post?')).getByText('Delete', { selector: 'button' }))
    await toastIs('destructive', 'Error', 'Failed to delete post', gone)
    await statusIs(world, 0, 'pending')
    expect(find(world, 1)).toBeNull()
    release()
    await toastIs('default', 'Post approved', 'Post has been approved and will be published as scheduled.')
    expect(tab('Pending')).toBe('Pending(1)')
  })

  it('that is deleted leaves the list at once', async () => {
    const { world, user, press } = await open(['draft'])
    const { until, open: release } = gate()
    const { id } = world.posts[0] ?? { id: '' }
    api.on('deletePost', async () => {
      await until
      world.posts = []
      return undefined
    })
    await press(0, 'button-delete-post')
    await user.click(within(await findDialog('Delete this post?')).getByText('Delete', { selector: 'button' }))
    await waitFor(() => expect(document.querySelector(`[data-post-id="${id}"]`)).toBeNull())
    release()
    await toastIs('default', 'Post deleted', 'Post has been permanently deleted.')
  })

  it('keeps the reason of a rejection that could not be sent', async () => {
    const { world, user } = await open(['pending'])
    const preview = async () => {
      await user.click(within(card(world, 0)).getByTestId('button-preview'))
      return within(await findDialog('Post Preview'))
    }
    api.on('changePost', () => cut)
    const first = await preview()
    await fill(user, first.getByLabelText(/^Reason for a rejection/), 'Too long')
    await user.click(first.getByTestId('button-reject'))
    await toastIs('destructive', 'Error', 'Failed to reject post', gone)
    const again = await preview()
    expect(again.getByLabelText<HTMLInputElement>(/^Reason for a rejection/).value).toBe('Too long')
    api.on('changePost', ({ params }) => changed(world, params.id, { status: 'rejected', rejectionReason: 'Too long' }))
    await user.click(again.getByTestId('button-reject'))
    await toastIs('default', 'Post rejected', 'Post has been rejected and moved to drafts.')
    expect(api.sent('changePost').map(({ body }) => body)).toEqual([
      { status: 'rejected', reason: 'Too long' },
      { status: 'rejected', reason: 'Too long' },
    ])
  })

  it.each([
    ['at its planned time', '2099-03-04T09:00:00.000Z', 'Post will go out as planned on Wed, Mar 4, 2099 at 10:00 AM.'],
    ['at once', '2030-01-07T09:00:00.000Z', 'Post is on its way again.'],
  ])('that is released %s is told so', async (_, scheduledFor, told) => {
    const held = { delivery: 'held', heldBecause: 'client-asked', scheduledFor: '2099-03-04T09:00:00.000Z' } as const
    const { world, user } = await open(['approved'], 'all', held)
    api.on('releasePost', ({ params }) => changed(world, params.id, { delivery: 'none', scheduledFor }))
    await user.click(within(card(world, 0)).getByTestId('button-preview'))
    await user.click(within(await findDialog('Post Preview')).getByText('Release', { selector: 'button' }))
    await toastIs('default', 'Post released', told)
    expect(api.sent('releasePost').map(({ body }) => body)).toEqual([{}])
  })

  it('is scheduled from its card', async () => {
    const { world, user } = await open(['draft'])
    await user.click(within(card(world, 0)).getByTestId('button-schedule'))
    await toastIs('default', 'Post scheduled', 'Post has been scheduled for publishing.')
    await statusIs(world, 0, 'scheduled')
    expect(api.sent('changePost').map(({ body }) => body)).toEqual([{ status: 'scheduled' }])
  })
})
