/** Writing a new post: what is sent, and what holds it back. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SocialAccount } from '../../../api/contract/index.ts'
import { callWords } from '../../lib/call-words.ts'
import { connection } from '../../lib/connection.ts'
import { dialogs, fill, findDialog, leavePage, renderRoute, toastIs, toldUnder } from '../../test/app.tsx'
import { cut, refuse, startFakeApi } from '../../test/fake-api.ts'
import { signedIn, type World } from '../../test/signed-in.ts'
import { aPost } from '../../test/things.ts'

const api = startFakeApi()
const typed = 'What I typed myself.'

async function compose(parts: Partial<SocialAccount> = {}, change: Partial<World> = {}) {
  const world = Object.assign(signedIn(api, parts), change)
  const { user, path } = renderRoute(`/clients/${world.client.id}?tab=posts&compose=true`)
  const dialog = await findDialog('New Post')
  const form = within(dialog)
  const content = form.getByLabelText<HTMLTextAreaElement>(/^Content/)
  return {
    world,
    user,
    path,
    form,
    content,
    write: (text: string) => fill(user, content, text),
    press: (name: string) => user.click(form.getByText(name, { selector: 'button' })),
  }
}
const bodies = () => api.sent('writePost').map(({ body }) => body)
const closed = () => waitFor(() => expect(dialogs()).toBe(0))

describe('The time of a new post', () => {
  it('is named before it is scheduled, and in the reply [P11.19]', async () => {
    const { world, form, write, press } = await compose()
    await form.findByText('Next free slot: Mon, Jan 7, 2030 at 10:00 AM')
    api.on('writePost', ({ body }) =>
      aPost(world.account, { content: body.content, status: 'scheduled', scheduledFor: '2030-01-07T09:00:00.000Z' }),
    )
    await write(typed)
    await press('Schedule')
    await toastIs(
      'default',
      'Post scheduled',
      'Post has been scheduled for publishing.',
      'Scheduled for Mon, Jan 7, 2030 at 10:00 AM.',
    )
  })
})

describe('A new post under an approval policy', () => {
  it('is submitted; it is scheduled once it is approved', async () => {
    const steps = [{ id: 's', name: 'Text', who: { kind: 'role', role: 'manager' }, need: 'any' }] as const
    const policy: World['policy'] = {
      steps: [...steps],
      ownApproval: 'agency',
      timePart: { kind: 'free' },
      remindAfterHours: [],
      ifSilent: { kind: 'wait' },
    }
    const { world, form, write, press } = await compose({}, { policy })
    await waitFor(() => expect(form.queryByText('Schedule', { selector: 'button' })).toBeNull())
    api.on('writePost', ({ body }) => aPost(world.account, { content: body.content, status: 'pending' }))
    await write(typed)
    await press('Submit for Review')
    await closed()
    expect(bodies().at(-1)).toMatchObject({ status: 'pending' })
  })
})

describe('What keeps a new post from being sent', () => {
  it('has the focus: the first field that is wrong [P11.20]', async () => {
    const { write, press, content, form, user } = await compose()
    await press('Save as Draft')
    await waitFor(() => expect(document.activeElement).toBe(content))
    await write(typed)
    await fill(user, form.getByLabelText('Image URL'), 'no address')
    await press('Schedule')
    await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText('Image URL')))
    expect(api.sent('writePost')).toEqual([])
  })
})

describe('A new post', () => {
  it('that found no server says so until the server is back', async () => {
    const { content, form, write, press } = await compose()
    api.on('writePost', () => cut)
    await write(typed)
    await press('Save as Draft')
    await waitFor(() => expect(api.sent('writePost')).toHaveLength(1))
    await waitFor(() => {
      // Other requests are answered, and mean that the server is back.
      connection.lost()
      expect(form.getByTestId('form-error').textContent).toBe(callWords.unreachable)
    })
    connection.found()
    await waitFor(() => expect(form.queryByText(callWords.unreachable)).toBeNull())
    expect(content.value).toBe(typed)
  })

  it('is saved as a draft, and stands in the list', async () => {
    const { world, write, press } = await compose()
    await write(typed)
    await press('Save as Draft')
    await toastIs('default', 'Draft saved', 'Find the draft in the list of posts.')
    expect(bodies()).toEqual([
      {
        socialAccountId: world.account.id,
        content: typed,
        imageUrl: '',
        scheduledFor: null,
        status: 'draft',
        generationId: null,
      },
    ])
    expect((await screen.findByTestId('post-content')).textContent).toBe(typed)
    await closed()
  })

  it('is submitted for review', async () => {
    const { write, press } = await compose()
    await write(typed)
    await press('Submit for Review')
    await toastIs('default', 'Post submitted', 'Post is waiting for review.')
    expect(bodies()).toMatchObject([{ content: typed, status: 'pending' }])
  })

  it('is scheduled in one call', async () => {
    const { write, press } = await compose()
    await write(typed)
    await press('Schedule')
    await toastIs('default', 'Post scheduled', 'Post has been scheduled for publishing.')
    expect(bodies()).toMatchObject([{ content: typed, status: 'scheduled' }])
    expect(api.sent('changePost')).toEqual([])
  })

  it('that can not be scheduled leaves no draft, stays open, and is sent again under the same key [P2.1]', async () => {
    const { world, write, press, content } = await compose()
    api.on('writePost', () => refuse(409, "The image can't be used. Its address answered 404."))
    await write(typed)
    await press('Schedule')
    const sentence = "The image can't be used. Its address answered 404."
    await toastIs('destructive', 'Error', 'Failed to schedule post', sentence)
    expect(screen.getByTestId('form-error').textContent).toBe(sentence)
    expect(content.value).toBe(typed)
    expect(world.posts.filter(({ content: text }) => text === typed)).toEqual([])
    await press('Schedule')
    await waitFor(() => expect(api.sent('writePost')).toHaveLength(2))
    const [first, second] = api.sent('writePost').map(({ headers }) => headers.get('Idempotency-Key'))
    expect(second).toBe(first)
    expect(api.sent('changePost')).toEqual([])
  })

  it('without a text is not sent, and the field says why', async () => {
    const { press, content, write } = await compose()
    await press('Save as Draft')
    await waitFor(() => expect(toldUnder(content)).toBe('Content must not be empty'))
    await write(typed)
    expect(toldUnder(content)).toBeNull()
    expect(bodies()).toEqual([])
  })

  it('that the server refuses keeps its text, with the sentence beside it until the text changes', async () => {
    const { write, press, content } = await compose()
    api.on('writePost', () => refuse(503, 'The store is busy. Try again in a minute.'))
    await write(typed)
    await press('Save as Draft')
    await toastIs('destructive', 'Error', 'Failed to save draft', 'The store is busy. Try again in a minute.')
    expect(screen.getByTestId('form-error').textContent).toBe('The store is busy. Try again in a minute.')
    expect(content.value).toBe(typed)
    await write(`${typed} More.`)
    await waitFor(() => expect(screen.getByTestId('form-error').textContent).toBe(''))
  })

  it('is sent once when Save is pressed twice in the same instant', async () => {
    const { write, form } = await compose()
    await write(typed)
    const save = form.getByText('Save as Draft', { selector: 'button' })
    save.click()
    save.click()
    await toastIs('default', 'Draft saved', 'Find the draft in the list of posts.')
    expect(bodies()).toHaveLength(1)
  })

  it('counts the characters as the network does, and past the limit it can be saved and not submitted', async () => {
    const { write, press, form } = await compose({ platform: 'twitter' })
    const ring = () => form.getByTestId('limit-ring').textContent
    await write('See https://example.com/a/very/long/address/that/counts/as/twenty-three')
    expect(ring()).toBe('27 / 280 characters')
    await write('x'.repeat(281))
    expect(ring()).toBe('281 / 280 characters, 1 too many')
    await press('Submit for Review')
    await waitFor(() =>
      expect(screen.getByTestId('form-error').textContent).toBe(
        'X (Twitter) takes at most 280 characters. This post has 281.',
      ),
    )
    expect(bodies()).toEqual([])
    await press('Save as Draft')
    await toastIs('default', 'Draft saved', 'Find the draft in the list of posts.')
  })
})

describe('What was typed and not saved', () => {
  const noted = () => screen.queryByTestId('restored-note')

  it('is there again after Back or a reload, with a line that says so [P1.1]', async () => {
    const { world, write } = await compose()
    await write(typed)
    leavePage()
    const { user } = renderRoute(`/clients/${world.client.id}?tab=posts&compose=true`)
    const form = within(await findDialog('New Post'))
    const content = form.getByLabelText<HTMLTextAreaElement>(/^Content/)
    expect(content.value).toBe(typed)
    expect(noted()?.textContent).toMatch(/^Restored your unsaved text from .+\.$/)
    await user.click(form.getByText('Save as Draft', { selector: 'button' }))
    await closed()
    expect(Object.keys(localStorage)).toEqual([])
  })

  it('is gone once discarded [P1.3]', async () => {
    const { user, write } = await compose()
    await write(typed)
    await user.keyboard('{Escape}')
    await user.click(await screen.findByText('Discard', { selector: 'button' }))
    await closed()
    expect(Object.keys(localStorage)).toEqual([])
  })

  it('is gone after a sign-out, and another user does not get it [P1.4]', async () => {
    const { world, write } = await compose()
    await write(typed)
    leavePage()
    world.user = { ...world.user, id: 'somebody-else' }
    renderRoute(`/clients/${world.client.id}?tab=posts&compose=true`)
    await findDialog('New Post')
    expect(noted()).toBeNull()
    screen.getByTestId('button-logout').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    expect(Object.keys(localStorage)).toEqual([])
  })
})
