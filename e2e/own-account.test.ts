/** The user's own account in Settings: a new password, a new email address, and signing out everywhere. */
import { expect, test, type Page } from '@playwright/test'
import { newEmail, password } from '../api/features/auth/test/helpers.ts'
import { letter, lettersTo } from '../api/features/auth/test/letters.ts'
import { ApiClient } from '../api/http/client.ts'
import { desktop, phone } from './browser.ts'
import { linkIn, person, signsInWith, type Person } from './letters.ts'
import { looksRight } from './looks.ts'
import { becomes, button, openStage, pathOf, toastIs, type Stage } from './screens/stage.ts'

const better = 'four otters rowing home'
const sizes = [
  ['desktop', desktop],
  ['phone', phone],
] as const
let stage: Stage

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

const card = (page: Page) => page.getByTestId('card-account')
const dialog = (page: Page) => page.getByRole('dialog')

async function atSettings({ caller }: Person, viewport = desktop): Promise<Page> {
  const page = await stage.enter(caller, { viewport })
  await page.goto('/settings')
  await card(page).waitFor()
  return page
}

async function fillPasswords(page: Page, current: string, next: string) {
  await page.getByLabel('Current password').fill(current)
  await page.getByLabel('New password').fill(next)
}

/** Signs the user in from another client. */
async function elsewhere({ email }: Person): Promise<Person> {
  const caller = new ApiClient(stage.server.url)
  await caller.callOrThrow('login', { body: { email, password } })
  return { caller, email }
}

test("the card shows the user's email address, and the name if there is one", async () => {
  const caller = new ApiClient(stage.server.url)
  const email = newEmail()
  await caller.callOrThrow('register', { body: { email, password, firstName: 'Ada', lastName: 'Lovelace' } })
  await caller.callOrThrow('openAgency', {
    body: { name: 'North Star', email: 'hello@northstar.example', timeZone: 'Europe/Berlin' },
  })
  const page = await atSettings({ caller, email })
  expect(await card(page).getByTestId('text-account-email').textContent()).toBe(email)
  await card(page).getByText('Ada Lovelace').waitFor()
  await looksRight(page, 'account-card')
})

test.describe('A new password', () => {
  for (const [width, viewport] of sizes)
    test(`signs out all other browsers and keeps this one signed in (${width})`, async () => {
      const who = await person(stage.server)
      const other = await elsewhere(who)
      const page = await atSettings(who, viewport)
      await button(page, 'Change password').click()
      await looksRight(page, `account-password-${width}`)
      // Password managers use these attributes.
      expect(
        await dialog(page)
          .locator('input')
          .evaluateAll((all) =>
            all.map((each) => [each.getAttribute('autocomplete'), each instanceof HTMLInputElement && each.type]),
          ),
      ).toEqual([
        ['username', 'text'],
        ['current-password', 'password'],
        ['new-password', 'password'],
      ])
      await fillPasswords(page, password, better)
      await page.keyboard.press('Enter')
      await toastIs(page, 'default', 'Password changed', 'Other devices were signed out.')
      await dialog(page).waitFor({ state: 'detached' })
      expect((await other.caller.ask('getUser')).status).toBe(401)
      await page.reload()
      await card(page).waitFor()
      expect([
        await signsInWith(stage.server, who.email, better),
        await signsInWith(stage.server, who.email, password),
      ]).toEqual([true, false])
    })

  test('is not set while a field is invalid: each error stands at its field, and the input stays', async () => {
    const page = await atSettings(await person(stage.server))
    await button(page, 'Change password').click()
    await fillPasswords(page, 'not my horse', 'short')
    const change = dialog(page).getByRole('button', { name: 'Change password' })
    await change.click()
    await page.getByText('Password must be at least 8 characters').waitFor()
    await page.getByLabel('New password').fill(better)
    await change.click()
    const current = page.getByLabel('Current password')
    await becomes(() => current.getAttribute('aria-invalid'), 'true')
    expect(await page.getByText("That isn't your current password.").getAttribute('id')).toBe(
      await current.getAttribute('aria-describedby'),
    )
    await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'currentPassword')
    await looksRight(page, 'account-password-wrong')
    expect(await page.getByLabel('New password').inputValue()).toBe(better)
    stage.faults.cut('POST /api/auth/password')
    await current.fill(password)
    await becomes(() => current.getAttribute('aria-invalid'), null)
    await change.click()
    await page.getByTestId('form-error').filter({ hasText: 'The server cannot be reached.' }).waitFor()
    stage.faults.mend()
    await change.click()
    await toastIs(page, 'default', 'Password changed', 'Other devices were signed out.')
  })

  test('requires the current one: after ten wrong guesses, the form says how long to wait', async () => {
    const who = await person(stage.server)
    for (let time = 0; time < 10; time++)
      await who.caller.ask('changePassword', { body: { currentPassword: 'a guess', newPassword: better } })
    const page = await atSettings(who)
    await button(page, 'Change password').click()
    await fillPasswords(page, 'another guess', better)
    await page.keyboard.press('Enter')
    await page
      .getByTestId('form-error')
      .filter({ hasText: /^Too many attempts\. Try again in \d+ minutes\.$/ })
      .waitFor()
  })

  test('that is common is refused under its field, in Settings and at sign-up, and the input stays [9.7]', async () => {
    const refusal =
      'This is one of the most used passwords and would be guessed quickly. A few words that only you put together are better.'
    const isRefused = async (page: Page, label: string, name: string) => {
      const field = page.getByLabel(label, { exact: true })
      await becomes(() => field.getAttribute('aria-invalid'), 'true')
      expect(await page.getByText(refusal, { exact: true }).first().getAttribute('id')).toBe(
        await field.getAttribute('aria-describedby'),
      )
      await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('name')), name)
      expect(await page.getByTestId('form-error').count()).toBe(0)
    }
    const settings = await atSettings(await person(stage.server))
    await button(settings, 'Change password').click()
    await fillPasswords(settings, password, 'PassWord')
    await settings.keyboard.press('Enter')
    await isRefused(settings, 'New password', 'newPassword')
    expect(await settings.getByLabel('Current password').inputValue()).toBe(password)
    await looksRight(settings, 'account-password-refused')
    await settings.getByLabel('New password').fill(better)
    await settings.keyboard.press('Enter')
    await toastIs(settings, 'default', 'Password changed', 'Other devices were signed out.')

    const page = await stage.enter()
    await page.goto('/')
    await page.getByLabel('Email').fill(newEmail())
    await page.getByLabel('Password').fill('12345678')
    await button(page, 'Create Account').click()
    await toastIs(page, 'destructive', 'Sign up failed', `Password: ${refusal}`)
    await isRefused(page, 'Password', 'password')
    await looksRight(page, 'account-register-refused')
    await page.getByLabel('Password').fill(better)
    await button(page, 'Create Account').click()
    await toastIs(page, 'default', 'Account created!', "You're all set to get started.")
  })

  test('that is guessable gets a warning at sign-up before anything is sent', async () => {
    const page = await stage.enter()
    const lists: string[] = []
    page.on('request', (request) => /password-advice/.test(request.url()) && lists.push(request.method()))
    await page.goto('/')
    await page.getByLabel('Email').fill('ada@northstar.example')
    // The list of common passwords is loaded only for the password field.
    expect(lists).toEqual([])
    await page.getByLabel('Password').fill('northstar')
    // In one step, because the form's engine replaces the form once.
    const height = () => page.evaluate(() => document.querySelector('form')?.getBoundingClientRect().height)
    const before = await height()
    await page.getByLabel('Password').fill('Iloveyou!')
    const warning = page.getByText('This is one of the most used passwords and would be guessed quickly.')
    await warning.waitFor()
    expect([await warning.getAttribute('aria-live'), await warning.getAttribute('id')]).toEqual([
      'polite',
      await page.getByLabel('Password').getAttribute('aria-describedby'),
    ])
    expect(await height()).toBe(before)
    expect(lists).toEqual(['GET'])
    await looksRight(page, 'account-register-warning')
  })
})

test.describe('A new email address', () => {
  for (const [width, viewport] of sizes)
    test(`takes effect once the mailed link is opened and confirmed, and not before (${width})`, async () => {
      const who = await person(stage.server)
      const next = newEmail()
      const page = await atSettings(who, viewport)
      await button(page, 'Change email').click()
      await page.getByLabel('New email address').fill(who.email)
      await page.getByLabel('Your password').fill('not my horse')
      await page.keyboard.press('Enter')
      await page.getByText('This is your address already.').waitFor()
      await page.getByLabel('New email address').fill(next)
      await page.keyboard.press('Enter')
      await page.getByText("That isn't your current password.").waitFor()
      await looksRight(page, `account-email-${width}`)
      await page.getByLabel('Your password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByText(`We sent a link to ${next}. Your address changes when you open the link.`).waitFor()
      await looksRight(page, `account-email-sent-${width}`)
      await button(page, 'Done').click()
      expect(await card(page).getByTestId('text-account-email').textContent()).toBe(who.email)

      const { address } = await linkIn(stage.server, next, /^Confirm your new email/)
      const stranger = await stage.enter(undefined, { viewport })
      for (const each of [page, stranger]) {
        await each.goto(address)
        await each.getByRole('heading', { name: 'Use this address for your account?' }).waitFor()
      }
      expect(await signsInWith(stage.server, next, password)).toBe(false)
      await looksRight(page, `account-confirm-${width}`)
      await button(page, 'Use this address').click()
      await page.getByRole('heading', { name: `Your email address is now ${next}` }).waitFor()
      await looksRight(page, `account-confirmed-${width}`)
      // No session ended, and the old address got a mail.
      await page.getByRole('link', { name: 'Go to Settings' }).click()
      await becomes(() => card(page).getByTestId('text-account-email').textContent(), next)
      await letter(stage.server, who.email, /has a new email address/)
      // The same link, a second time.
      await button(stranger, 'Use this address').click()
      await stranger.getByRole('heading', { name: 'This link no longer works' }).waitFor()
      await looksRight(stranger, `account-confirm-over-${width}`)
      await stranger.getByRole('link', { name: 'Sign In' }).click()
      await stranger.getByRole('heading', { name: 'Welcome back' }).waitFor()
    })

  test('that belongs to another account gets a mail that says so, without a link', async () => {
    const who = await person(stage.server)
    const taken = await person(stage.server)
    const page = await atSettings(who)
    await button(page, 'Change email').click()
    await page.getByLabel('New email address').fill(taken.email)
    await page.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByTestId('mail-sent').waitFor()
    await letter(stage.server, taken.email, /has a SocialAI account already/)
    expect((await lettersTo(stage.server, taken.email)).filter(({ text }) => text.includes('#'))).toEqual([])
  })
})

test.describe('Signing out everywhere', () => {
  for (const [width, viewport] of sizes)
    test(`asks first, and ends all sessions; other tabs keep their typed text (${width})`, async () => {
      const who = await person(stage.server)
      const other = await stage.enter((await elsewhere(who)).caller)
      await other.goto('/clients')
      await other.getByTestId('button-new-client').click()
      await other.getByLabel('Name').fill('Typed before')
      const page = await atSettings(who, viewport)
      await button(page, 'Sign out everywhere').click()
      await page.getByRole('alertdialog', { name: 'Sign out everywhere?' }).waitFor()
      await looksRight(page, `account-everywhere-${width}`)
      await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.getByRole('heading', { name: 'Create your agency account' }).waitFor()
      expect(pathOf(page)).toBe('/')

      await dialog(other).getByRole('button', { name: 'Create Client' }).click()
      const again = other.getByRole('dialog', { name: 'Your session has ended' })
      await again.waitFor()
      await again.getByRole('button', { name: 'Forgot your password?' }).click()
      expect(await again.getByLabel('Email').inputValue()).toBe(who.email)
      await again.getByRole('button', { name: 'Back to sign in' }).click()
      await looksRight(other, `account-again-${width}`)
      await again.getByLabel('Password').fill(password)
      await again.getByRole('button', { name: 'Sign In' }).click()
      await again.waitFor({ state: 'detached' })
      expect(await other.getByLabel('Name').inputValue()).toBe('Typed before')
      await dialog(other).getByRole('button', { name: 'Create Client' }).click()
      await toastIs(other, 'default', 'Client created!', 'You can now configure their social media accounts.')
    })

  test('shows an error and ends no session when the server can not be reached', async () => {
    const who = await person(stage.server)
    const page = await atSettings(who)
    stage.faults.cut('POST /api/auth/sign-out-everywhere')
    await button(page, 'Sign out everywhere').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await toastIs(
      page,
      'destructive',
      'Error',
      'The server cannot be reached. Nothing is lost: check the connection, then try again.',
    )
    expect((await who.caller.ask('getUser')).status).toBe(200)
  })
})
