/** The second factor that an agency requires: the setting, the bar with the date, and the page once it is overdue. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fill, findDialog, renderRoute, toastIs } from '../test/app.tsx'
import { refuse, startFakeApi } from '../test/fake-api.ts'
import { signedIn } from '../test/signed-in.ts'

const api = startFakeApi()
const none = {
  app: null,
  passkeys: [],
  noPasskeys: null,
  recoveryCodes: 0,
  hasPassword: true,
  confirmedUntil: null,
  signOn: null,
}
const overdue = '2020-01-01T09:00:00.000Z'

function world(secondFactorDueAt: string | null, isSecondFactorOverdue = false) {
  const all = signedIn(api)
  all.user = { ...all.user, emailConfirmed: true }
  all.agency = { ...all.agency, secondFactorDueAt, isSecondFactorOverdue, secondFactorSince: secondFactorDueAt }
  api.on('getFactors', () => none)
  api.on('listSessions', () => [])
  return all
}

it('The bar names the date, and leads to Security', async () => {
  world('2999-01-01T09:00:00.000Z')
  const { user, path } = renderRoute('/settings')
  const bar = within(await screen.findByTestId('factor-banner'))
  expect(bar.getByText(/Add a passkey or an authenticator app by Jan 1, 2999/)).toBeTruthy()
  await user.click(bar.getByText('Add it now'))
  await waitFor(() => expect(path()).toBe('/settings/security'))
})

it('An overdue factor takes the place of every screen until it is added and the codes are saved', async () => {
  const all = world(overdue, true)
  api.on('beginTotp', () => ({ secret: 'ABCDEFGH', uri: 'otpauth://totp/SocialAI:ada?secret=ABCDEFGH' }))
  api.on('confirmTotp', () => {
    all.agency = { ...all.agency, secondFactorDueAt: null, isSecondFactorOverdue: false }
    return { recoveryCodes: ['abcde-fghjk'] }
  })
  const { user } = renderRoute('/content')
  const page = within(await screen.findByTestId('add-factor-first'))
  expect(screen.queryByTestId('sidebar')).toBeNull()
  expect(page.getByText('Sign out').closest('a')?.getAttribute('href')).toBe('/api/logout')
  await user.click(await page.findByText('Set up app', { selector: 'button' }))
  const ask = within(await findDialog('Set up an authenticator app'))
  await fill(user, ask.getByLabelText('Your password'), 'correct horse')
  await user.click(ask.getByText('Next', { selector: 'button' }))
  await screen.findByTestId('text-totp-secret')
  const second = within(await findDialog('Set up an authenticator app'))
  await fill(user, second.getByLabelText('Code from the app'), '123456')
  await user.click(second.getByText('Turn on', { selector: 'button' }))
  const codes = within(await findDialog('Your recovery codes'))
  await user.click(codes.getByText('I saved my codes', { selector: 'button' }))
  await screen.findByTestId('sidebar')
})

it('The server, not the clock of this computer, says that it is overdue, also by the refusal of any request', async () => {
  const all = world(overdue)
  api.on('getTeam', () => {
    all.agency = { ...all.agency, isSecondFactorOverdue: true }
    return refuse(403, 'North Star requires a second factor.', { 'X-Second-Factor': 'missing' })
  })
  renderRoute('/settings/team')
  await screen.findByTestId('add-factor-first')
  expect(screen.queryByTestId('sidebar')).toBeNull()
})

it('The owner requires it in Security, and other members are not asked', async () => {
  const all = world(null)
  api.on('requireSecondFactor', ({ body }) => {
    all.agency = { ...all.agency, secondFactorSince: body.isRequired ? '2030-01-01T09:00:00.000Z' : null }
    return all.agency
  })
  const { user } = renderRoute('/settings/security')
  const card = within(await screen.findByTestId('card-requirement'))
  await user.click(card.getByLabelText(/^Required: members have seven days/))
  await toastIs('default', 'Setting saved', 'Members without a second factor see the date from now on.')
  await card.findByText('Required since Jan 1, 2030')
})

it('The last factor is removed after a warning that the agency requires one, and Security leads back', async () => {
  const all = world(null)
  all.agency = { ...all.agency, secondFactorSince: overdue }
  api.on('getFactors', () => ({ ...none, app: { addedAt: overdue } }))
  const { user, path } = renderRoute('/settings/security')
  await user.click(await screen.findByText('Remove app', { selector: 'button' }))
  const dialog = await findDialog('Remove your authenticator app?')
  expect(dialog.textContent).toContain('Your agency requires a second factor')
  await user.click(within(dialog).getByText('Cancel', { selector: 'button' }))
  await user.click(within(await screen.findByRole('main')).getByText('Settings'))
  await waitFor(() => expect(path()).toBe('/settings'))
})
