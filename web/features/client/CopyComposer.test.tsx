/** A new post that starts as a copy of another one. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SocialAccount } from '../../../api/contract/index.ts'
import { dialogs, fill, findDialog, leavePage, renderRoute } from '../../test/app.tsx'
import { startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'
import { anAccount, aPost, newId } from '../../test/things.ts'

const api = startFakeApi()

function world(imageUrl = 'https://img.example/a.jpg', platform: SocialAccount['platform'] = 'facebook') {
  const signed = signedIn(api, { platform })
  const other = anAccount(signed.client.id, { platform: 'linkedin', accountName: 'Blue Cup People' })
  signed.accounts = [signed.account, other]
  const post = aPost(other, {
    content: 'Fresh coffee\nevery morning',
    imageUrl,
  })
  signed.posts = [post]
  return { ...signed, post, other }
}

const content = () => within(screen.getByRole('dialog')).getByLabelText<HTMLTextAreaElement>(/^Content/)

describe('Duplicate', () => {
  it.each(['button-duplicate-card', 'button-duplicate-post'])(
    'opens the composer with the text, the image and the account: %s [P11.18]',
    async (testId) => {
      const { client, post, other } = world()
      const { user } = renderRoute(`/content?client=${client.id}&tab=draft`)
      if (testId === 'button-duplicate-post') {
        await user.click(await screen.findByTestId('button-preview'))
        await findDialog('Post Preview')
      }
      await user.click(await screen.findByTestId(testId))
      const form = within(await findDialog('New Post'))
      expect(content().value).toBe(post.content)
      expect(form.getByLabelText<HTMLInputElement>('Image URL').value).toBe(post.imageUrl)
      expect(form.getByTestId('select-account').textContent).toContain('Blue Cup People · LinkedIn')
      await user.click(form.getByText('Save as Draft', { selector: 'button' }))
      await waitFor(() => expect(dialogs()).toBe(0))
      expect(api.sent('writePost').map(({ body }) => body)).toMatchObject([
        { content: post.content, imageUrl: post.imageUrl, socialAccountId: other.id, status: 'draft' },
      ])
    },
  )

  it('has a stored image converted once a network needs that', async () => {
    const url = (hash: string) => `https://social.example/media/${hash}`
    const [png, jpeg] = ['a'.repeat(64), 'b'.repeat(64)] as const
    const { client, post } = world(url(png), 'instagram')
    api.on('convertImage', () => ({
      hash: jpeg,
      url: url(jpeg),
      type: 'image/jpeg',
      size: 3,
      width: 800,
      height: 800,
    }))
    const { user } = renderRoute(`/clients/${client.id}?tab=posts&compose=true&from=${post.id}`)
    const form = within(await findDialog('New Post'))
    await user.click(await form.findByRole('checkbox', { name: /Instagram/ }))
    await form.findByText('Converted to JPEG for Instagram.')
    expect(form.getByLabelText<HTMLInputElement>('Image URL').value).toBe(url(jpeg))
    expect(api.sent('convertImage').map((sent) => sent.url.pathname)).toEqual([`/api/media/${png}/jpeg`])
  })

  it('closes without a question while the copy is unchanged', async () => {
    const { client, post } = world()
    const { user } = renderRoute(`/clients/${client.id}?tab=posts&compose=true&from=${post.id}`)
    const form = within(await findDialog('New Post'))
    await user.click(form.getByLabelText('Close'))
    await waitFor(() => expect(dialogs()).toBe(0))
  })

  it('keeps what was changed beside the text of a new post', async () => {
    const { client, post } = world()
    const address = `/clients/${client.id}?tab=posts&compose=true`
    const first = renderRoute(address)
    await findDialog('New Post')
    await fill(first.user, content(), 'A new text')
    leavePage()
    const second = renderRoute(`${address}&from=${post.id}`)
    await findDialog('New Post')
    expect(content().value).toBe(post.content)
    await fill(second.user, content(), 'A changed copy')
    leavePage()
    renderRoute(address)
    await findDialog('New Post')
    expect(content().value).toBe('A new text')
  })

  it('of a post that is gone says so', async () => {
    const { client } = world()
    renderRoute(`/clients/${client.id}?tab=posts&compose=true&from=${newId()}`)
    const dialog = within(await findDialog('New Post'))
    await dialog.findByText(/doesn't exist/)
  })
})
