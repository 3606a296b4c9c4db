/** Setting the own name in Settings. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { dialogs, fill, findDialog, renderRoute, toastIs } from '../../test/app.tsx'
import { startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'

const api = startFakeApi()

it('The own name is sent, and shown in place of the former one', async () => {
  const world = signedIn(api)
  api.on('getUsage', () => ({ model: null, thisMonth: '2030-01', months: [] }))
  api.on('changeOwnName', () => ({ ...world.user, firstName: 'Grace', lastName: 'Hopper' }))
  const { user } = renderRoute('/settings')
  await user.click(await screen.findByText('Change name', { selector: 'button' }))
  const form = within(await findDialog('Change name'))
  await fill(user, form.getByLabelText('First name'), 'Grace')
  await fill(user, form.getByLabelText('Last name'), 'Hopper')
  await user.click(form.getByText('Save', { selector: 'button' }))
  await toastIs('default', 'Name saved')
  await waitFor(() => expect(dialogs()).toBe(0))
  expect(api.sent('changeOwnName').map(({ body }) => body)).toEqual([{ firstName: 'Grace', lastName: 'Hopper' }])
  expect(within(screen.getByTestId('card-account')).getByText('Grace Hopper')).toBeTruthy()
})
