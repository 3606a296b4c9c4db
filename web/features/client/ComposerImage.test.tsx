/** The image of a new post: uploaded, and converted where a network needs that. */
import { fireEvent, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SocialAccount } from '../../../api/contract/index.ts'
import { fill, findDialog, findOption, leavePage, renderRoute } from '../../test/app.tsx'
import { cut, refuse, startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'
import { anAccount } from '../../test/things.ts'
import { connection } from '../../lib/connection.ts'
import { callWords } from '../../lib/call-words.ts'

const api = startFakeApi()
const typed = 'What I typed myself.'

async function compose(parts: Partial<SocialAccount> = {}) {
  const world = signedIn(api, parts)
  const { user } = renderRoute(`/clients/${world.client.id}?tab=posts&compose=true`)
  const form = within(await findDialog('New Post'))
  const content = form.getByLabelText<HTMLTextAreaElement>(/^Content/)
  return {
    world,
    form,
    write: (text: string) => fill(user, content, text),
    press: (name: string) => user.click(form.getByText(name, { selector: 'button' })),
  }
}
const bodies = () => api.sent('writePost').map(({ body }) => body)

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
    const { form } = await compose()
    api.on('uploadImage', () => ({ ...facts, url: url(facts.hash) }))
    const clipboardData = { types: ['text/plain', 'Files'], files: [png] }
    fireEvent(document, Object.assign(new Event('paste'), { clipboardData }))
    // An upload of what was pasted would come before this one.
    drop(['Files'], [png])
    await form.findByText('PNG, 800 × 800, 1 kB')
    expect(api.sent('uploadImage')).toHaveLength(1)
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
    await user.click(await findOption(/Instagram/))
    await again.findByText('Converted to JPEG for Instagram.')
    expect(again.getByLabelText<HTMLInputElement>('Image URL').value).toBe(url(jpeg.hash))
    expect(api.sent('convertImage').map((sent) => sent.url.pathname)).toEqual([`/api/media/${facts.hash}/jpeg`])
  })

  it('that found no server says so until the server is back', async () => {
    const { form } = await compose()
    api.on('uploadImage', () => cut)
    drop(['Files'], [png])
    await waitFor(() => expect(api.sent('uploadImage')).toHaveLength(1))
    await waitFor(() => {
      // Other requests are answered, and mean that the server is back.
      connection.lost()
      expect(form.queryByText(callWords.unreachable)).not.toBeNull()
    })
    connection.found()
    await waitFor(() => expect(form.queryByText(callWords.unreachable)).toBeNull())
  })
})
