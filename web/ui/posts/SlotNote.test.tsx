/** What is said of a post whose time has passed, before it is approved. */
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { answered, findDialog, renderRoute, toastIs } from '../../test/app.tsx'
import { startFakeApi } from '../../test/fake-api.ts'
import { changed, signedIn } from '../../test/signed-in.ts'
import { aPost } from '../../test/things.ts'

const api = startFakeApi()
const passed = 'Its time has passed: the next free slot is Mon, Jan 7, 2030 at 10:00 AM'

function pending(scheduledFor: string | null) {
  const world = signedIn(api)
  const post = aPost(world.account, { status: 'pending', scheduledFor })
  world.posts = [post]
  const { user } = renderRoute(`/content?client=${world.client.id}&tab=pending`)
  return { world, post, user }
}

/** The text that a screen reader says of the button. */
const describedBy = (button: HTMLElement) =>
  document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent ?? null

describe('A post whose time has passed', () => {
  it('names on its card the time that an approval gives, and the reply names it too [P3.3]', async () => {
    const { world, post, user } = pending('2020-01-01T09:00:00.000Z')
    await screen.findByText(passed)
    const button = screen.getByTestId('button-approve-card')
    expect(describedBy(button)).toBe(passed)
    api.on('changePost', () =>
      changed(world, post.id, { status: 'approved', scheduledFor: '2030-01-07T09:00:00.000Z' }),
    )
    await user.click(button)
    await toastIs(
      'default',
      'Post approved',
      'Post has been approved and will be published as scheduled.',
      'Scheduled for Mon, Jan 7, 2030 at 10:00 AM.',
    )
  })

  it('names the time in its preview [P3.3]', async () => {
    const { user } = pending('2020-01-01T09:00:00.000Z')
    await user.click(await screen.findByTestId('button-preview'))
    const preview = within(await findDialog('Post Preview'))
    await preview.findByText(passed)
    expect(describedBy(preview.getByTestId('button-approve'))).toBe(passed)
  })
})

it('A post without a time names the next free slot in its preview', async () => {
  const { user } = pending(null)
  await user.click(await screen.findByTestId('button-preview'))
  const preview = within(await findDialog('Post Preview'))
  await preview.findByText('Next free slot: Mon, Jan 7, 2030 at 10:00 AM')
})

it('A post with a time ahead keeps it, and no slot is asked for', async () => {
  const { user } = pending(new Date(Date.now() + 86_400_000).toISOString())
  await user.click(await screen.findByTestId('button-preview'))
  await findDialog('Post Preview')
  await answered()
  expect(screen.queryByTestId('slot-note')).toBeNull()
  expect(api.sent('getNextSlot')).toEqual([])
})
