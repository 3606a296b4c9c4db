/** The social accounts of a client. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { dialogs, fill, findDialog, renderRoute, toastIs } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'

const api = startFakeApi()

it('Four links lead straight to the networks, before and after the first account [P12.5]', async () => {
  const world = signedIn(api)
  renderRoute(`/clients/${world.client.id}?tab=accounts`)
  const links = within(await screen.findByTestId('connect-new')).getAllByRole('link')
  expect(links.map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')])).toEqual(
    ['facebook', 'instagram', 'twitter', 'linkedin'].map((platform, at) => [
      `Connect ${['Facebook', 'Instagram', 'X (Twitter)', 'LinkedIn'][at]}`,
      `/api/clients/${world.client.id}/connect/${platform}`,
    ]),
  )
})

describe('An account that was never connected', () => {
  async function edit() {
    const world = signedIn(api, { isConnected: false, state: 'none', accountName: 'Blue Cap' })
    api.on('changeSocialAccount', ({ body }) => {
      const changed = { ...world.account, ...body, accountUrl: body.accountUrl }
      world.accounts = [changed]
      return changed
    })
    api.on('removeSocialAccount', () => {
      world.accounts = []
      return undefined
    })
    const { user } = renderRoute(`/clients/${world.client.id}?tab=accounts`)
    await user.click(await screen.findByRole('button', { name: 'Edit Blue Cap' }))
    const form = within(await findDialog('Edit Social Account'))
    return { world, user, form, press: (name: string) => user.click(form.getByText(name, { selector: 'button' })) }
  }

  it('is renamed, or removed, from its card [P12.6]', async () => {
    const { user, form, press } = await edit()
    await fill(user, form.getByLabelText<HTMLInputElement>(/^Account Name/), 'Blue Cup')
    await press('Save Changes')
    await toastIs('default', 'Account updated', 'The account is now named Blue Cup.')
    await waitFor(() => expect(dialogs()).toBe(0))
    await user.click(await screen.findByRole('button', { name: 'Edit Blue Cup' }))
    await user.click(
      within(await findDialog('Edit Social Account')).getByText('Remove account', { selector: 'button' }),
    )
    await toastIs('default', 'Account removed', 'Blue Cup is no longer on the list.')
    await screen.findByText('No social accounts yet')
  })

  it('that a post names stays, and the sentence of the server says why', async () => {
    const { form, press } = await edit()
    const sentence = 'Posts or a posting schedule name this account. Delete them first.'
    api.on('removeSocialAccount', () => refuse(409, sentence))
    await press('Remove account')
    await toastIs('destructive', 'Error', 'Failed to remove account', sentence)
    expect(form.getByLabelText<HTMLInputElement>(/^Account Name/).value).toBe('Blue Cap')
  })
})
