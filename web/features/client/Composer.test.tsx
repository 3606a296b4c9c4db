/** Writing a new post: what is sent, and what holds it back. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SocialAccount } from '../../../api/contract/index.ts'
import { dialogs, fill, findDialog, leavePage, renderRoute, toastIs, toldUnder } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'
import { anAccount, aPost } from '../../test/things.ts'

const api = startFakeApi()
const typed = 'What I typed myself.'

async function compose(parts: Partial<SocialAccount> = {}) {
  const world = signedIn(api, parts)
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

describe('An image', () => {
  const png = new File([new Uint8Array([1, 2, 3])], 'cup.png', { type: 'image/png' })
  const facts = { hash: 'a'.repeat(64), type: 'image/png', size: 3, width: 800, height: 800 } as const
  const url = (hash: string) => `https://social.example/media/${hash}`
  const drop = (types: readonly string[], files: readonly File[]) =>
    fireEvent(document, Object.assign(new Event('drop'), { dataTransfer: { types, files } }))

  it('that is dropped or pasted is uploaded [P11.21]', async () => {
    const { form } = await compose()
    api.on('uploadImage', () => ({ ...facts, url: url(facts.hash) }))
    drop(['Files'], [png])
    await form.findByText('PNG, 800 × 800, 1 kB')
    expect(form.getByLabelText<HTMLInputElement>('Image URL').value).toBe(url(facts.hash))
    fireEvent(document, Object.assign(new Event('paste'), { clipboardData: { types: ['Files'], files: [png] } }))
    await waitFor(() => expect(api.sent('uploadImage')).toHaveLength(2))
  })

  it('beside pasted text is left out', async () => {
    await compose()
    const clipboardData = { types: ['text/plain', 'Files'], files: [png] }
    fireEvent(document, Object.assign(new Event('paste'), { clipboardData }))
    expect(api.sent('uploadImage')).toEqual([])
  })

  it('is converted for a network that takes JPEG only, and the JPEG is what is sent [P11.22]', async () => {
    const { form, write, press } = await compose({ platform: 'instagram' })
    const jpeg = { ...facts, hash: 'b'.repeat(64), type: 'image/jpeg' } as const
    api.on('uploadImage', () => ({ ...facts, url: url(facts.hash) }))
    api.on('convertImage', () => ({ ...jpeg, url: url(jpeg.hash) }))
    drop(['Files'], [png])
    await form.findByText('Converted to JPEG for Instagram.')
    expect(form.getByLabelText<HTMLInputElement>('Image URL').value).toBe(url(jpeg.hash))
    await write(typed)
    await press('Submit for Review')
    await waitFor(() => expect(bodies()).toMatchObject([{ imageUrl: url(jpeg.hash) }]))
  })

  it('that can not be converted says why', async () => {
    const { form } = await compose({ platform: 'instagram' })
    api.on('uploadImage', () => ({ ...facts, url: url(facts.hash) }))
    api.on('convertImage', () => refuse(409, 'This image could not be converted. Use a JPEG.'))
    drop(['Files'], [png])
    await form.findByText('This image could not be converted. Use a JPEG.')
  })

  it('is converted each time that it is dropped', async () => {
    const { form } = await compose({ platform: 'instagram' })
    const jpeg = { ...facts, hash: 'b'.repeat(64), type: 'image/jpeg' } as const
    api.on('uploadImage', () => ({ ...facts, url: url(facts.hash) }))
    api.on('convertImage', () => ({ ...jpeg, url: url(jpeg.hash) }))
    for (const times of [1, 2]) {
      drop(['Files'], [png])
      await waitFor(() => expect(api.sent('convertImage')).toHaveLength(times))
      await form.findByText('Converted to JPEG for Instagram.')
      expect(form.getByLabelText<HTMLInputElement>('Image URL').value).toBe(url(jpeg.hash))
    }
  })

  it('is converted when it is dropped again after a busy server refused', async () => {
    const { form } = await compose({ platform: 'instagram' })
    const jpeg = { ...facts, hash: 'b'.repeat(64), type: 'image/jpeg' } as const
    api.on('uploadImage', () => ({ ...facts, url: url(facts.hash) }))
    api.on('convertImage', () => refuse(503, 'Too many images. Try again.'))
    drop(['Files'], [png])
    await form.findByText('Too many images. Try again.')
    api.on('convertImage', () => ({ ...jpeg, url: url(jpeg.hash) }))
    drop(['Files'], [png])
    await form.findByText('Converted to JPEG for Instagram.')
    expect(api.sent('convertImage')).toHaveLength(2)
  })

  it('of an earlier visit is converted once a network needs that', async () => {
    const { form, world } = await compose()
    const onInstagram = anAccount(world.client.id, { platform: 'instagram', accountName: 'Cup in pictures' })
    const jpeg = { ...facts, hash: 'b'.repeat(64), type: 'image/jpeg' } as const
    api.on('uploadImage', () => ({ ...facts, url: url(facts.hash) }))
    drop(['Files'], [png])
    await form.findByText('PNG, 800 × 800, 1 kB')
    leavePage()
    world.accounts = [world.account, onInstagram]
    const { user } = renderRoute(`/clients/${world.client.id}?tab=posts&compose=true`)
    const again = within(await findDialog('New Post'))
    expect(again.getByLabelText<HTMLInputElement>('Image URL').value).toBe(url(facts.hash))
    expect(api.sent('convertImage')).toEqual([])
    api.on('convertImage', () => ({ ...jpeg, url: url(jpeg.hash) }))
    await user.click(again.getByTestId('select-account'))
    await user.click(await screen.findByRole('option', { name: /Instagram/ }))
    await again.findByText('Converted to JPEG for Instagram.')
    expect(again.getByLabelText<HTMLInputElement>('Image URL').value).toBe(url(jpeg.hash))
    expect(api.sent('convertImage').map((sent) => sent.url.pathname)).toEqual([`/api/media/${facts.hash}/jpeg`])
  })
})

describe('A new post', () => {
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
      expect(screen.getByTestId('form-error').textContent).toBe('X takes at most 280 characters. This post has 281.'),
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
