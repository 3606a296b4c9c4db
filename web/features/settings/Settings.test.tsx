/** Saving the agency's settings. */
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderRoute, toastIs } from '../../test/app.tsx'
import { startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'

const api = startFakeApi()

it('Unchanged settings are not sent, and a toast says that nothing changed [P7.3]', async () => {
  signedIn(api)
  api.on('getUsage', () => ({ model: null, thisMonth: '2030-01', months: [] }))
  const { user } = renderRoute('/settings')
  await user.click(await screen.findByText('Save Changes', { selector: 'button' }))
  await toastIs('default', 'Nothing changed', 'The settings are saved already.')
  expect(api.sent('changeAgency')).toEqual([])
})
