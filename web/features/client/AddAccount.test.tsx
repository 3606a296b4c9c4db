/** Adding a social account. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fill, findDialog, renderRoute } from '../../test/app.tsx'
import { startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'

const api = startFakeApi()

it('An account without a platform is not sent, and the field says what to do in plain words [P7.5]', async () => {
  const { client } = signedIn(api)
  const { user } = renderRoute(`/clients/${client.id}?tab=accounts`)
  await user.click(await screen.findByTestId('button-add-account'))
  const form = within(await findDialog('Add Social Account'))
  await fill(user, form.getByLabelText<HTMLInputElement>(/^Account Name/), '@bluecup')
  await user.click(form.getByText('Add Account', { selector: 'button' }))
  await waitFor(() => expect(form.getByText('Choose a platform')).toBeTruthy())
  expect(api.sent('addSocialAccount')).toEqual([])
})
