/** The page of an invitation's link: signed out, signed in as the invited person, and as another one. */
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { InvitationSeen } from '../../../api/contract/index.ts'
import { fill, renderRoute } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { aUser } from '../../test/things.ts'

const api = startFakeApi()
const token = 'a'.repeat(43)
/** As a browser does: the token is after the hash. */
function openLink(hash: string) {
  const page = renderRoute('/invitation')
  location.hash = hash
  return page
}
let seen: InvitationSeen

beforeEach(() => {
  seen = {
    agencyName: 'North Star',
    email: 'grace@northstar.example',
    role: 'manager',
    invitedBy: 'Ada Lovelace',
    expiresAt: '2030-01-14T09:00:00.000Z',
    hasAccount: false,
    signedInAs: 'nobody',
  }
  api.on('getUser', () => refuse(401, 'Please sign in.'))
  api.on('lookAtInvitation', () => seen)
})

it('A link without a whole token asks for the whole link: the invitation may still work', async () => {
  openLink('abc')
  expect((await screen.findByRole('heading')).textContent).toBe('This link is not complete')
  expect(api.sent('lookAtInvitation')).toEqual([])
})

it('An invitation that is over says so', async () => {
  api.on('lookAtInvitation', () => refuse(404, 'This invitation is over.'))
  openLink(token)
  expect((await screen.findByText('This invitation no longer works')).tagName).toBe('H1')
})

it('A person without an account creates one and joins', async () => {
  api.on('registerByInvitation', () => aUser({ email: seen.email }))
  const { user } = openLink(token)
  expect((await screen.findByRole('heading')).textContent).toBe('Join North Star')
  await fill(user, screen.getByLabelText('First Name'), 'Grace')
  await fill(user, screen.getByLabelText(/^Password/), 'four otters rowing home')
  await user.click(screen.getByText('Create account and join'))
  await waitFor(() =>
    expect(api.sent('registerByInvitation').map(({ body }) => body)).toEqual([
      { firstName: 'Grace', password: 'four otters rowing home', token },
    ]),
  )
})

it('A person with an account signs in there, then joins', async () => {
  seen = { ...seen, hasAccount: true }
  const user = aUser({ email: seen.email })
  api.on('login', () => {
    seen = { ...seen, signedInAs: 'you' }
    return user
  })
  api.on('acceptInvitation', () => ({ agencyId: user.id, name: 'North Star', role: 'manager', isCurrent: true }))
  const page = openLink(token)
  await fill(page.user, await screen.findByLabelText('Password'), 'four otters rowing home')
  await page.user.click(screen.getByText('Sign In', { selector: 'button' }))
  await page.user.click(await screen.findByTestId('button-accept-invitation'))
  await waitFor(() => expect(api.sent('acceptInvitation').map(({ body }) => body)).toEqual([{ token }]))
})

it('Signed in as another person, the page says so and offers nothing to accept', async () => {
  seen = { ...seen, signedInAs: 'another' }
  api.on('getUser', () => aUser())
  openLink(token)
  const box = within(await screen.findByTestId('invitation-for-another'))
  expect(box.getByText(/for grace@northstar\.example, and you are signed in as ada@northstar\.example/)).toBeTruthy()
  expect(screen.queryByTestId('button-accept-invitation')).toBeNull()
})

it('Single sign-on begins at the invitation, and its way back finds the invitation again, once', async () => {
  const meta = document.head.appendChild(document.createElement('meta'))
  meta.name = 'sign-on'
  meta.content = 'Acme'
  openLink(token)
  const link = await screen.findByTestId('link-sign-on')
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/api/auth/oidc?from=invitation', null])
  window.dispatchEvent(new Event('pagehide'))
  location.hash = 'b'.repeat(43)
  await screen.findAllByTestId('link-sign-on')
  // The page of the way back.
  location.hash = 'sign-in:wrong-domain'
  await waitFor(() => expect(api.sent('lookAtInvitation').at(-1)?.body).toEqual({ token }))
  expect(await screen.findByText(/^Email addresses of that domain may not sign in here\./)).toBeTruthy()
  expect([location.hash, sessionStorage.getItem('invitation')]).toEqual(['', null])
  meta.remove()
})
