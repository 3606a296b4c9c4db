/** Settings → Security: factors, recovery codes and sessions. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Factors, SessionShown } from '../../../api/contract/index.ts'
import { dialogs, fill, findDialog, renderRoute, toastIs, toldUnder } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'

const api = startFakeApi()
const none: Factors = {
  app: null,
  passkeys: [],
  noPasskeys: null,
  recoveryCodes: 0,
  hasPassword: true,
  confirmedUntil: null,
  signOn: null,
}
const at = '2030-01-01T09:00:00.000Z'
const codes = Array.from({ length: 10 }, (_, index) => `abcde-fgh${'jkmnpqrstu'.charAt(index)}k`)
const sessions: SessionShown[] = [
  { id: 'a', browser: 'Firefox on Windows', way: 'password', startedAt: at, usedAt: at, isThis: true },
  { id: 'b', browser: 'Safari on iPhone', way: 'oidc', startedAt: at, usedAt: at, isThis: false },
  { id: 'c', browser: null, way: null, startedAt: at, usedAt: at, isThis: false },
]

async function open(factors: Partial<Factors> = {}, emailConfirmed = true) {
  const world = signedIn(api)
  world.user = { ...world.user, emailConfirmed }
  const shown = { factors: { ...none, ...factors }, sessions }
  api.on('getFactors', () => shown.factors)
  api.on('listSessions', () => shown.sessions)
  const { user } = renderRoute('/settings/security')
  const card = async (id: string) => within(await screen.findByTestId(id))
  return { user, shown, card }
}
const password = 'correct horse'

describe('An authenticator app', () => {
  it('is set up by the password and a code, and then recovery codes are shown', async () => {
    const { user, card, shown } = await open()
    api.on('beginTotp', ({ body }) =>
      body.password === password
        ? { secret: 'ABCDEFGH', uri: 'otpauth://totp/SocialAI:ada?secret=ABCDEFGH' }
        : refuse(403, "That isn't your current password."),
    )
    api.on('confirmTotp', () => {
      shown.factors = { ...none, app: { addedAt: at }, recoveryCodes: 10 }
      return { recoveryCodes: codes }
    })
    await user.click((await card('card-app')).getByText('Set up app', { selector: 'button' }))
    const first = within(await findDialog('Set up an authenticator app'))
    await fill(user, first.getByLabelText('Your password'), 'a guess')
    await user.click(first.getByText('Next', { selector: 'button' }))
    await waitFor(() => expect(toldUnder(first.getByLabelText('Your password'))).toContain("isn't your current"))
    await fill(user, first.getByLabelText('Your password'), password)
    await user.click(first.getByText('Next', { selector: 'button' }))
    expect((await screen.findByTestId('text-totp-secret')).textContent).toBe('ABCD EFGH')
    expect(screen.getByTestId('qr-code').querySelector('path')?.getAttribute('d')).toMatch(/^M0 0h1v1h-1z/)
    const second = within(await findDialog('Set up an authenticator app'))
    await fill(user, second.getByLabelText('Code from the app'), '123456')
    await user.click(second.getByText('Turn on', { selector: 'button' }))
    const shownCodes = within(await findDialog('Your recovery codes'))
    expect(shownCodes.getByTestId('recovery-codes').querySelectorAll('li')).toHaveLength(10)
    await user.click(shownCodes.getByText('I saved my codes', { selector: 'button' }))
    await waitFor(() => expect(dialogs()).toBe(0))
    expect((await card('card-recovery-codes')).getByText('10 codes left')).toBeTruthy()
  })

  it('is removed with the password', async () => {
    const { user, card, shown } = await open({ app: { addedAt: at }, recoveryCodes: 2 })
    api.on('removeTotp', () => {
      shown.factors = none
      return undefined
    })
    await user.click((await card('card-app')).getByText('Remove app', { selector: 'button' }))
    const ask = within(await findDialog('Remove your authenticator app?'))
    await fill(user, ask.getByLabelText('Your password'), password)
    await user.click(ask.getByText('Remove app', { selector: 'button' }))
    await toastIs('default', 'Authenticator app removed')
    await waitFor(() => expect(screen.queryByTestId('card-recovery-codes')).toBeNull())
  })

  it('waits for a confirmed address, and says so', async () => {
    const { card } = await open({}, false)
    expect((await card('card-unconfirmed')).getByText(/^Confirm your email address first/)).toBeTruthy()
    expect((await card('card-app')).getByText<HTMLButtonElement>('Set up app').closest('button')?.disabled).toBe(true)
  })
})

describe('Passkeys', () => {
  it.each([
    ['ip-address', /^Passkeys need a domain name\./],
    ['not-https', /^Passkeys need a secure connection\./],
    [null, /^This browser has no passkeys\.$/],
  ] as const)('are hidden with the reason (%s)', async (noPasskeys, sentence) => {
    const { card } = await open({ noPasskeys })
    const passkeys = await card('card-passkeys')
    expect(passkeys.getByText(sentence)).toBeTruthy()
    expect(passkeys.queryByText('Add passkey')).toBeNull()
  })

  it('are listed, renamed and removed', async () => {
    const passkey = { id: 'p', name: 'Work laptop', addedAt: at, usedAt: null }
    const { user, card, shown } = await open({ passkeys: [passkey], recoveryCodes: 10 })
    api.on('renamePasskey', ({ body }) => {
      shown.factors = { ...shown.factors, passkeys: [{ ...passkey, name: body.name }] }
      return { ...passkey, name: body.name }
    })
    api.on('removePasskey', () => {
      shown.factors = none
      return undefined
    })
    await user.click((await card('card-passkeys')).getByLabelText('Rename Work laptop'))
    const rename = within(await findDialog('Rename passkey'))
    await fill(user, rename.getByLabelText('Name'), 'Old laptop')
    await user.click(rename.getByText('Save', { selector: 'button' }))
    await user.click(await (await card('card-passkeys')).findByLabelText('Remove Old laptop'))
    const ask = within(await findDialog('Remove “Old laptop”?'))
    await fill(user, ask.getByLabelText('Your password'), password)
    await user.click(ask.getByText('Remove', { selector: 'button' }))
    await toastIs('default', 'Passkey removed')
    await waitFor(() => expect(screen.queryByTestId('passkey')).toBeNull())
  })
})

describe('Single sign-on', () => {
  const signOn = { name: 'Acme', link: null }

  it('shows the linked person, and removes the link with the password', async () => {
    const { user, card, shown } = await open({
      signOn: { ...signOn, link: { email: 'ada@acme.example', addedAt: at } },
    })
    api.on('unlinkOidc', () => {
      shown.factors = { ...none, signOn }
      return undefined
    })
    const on = await card('card-sign-on')
    expect(on.getByText(/^Linked to ada@acme.example on Jan 1, 2030/)).toBeTruthy()
    await user.click(on.getByText('Remove link', { selector: 'button' }))
    const ask = within(await findDialog('Remove the link to single sign-on?'))
    await fill(user, ask.getByLabelText('Your password'), password)
    await user.click(ask.getByText('Remove link', { selector: 'button' }))
    await toastIs('default', 'Link removed')
    expect(await (await card('card-sign-on')).findByText('Link Acme', { selector: 'button' })).toBeTruthy()
  })

  it('takes the place of a password that an account does not have', async () => {
    const linked = { ...signOn, link: { email: 'ada@acme.example', addedAt: at } }
    const { user, card } = await open({ hasPassword: false, signOn: linked })
    expect((await card('card-sign-on')).queryByText('Remove link')).toBeNull()
    await user.click((await card('card-app')).getByText('Set up app', { selector: 'button' }))
    const ask = within(await findDialog('Set up an authenticator app'))
    expect(ask.queryByLabelText('Your password')).toBeNull()
    expect(ask.getByText('Sign in with Acme', { selector: 'button' })).toBeTruthy()
  })

  it('asks for nothing while a sign-in at the provider is fresh', async () => {
    const { user, card } = await open({ hasPassword: false, confirmedUntil: '2999-01-01T00:00:00.000Z' })
    api.on('beginTotp', ({ body }) => {
      expect(body).toEqual({})
      return { secret: 'ABCDEFGH', uri: 'otpauth://totp/SocialAI:ada?secret=ABCDEFGH' }
    })
    await user.click((await card('card-app')).getByText('Set up app', { selector: 'button' }))
    await user.click(within(await findDialog('Set up an authenticator app')).getByText('Next', { selector: 'button' }))
    expect((await screen.findByTestId('text-totp-secret')).textContent).toBe('ABCD EFGH')
  })
})

describe('Sessions', () => {
  it('name the browser, the last use and this one', async () => {
    await open()
    const rows = await waitFor(() => {
      const found = screen.getAllByTestId('session').map(({ textContent }) => textContent)
      expect(found).toHaveLength(3)
      return found
    })
    expect(rows[0]).toMatch(/^Firefox on WindowsThis oneLast used Jan 1, 2030 at .*Signed in Jan 1, 2030 at /)
    expect(rows[2]).toMatch(/^Unknown browserLast used/)
  })

  it('end one by one, and all others at once', async () => {
    const { user, card, shown } = await open()
    api.on('endSession', ({ params }) => {
      shown.sessions = shown.sessions.filter(({ id }) => id !== params.id)
      return undefined
    })
    api.on('endOtherSessions', () => {
      shown.sessions = shown.sessions.filter(({ isThis }) => isThis)
      return undefined
    })
    await user.click(await (await card('card-sessions')).findByLabelText('End Safari on iPhone'))
    await waitFor(() => expect(screen.getAllByTestId('session')).toHaveLength(2))
    await user.click((await card('card-sessions')).getByText('End all others', { selector: 'button' }))
    const ask = within(await findDialog('End all other sessions?'))
    await user.click(ask.getByText('End all others', { selector: 'button' }))
    await waitFor(() => expect(screen.getAllByTestId('session')).toHaveLength(1))
  })
})

it('The bar asks for a confirmation of the address, sends the link, and can be put away', async () => {
  const { user } = await open({}, false)
  api.on('askAddressLink', () => undefined)
  const bar = within(await screen.findByTestId('confirm-address'))
  await user.click(bar.getByText('Send confirmation link', { selector: 'button' }))
  expect(await bar.findByText(/^We sent a link to /)).toBeTruthy()
  await user.click(bar.getByLabelText('Dismiss'))
  expect(screen.queryByTestId('confirm-address')).toBeNull()
})
