/** One text for several accounts of a client, in the composer. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { dialogs, fill, findDialog, leavePage, toastIs } from '../../test/app.tsx'
import { checkedAccounts, chooseFirst, compose, openComposer } from '../../test/composer.tsx'
import { startFakeApi } from '../../test/fake-api.ts'

const api = startFakeApi()
const bodies = () => api.sent('writePostGroup').map(({ body }) => body)

describe('One text for several accounts', () => {
  it('is sent once, with the text of its own that a network has [P11.5]', async () => {
    const { world, onX, onLinkedIn, user, form, write, tick, press } = await compose(api)
    await write('Autumn breads are back.')
    await tick('Cup on X')
    await tick('Cup at work')
    await user.click(form.getByText('Write a different text for X (Twitter)', { selector: 'button' }))
    await fill(user, form.getByLabelText<HTMLTextAreaElement>('Text for Cup on X on X (Twitter)'), 'Breads!')
    await press('Submit for Review')
    await toastIs('default', 'Posts submitted', '3 posts are waiting for review.')
    await waitFor(() => expect(dialogs()).toBe(0))
    expect(bodies()).toEqual([
      {
        content: 'Autumn breads are back.',
        imageUrl: '',
        scheduledFor: null,
        status: 'pending',
        generationId: null,
        posts: [
          { socialAccountId: world.account.id },
          { socialAccountId: onX.id, content: 'Breads!' },
          { socialAccountId: onLinkedIn.id },
        ],
      },
    ])
    expect(api.sent('writePost')).toEqual([])
  })

  it('counts each by the limit of its network, and one that is too long is named before it is sent [P11.6]', async () => {
    const { form, write, tick, press } = await compose(api)
    await write('x'.repeat(300))
    await tick('Cup on X')
    expect(form.getAllByTestId('limit-ring').map(({ textContent }) => textContent)).toContain(
      '300 / 280 characters, 20 too many',
    )
    await press('Submit for Review')
    await waitFor(() =>
      expect(screen.getByTestId('form-error').textContent).toBe(
        'Cup on X: X (Twitter) takes at most 280 characters. This post has 300.',
      ),
    )
    expect(bodies()).toEqual([])
  })

  it('that one account refuses stays open for that one alone [P11.7]', async () => {
    const { onX, write, tick, press } = await compose(api, { 'Cup on X': 'Connect this account first.' })
    await write('Autumn breads are back.')
    await tick('Cup on X')
    await press('Submit for Review')
    await toastIs('destructive', '1 of 2 posts saved', 'Not saved for Cup on X. What is left stays here.')
    expect(screen.getByTestId('form-error').textContent).toBe('Cup on X: Connect this account first.')
    await press('Save as Draft')
    await waitFor(() => expect(api.sent('writePost')).toHaveLength(1))
    expect(api.sent('writePost')[0]?.body).toMatchObject({ socialAccountId: onX.id, status: 'draft' })
    expect(checkedAccounts()).toEqual([])
  })

  it('shows the preview of each chosen network [P11.8]', async () => {
    const { user, form, write, tick } = await compose(api)
    await write('Autumn breads are back.')
    expect(form.queryByLabelText('Cup on X on X (Twitter)', { selector: '[type=radio]' })).toBeNull()
    await tick('Cup on X')
    await user.click(form.getByLabelText('Cup on X on X (Twitter)', { selector: '[type=radio]' }))
    expect(form.getByTestId('network-preview').textContent).toContain('Cup on XX (Twitter)')
  })

  it('shows no preview of a network before an account is chosen [P11.26]', async () => {
    const { user, form, write } = await openComposer(api)
    await write('Autumn breads are back.')
    expect(form.getByTestId('no-preview').textContent).toBe('Choose an account to see its preview.')
    expect(form.queryByTestId('network-preview')).toBeNull()
    await chooseFirst(form, user)
    expect(form.queryByTestId('no-preview')).toBeNull()
    expect(form.getByTestId('network-preview').textContent).toContain('Facebook')
  })

  it('keeps the text of its own after a reload [P11.9]', async () => {
    const { user, form, write, tick, open } = await compose(api)
    await write('Autumn breads are back.')
    await tick('Cup on X')
    await user.click(form.getByText('Write a different text for X (Twitter)', { selector: 'button' }))
    await fill(user, form.getByLabelText<HTMLTextAreaElement>('Text for Cup on X on X (Twitter)'), 'Breads!')
    leavePage()
    const reopened = open()
    const again = within(await findDialog('New Post'))
    expect(again.getByLabelText<HTMLTextAreaElement>(/^Content/).value).toBe('Autumn breads are back.')
    await chooseFirst(again, reopened.user)
    expect(again.getByLabelText<HTMLTextAreaElement>('Text for Cup on X on X (Twitter)').value).toBe('Breads!')
  })
})
