/** Single sign-on in a browser, at a provider that speaks the whole protocol: first use, a link, an invitation. */
import { expect, test, type Page } from '@playwright/test'
import { confirmedPerson } from '../api/features/auth/test/second-factor.ts'
import { newEmail, password } from '../api/features/auth/test/helpers.ts'
import { RealProvider } from '../api/features/auth/oidc/test/real-provider.ts'
import { settings } from '../api/features/auth/oidc/test/settings.ts'
import type { ApiClient } from '../api/http/client.ts'
import { owner, type TestServer } from '../api/testing/server.ts'
import { actAs, startProduct, visit, type Visit } from './browser.ts'
import { looksRight } from './looks.ts'
import { pathOf } from './screens/stage.ts'

const provider = new RealProvider()
let server: TestServer
const visits: Visit[] = []

test.beforeAll(async () => {
  await provider.start()
  server = await startProduct({ env: settings(provider.issuer) })
  await provider.takeClient(`${server.url}/api/auth/oidc/callback`)
})
test.afterAll(async () => {
  await Promise.all(visits.map((visited) => visited.close()))
  await server.remove()
  await provider.stop()
  expect(visits.flatMap(({ complaints }) => complaints)).toEqual([])
})

async function enter(browser: Parameters<typeof visit>[0], who?: ApiClient): Promise<Page> {
  const visited = await visit(browser, server)
  visits.push(visited)
  if (who) await actAs(visited, who, server.url)
  return visited.page
}
const signOn = (page: Page) => page.getByTestId('link-sign-on').filter({ visible: true })

test('a person signs on for the first time, and again', async ({ browser }) => {
  provider.person = { sub: 'grace', email: newEmail(), email_verified: true, given_name: 'Grace' }
  const seen = []
  for (const page of [await enter(browser), await enter(browser)]) {
    await page.goto('/')
    await signOn(page).click()
    await page.waitForURL('**/onboarding')
    seen.push(await (await page.request.get('/api/auth/user')).json())
  }
  expect(seen).toMatchObject([{ firstName: 'Grace', emailConfirmed: true }, { id: seen[0].id }])
})

test('a person links their account in Settings, Security, and signs on with it', async ({ browser }) => {
  const { browser: caller, email } = await confirmedPerson(server)
  await caller.callOrThrow('openAgency', { body: { name: 'South Star', email } })
  provider.person = { sub: 'ada', email, email_verified: true }
  const page = await enter(browser, caller)
  await page.goto('/settings/security')
  await page.getByTestId('card-sign-on').getByRole('button').click()
  await page.getByRole('dialog').getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByTestId('card-sign-on').getByText(email).waitFor()
  await looksRight(page, 'security-signed-on')
  const other = await enter(browser)
  await other.goto('/')
  await signOn(other).click()
  await other.getByTestId('text-agency').waitFor()
})

test('an invited person signs on at the invitation, comes back to it, and joins', async ({ browser }) => {
  const boss = await owner(server)
  const email = newEmail()
  provider.person = { sub: 'linus', email, email_verified: true, given_name: 'Linus' }
  const { link } = await boss.callOrThrow('inviteMember', { body: { email, role: 'viewer', clients: 'all' } })
  const { pathname, hash } = new URL(link)
  const page = await enter(browser)
  await page.goto(pathname + hash)
  await looksRight(page, 'invitation-sign-on')
  await signOn(page).click()
  await page.getByTestId('button-accept-invitation').click()
  await page.getByTestId('text-agency').waitFor()
  const { members } = await boss.callOrThrow('getTeam')
  expect(members.map(({ email: each, role }) => [each, role])).toContainEqual([email, 'viewer'])
})

test('a refusal is said at the invitation, which stays', async ({ browser }) => {
  const boss = await owner(server)
  provider.person = { sub: 'marie', email: 'marie@evil.example', email_verified: true }
  const { link } = await boss.callOrThrow('inviteMember', {
    body: { email: newEmail(), role: 'viewer', clients: 'all' },
  })
  const { pathname, hash } = new URL(link)
  const page = await enter(browser)
  await page.goto(pathname + hash)
  await signOn(page).click()
  await page.getByText(/^Email addresses of that domain may not sign in here\./).waitFor()
  await page.getByText('Join North Star').waitFor()
  expect([pathOf(page), new URL(page.url()).hash]).toEqual(['/invitation', ''])
})
