/** The second step of signing in, on the landing page and over a screen whose session ended. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fill, findDialog, renderRoute, toastIs } from '../../test/app.tsx'
import { refuse, refuseTyped, startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'
import { aUser } from '../../test/things.ts'

const api = startFakeApi()
const wrong = "That code isn't right, or was used before. Try another one."

function secondFactor(methods: readonly ('app' | 'passkey' | 'recovery')[]) {
  api.on('login', () => refuseTyped(401, 'second-factor-required', 'Enter a code.'))
  api.on('getSignIn', () => ({ methods: [...methods] }))
  api.on('completeSignIn', ({ body }) => (body.code === '123456' ? aUser() : refuse(401, wrong)))
}

async function open() {
  api.on('getUser', () => refuse(401, 'Sign in first.'))
  api.on('getAgency', () => refuse(404, "This agency doesn't exist."))
  const { user } = renderRoute('/')
  await user.click(await screen.findByText('Sign In', { selector: '[role=tab] *, [role=tab]' }))
  const panel = await waitFor(() => {
    const found = document.querySelector<HTMLElement>('[role=tabpanel]:not([inert])')
    if (!found) throw new Error('No form')
    return found
  })
  const form = within(panel)
  await user.click(form.getByLabelText('Email'))
  await waitFor(() => expect(panel.querySelector('form > [aria-live]')).not.toBeNull())
  await fill(user, form.getByLabelText('Email'), 'ada@example.com')
  await fill(user, form.getByLabelText('Password'), 'correct horse')
  await user.click(form.getByText('Sign In', { selector: 'button' }))
  return { user, form }
}
const toasts = () => document.querySelectorAll('[data-variant]').length

it('A right password leads to the code without a failure, and the right code signs in', async () => {
  secondFactor(['app', 'recovery'])
  const { user, form } = await open()
  const code = await form.findByLabelText<HTMLInputElement>('Code')
  expect([toasts(), form.queryByText('Two-step sign-in')?.tagName]).toEqual([0, 'H2'])
  await fill(user, code, '000000')
  await user.click(form.getByText('Continue', { selector: 'button' }))
  await form.findByText(wrong)
  expect(toasts()).toBe(0)
  await fill(user, code, '123456')
  await user.click(form.getByText('Continue', { selector: 'button' }))
  await toastIs('default', 'Welcome back!', "You're now signed in.")
})

it('A wrong password says so, and a refusal is shown without its type', async () => {
  api.on('login', () => refuseTyped(401, 'wrong-credentials', 'Wrong email or password. Please try again.'))
  const { form } = await open()
  await form.findByText('Wrong email or password. Please try again.')
  await toastIs('destructive', 'Sign in failed', 'Wrong email or password. Please try again.')
})

it('Back leads to the password, and keeps the address', async () => {
  secondFactor(['recovery'])
  const { user, form } = await open()
  await form.findByLabelText('Recovery code')
  await user.click(form.getByText('Back to sign in', { selector: 'button' }))
  expect((await form.findByLabelText<HTMLInputElement>('Email')).value).toBe('ada@example.com')
  expect(form.getByLabelText<HTMLInputElement>('Password').value).toBe('')
})

async function lostSession() {
  const world = signedIn(api)
  secondFactor(['app', 'recovery'])
  api.on('completeSignIn', () => world.user)
  api.on('changePassword', () => refuse(401, 'Please sign in.'))
  const { user } = renderRoute('/settings')
  await user.click(await screen.findByText('Change password', { selector: 'button' }))
  const change = within(await findDialog('Change password'))
  await fill(user, change.getByLabelText('Current password'), 'correct horse')
  await fill(user, change.getByLabelText('New password'), 'four otters rowing home')
  await user.click(change.getByText('Change password', { selector: 'button' }))
  const again = within(await findDialog('Your session has ended'))
  await fill(user, await again.findByLabelText('Password'), 'correct horse')
  await user.click(again.getByText('Sign In', { selector: 'button' }))
  await fill(user, await again.findByLabelText('Code'), '123456')
  const goOn = () => user.click(again.getByText('Continue', { selector: 'button' }))
  return { world, change, again, goOn }
}

it('A session that ended is taken up again by password and code, over the screen and in its agency', async () => {
  const { world, change, goOn } = await lostSession()
  await goOn()
  await waitFor(() => expect(screen.queryByText('Your session has ended')).toBeNull())
  expect(change.getByLabelText<HTMLInputElement>('New password').value).toBe('four otters rowing home')
  const agencyId = world.agency.id
  expect([api.sent('login').at(-1)?.body, api.sent('completeSignIn').at(-1)?.body]).toEqual([
    { email: world.user.email, password: 'correct horse', agencyId },
    { code: '123456', agencyId },
  ])
})

it("A sign-in that works in another agency than the screen's never goes on with that screen", async () => {
  const { world, goOn } = await lostSession()
  const switched = localStorage.getItem('agency-switched')
  world.agency = { ...world.agency, id: crypto.randomUUID() }
  await goOn()
  // The page then begins anew, as do other tabs.
  await waitFor(() => expect(localStorage.getItem('agency-switched')).not.toBe(switched))
  expect(screen.queryByText('Your session has ended')).not.toBeNull()
})
