/** A forgotten password, from the sign-in form and the mailed link to signing in with a new password. */
import { expect, test, type Page, type Request } from '@playwright/test'
import { Browser, newEmail, password } from '../api/features/auth/test/helpers.ts'
import { lettersTo } from '../api/features/auth/test/letters.ts'
import { ApiClient } from '../api/http/client.ts'
import { desktop, phone } from './browser.ts'
import { linkIn, person, signsInWith } from './letters.ts'
import { looksRight } from './looks.ts'
import { becomes, button, openStage, type Stage } from './screens/stage.ts'

const better = 'four otters rowing home'
const minute = 60_000
const spent = 'This link no longer works'
let stage: Stage

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser, { env: { TRUST_PROXY: 'true' } })
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

const someone = () => person(stage.server)
const resetLink = (email: string, nth = 1) => linkIn(stage.server, email, /^Set a new password/, nth)

/** Uses a new client address each time, because requests are limited per address. */
async function askedFor(email: string, nth = 1) {
  await new Browser(stage.server.url).callOrThrow('forgotPassword', { body: { email } })
  return resetLink(email, nth)
}

async function openForgotten(page: Page, email: string) {
  await page.goto('/#sign-in')
  // The other tab's form has an email too.
  await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor()
  await page.getByLabel('Email').fill(email)
  await button(page, 'Forgot your password?').click()
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
}

/** Opens a link and sets a password by it. */
async function choose(page: Page, address: string, next: string) {
  await page.goto(address)
  await page.getByLabel('New password').fill(next)
  await button(page, 'Set password').click()
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

test.describe('A forgotten password', () => {
  for (const [width, viewport] of [
    ['desktop', desktop],
    ['phone', phone],
  ] as const)
    test(`is reset by a mailed link, from the sign-in form to the dashboard (${width})`, async () => {
      const { caller, email } = await someone()
      const page = await stage.enter(undefined, { viewport })
      await page.goto('/')
      await page.getByRole('tab', { name: 'Sign In' }).click()
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill('was it horse?')
      await button(page, 'Forgot your password?').click()
      await becomes(() => page.getByLabel('Email').inputValue(), email)
      await looksRight(page, `account-forgotten-${width}`)
      await button(page, 'Back to sign in').click()
      expect(await page.getByLabel('Password').inputValue()).toBe('was it horse?')
      expect(await page.getByLabel('Email').inputValue()).toBe(email)
      await button(page, 'Forgot your password?').click()
      await button(page, 'Send link').click()
      await page
        .getByText('If there is an account with this address, we sent a link. The link works for an hour.')
        .waitFor()
      await looksRight(page, `account-sent-${width}`)

      const { address, token } = await resetLink(email)
      const sent: Request[] = []
      page.on('request', (request) => sent.push(request))
      await page.goto(address)
      await heading(page, 'Set a new password')
      expect(page.url()).not.toContain(token)
      expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex')
      await looksRight(page, `account-reset-${width}`)
      await page.getByLabel('New password').fill('short')
      await button(page, 'Set password').click()
      await page.getByText('Password must be at least 8 characters').waitFor()
      await page.getByLabel('New password').fill(better)
      // A link scanner's GET does not use up the link, and access logs contain no token.
      expect(
        sent.filter(
          (each) => each.method() !== 'GET' || [each.url(), JSON.stringify(each.headers())].join('').includes(token),
        ),
      ).toEqual([])
      expect(
        await page.evaluate(() =>
          JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, document.cookie]),
        ),
      ).not.toContain(token)
      await button(page, 'Show password').click()
      expect(await page.getByLabel('New password').getAttribute('type')).toBe('text')
      await button(page, 'Hide password').waitFor()
      await button(page, 'Set password').click()
      await heading(page, 'Your new password is set')
      expect(sent.filter((each) => each.method() !== 'GET').map((each) => each.postDataJSON())).toEqual([
        { token, password: better },
      ])
      await looksRight(page, `account-reset-done-${width}`)
      expect((await caller.ask('getUser')).status).toBe(401)

      await page.getByRole('link', { name: 'Sign In' }).click()
      await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
      expect(await page.locator('meta[name=robots]').count()).toBe(0)
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(better)
      await page.getByRole('tabpanel').getByRole('button', { name: 'Sign In' }).click()
      await heading(page, 'Dashboard')
      expect(await signsInWith(stage.server, email, password)).toBe(false)
    })

  test('of an unknown address gets the same answer and no mail', async () => {
    const page = await stage.enter()
    const email = newEmail()
    await openForgotten(page, email)
    await button(page, 'Send link').click()
    await page
      .getByText('If there is an account with this address, we sent a link. The link works for an hour.')
      .waitFor()
    await page.getByText(email).waitFor()
    const known = await someone()
    await askedFor(known.email)
    expect(await lettersTo(stage.server, email)).toEqual([])
    // The user can correct a mistyped address in the form.
    await button(page, 'Change the address or send again').click()
    expect(await page.getByLabel('Email').inputValue()).toBe(email)
  })

  test('can be reset with the keyboard alone', async () => {
    const { email } = await someone()
    const page = await stage.enter()
    await page.goto('/#sign-in')
    await page.getByRole('tab', { name: 'Sign In' }).focus()
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('Tab')
    await page.keyboard.type(email)
    await press('Tab', 'Tab', 'Tab', 'Enter')
    await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'email')
    await press('Enter')
    await page.getByTestId('mail-sent').waitFor()
    await becomes(() => page.evaluate(() => document.activeElement?.textContent), 'Check your email')
    await page.goto((await resetLink(email)).address)
    await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'password')
    await page.keyboard.type(better)
    await press('Enter')
    await heading(page, 'Your new password is set')
    await becomes(() => page.evaluate(() => document.activeElement?.textContent), 'Your new password is set')
    await press('Tab', 'Enter')
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    expect(await signsInWith(stage.server, email, better)).toBe(true)
  })

  test('has a link that works once; the second use explains this and offers a new link', async () => {
    const { email } = await someone()
    const { address } = await askedFor(email)
    const page = await stage.enter()
    await choose(page, address, better)
    await heading(page, 'Your new password is set')
    await page.reload()
    await heading(page, 'This link is not complete')
    await choose(page, address, 'another good one')
    await heading(page, spent)
    await becomes(() => page.evaluate(() => document.activeElement?.textContent), spent)
    await looksRight(page, 'account-link-over')
    expect(await signsInWith(stage.server, email, better)).toBe(true)
    await page.getByLabel('Email').fill(email)
    await button(page, 'Send link').click()
    await page.getByTestId('mail-sent').waitFor()
    await choose(page, (await resetLink(email, 2)).address, 'another good one')
    await heading(page, 'Your new password is set')
  })

  test('has a link that expires after an hour, or when a newer one is requested', async () => {
    const { email } = await someone()
    const first = await askedFor(email)
    const second = await askedFor(email, 2)
    const page = await stage.enter()
    await choose(page, first.address, better)
    await heading(page, spent)
    stage.server.clock.advance(61 * minute)
    await choose(page, second.address, better)
    await heading(page, spent)
    expect(await signsInWith(stage.server, email, better)).toBe(false)
  })

  test('has a link that is checked for completeness before the password form is shown', async () => {
    const { email } = await someone()
    const { address } = await askedFor(email)
    const page = await stage.enter()
    for (const cut of ['/reset-password', address.slice(0, -3), `${address}>`, '/confirm-email', '/confirm-email#x']) {
      await page.goto(cut)
      await heading(page, 'This link is not complete')
      expect(await page.locator('input[type=password]').count()).toBe(0)
    }
    // The complete link, opened in the same window.
    await choose(page, address, better)
    await heading(page, 'Your new password is set')
  })

  test('can be reset by a signed-in user, who must sign in again; a different signed-in user stays signed in', async () => {
    const [own, other] = [await someone(), await someone()]
    const mine = await stage.enter(own.caller)
    const theirs = await stage.enter(other.caller)
    await choose(mine, (await askedFor(own.email)).address, better)
    await mine.getByRole('link', { name: 'Sign In' }).click()
    await mine.getByRole('heading', { name: 'Welcome back' }).waitFor()
    await choose(theirs, (await askedFor(own.email, 2)).address, 'another good one')
    await theirs.getByRole('link', { name: 'Go to Settings' }).click()
    await becomes(() => theirs.getByTestId('text-account-email').textContent(), other.email)
  })

  test('is replaced with a warning about guessable passwords; only common passwords are refused, under the field', async () => {
    const { email } = await someone()
    const page = await stage.enter()
    await page.goto((await askedFor(email)).address)
    const field = page.getByLabel('New password')
    await field.fill('zxcvbnm1')
    const before = await button(page, 'Set password').boundingBox()
    await field.fill('Password1!')
    await page.getByText('This is one of the most used passwords and would be guessed quickly.').waitFor()
    expect(await button(page, 'Set password').boundingBox()).toEqual(before)
    await looksRight(page, 'account-common-password')
    await field.fill('Password')
    await button(page, 'Set password').click()
    await becomes(() => field.getAttribute('aria-invalid'), 'true')
    expect(
      await page.getByText('This is one of the most used passwords and would be guessed quickly.').getAttribute('id'),
    ).toBe(await field.getAttribute('aria-describedby'))
    await field.fill('Password1!')
    await button(page, 'Set password').click()
    await heading(page, 'Your new password is set')
  })

  test("shows an error when the server has no mail, can't be reached, or limits the requests", async () => {
    const page = await stage.enter()
    await openForgotten(page, 'ada@northstar.example')
    const says = (sentence: string | RegExp) => page.getByTestId('form-error').filter({ hasText: sentence }).waitFor()
    stage.faults.answer('POST /api/auth/forgot', 503, "This server can't send email. Ask its operator.")
    await button(page, 'Send link').click()
    await says("This server can't send email. Ask its operator.")
    await looksRight(page, 'account-no-mail')
    stage.faults.cut('POST /api/auth/forgot')
    await button(page, 'Send link').click()
    await says('The server cannot be reached.')
    stage.faults.mend()
    const caller = new ApiClient(stage.server.url)
    while ((await caller.ask('forgotPassword', { body: { email: 'ada@northstar.example' } })).status !== 429);
    await button(page, 'Send link').click()
    await says(/^Too many attempts\. Try again in \d+ (minutes|seconds)\.$/)
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@northstar.example')
  })
})
