/** Second factors in a browser: the confirmed address, an authenticator app, a passkey, and the sessions. */
import { Secret, TOTP } from 'otpauth'
import { expect, test, type Page } from '@playwright/test'
import { password } from '../api/features/auth/test/helpers.ts'
import type { TestServer } from '../api/testing/server.ts'
import { actAs, addVirtualKey, startProduct, visit, type Visit } from './browser.ts'
import { linkIn, person, type Person } from './letters.ts'
import { holdsUp, looksRight } from './looks.ts'
import { becomes, button, pathOf, toastIs } from './screens/stage.ts'

let server: TestServer
const visits: Visit[] = []

test.beforeAll(async () => {
  server = await startProduct()
})
test.afterAll(async () => {
  await Promise.all(visits.map((visited) => visited.close()))
  await server.remove()
  expect(visits.flatMap(({ complaints }) => complaints)).toEqual([])
})

async function enter(browser: Parameters<typeof visit>[0], who?: Person): Promise<Page> {
  const visited = await visit(browser, server)
  visits.push(visited)
  if (who) await actAs(visited, who.caller, server.url)
  return visited.page
}
const dialog = (page: Page) => page.getByRole('dialog')
const codeOf = (secret: string) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.parse(server.clock.now()) })

async function confirmAddress(page: Page, { email }: Person): Promise<void> {
  await page.goto('/settings/security')
  await button(page, 'Send confirmation link').click()
  await page.getByText(`We sent a link to ${email}.`).waitFor()
  const { address } = await linkIn(server, email, /^Confirm your email address/)
  await page.goto(address)
  await button(page, 'Confirm address').click()
  await page.getByText('Your email address is confirmed').waitFor()
  await page.getByRole('link', { name: 'Go to Security' }).click()
  await page.getByTestId('card-app').waitFor()
}

async function signInTo(page: Page, { email }: Person): Promise<void> {
  await page.goto('/#sign-in')
  await page.getByRole('tab', { name: 'Sign In' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

test('an app is set up, and its code completes a sign-in', async ({ browser }) => {
  const who = await person(server)
  const page = await enter(browser, who)
  await page.goto('/settings/security')
  await page.getByTestId('card-unconfirmed').waitFor()
  await looksRight(page, 'security-unconfirmed')
  await confirmAddress(page, who)
  await button(page, 'Set up app').click()
  await dialog(page).getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  const secret = ((await page.getByTestId('text-totp-secret').textContent()) ?? '').replaceAll(' ', '')
  await looksRight(page, 'security-set-up')
  await dialog(page).getByLabel('Code from the app').fill(codeOf(secret))
  await page.keyboard.press('Enter')
  await page.getByTestId('recovery-codes').waitFor()
  // To the app's next code.
  server.clock.advance(30_000)
  const codes = await page.getByTestId('recovery-codes').getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  await looksRight(page, 'security-codes')
  await button(page, 'I saved my codes').click()
  await page.getByTestId('card-app').getByText('On', { exact: true }).waitFor()
  await holdsUp(page, 'security')

  const other = await enter(browser)
  await signInTo(other, who)
  await other.getByText('Two-step sign-in').waitFor()
  expect(await other.locator('[data-variant]').count()).toBe(0)
  await looksRight(other, 'security-second-step')
  const code = codeOf(secret)
  await other.getByLabel('Code').fill(code)
  await other.keyboard.press('Enter')
  await other.getByTestId('nav-settings').waitFor()

  const third = await enter(browser)
  await signInTo(third, who)
  await third.getByLabel('Code').fill(code)
  await third.keyboard.press('Enter')
  await third.getByText("That code isn't right, or was used before. Try another one.").waitFor()
  await third.getByLabel('Code').fill(codes[0] ?? '')
  await third.keyboard.press('Enter')
  await third.getByTestId('nav-settings').waitFor()
  await page.reload()
  await page.getByText('9 codes left').waitFor()

  await becomes(() => page.getByTestId('session').count(), 3)
  await button(page, 'End all others').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click()
  await toastIs(page, 'default', 'All other sessions ended')
  await becomes(() => page.getByTestId('session').count(), 1)
  await other.goto('/clients')
  await becomes(() => pathOf(other), '/')
})

test('a passkey is added, and signs in without a password', async ({ browser }) => {
  const who = await person(server)
  const page = await enter(browser, who)
  await addVirtualKey(page)
  await confirmAddress(page, who)
  await button(page, 'Add passkey').click()
  await dialog(page).getByLabel('Name').fill('Work laptop')
  await dialog(page).getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByTestId('recovery-codes').waitFor()
  await button(page, 'I saved my codes').click()
  await page.getByTestId('passkey').getByText('Work laptop').waitFor()
  await holdsUp(page, 'security-passkey')

  await page.goto('/api/logout')
  await page.goto('/#sign-in')
  await page.getByRole('tab', { name: 'Sign In' }).click()
  await button(page, 'Sign in with a passkey').click()
  await page.getByTestId('nav-settings').waitFor()

  await page.goto('/api/logout')
  await signInTo(page, who)
  await button(page, 'Use your passkey').click()
  await page.getByTestId('nav-settings').waitFor()
  await page.goto('/settings/security')
  await page
    .getByTestId('passkey')
    .getByText(/Last used/)
    .waitFor()
})

test('an address that a mailed invitation confirmed takes a passkey, which an admin above resets', async ({
  browser,
}) => {
  const boss = await person(server)
  const email = 'joan@team.example'
  await boss.caller.callOrThrow('inviteMember', { body: { email, role: 'writer', clients: 'all' } })
  const page = await enter(browser)
  await page.goto((await linkIn(server, email, /^Join /)).address)
  await page.getByLabel('First Name').fill('Joan')
  await page.getByLabel('Password').fill('four otters rowing home')
  await button(page, 'Create account and join').click()
  await page.getByTestId('text-agency').waitFor()
  await addVirtualKey(page)
  await page.goto('/settings/security')
  await button(page, 'Add passkey').click()
  await dialog(page).getByLabel('Name').fill('Work laptop')
  await dialog(page).getByLabel('Your password').fill('four otters rowing home')
  await page.keyboard.press('Enter')
  await page.getByTestId('recovery-codes').waitFor()

  const office = await enter(browser, boss)
  await office.goto('/settings/team')
  await office.getByTestId('member').filter({ hasText: 'Joan' }).getByText('Reset second factors').click()
  await dialog(office).waitFor()
  await looksRight(office, 'team-reset-factors')
  await dialog(office).getByLabel('Your password').fill(password)
  await dialog(office).getByRole('button', { name: 'Reset second factors' }).click()
  await becomes(() => office.getByText('Reset second factors', { exact: true }).count(), 0)
  await page.goto('/settings')
  await becomes(() => pathOf(page), '/')
})

test('a link opened where nobody is signed in asks for the sign-in first', async ({ browser }) => {
  const who = await person(server)
  expect((await who.caller.ask('askAddressLink')).status).toBe(204)
  const { address } = await linkIn(server, who.email, /^Confirm your email address/)
  const page = await enter(browser)
  await page.goto(address)
  await page.getByText('Sign in to confirm your email address').waitFor()
  await looksRight(page, 'confirm-address-signed-out')
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await button(page, 'Confirm address').click()
  await page.getByText('Your email address is confirmed').waitFor()
})
