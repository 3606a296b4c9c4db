/** The four access states, where each path leads in them, and the 404 page. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import { brand, owner, signedUp } from '../../api/testing/server.ts'
import { looksRight } from '../looks.ts'
import { becomes, listen, openStage, pathOf, type Stage } from './stage.ts'

let stage: Stage
let caller: ApiClient
let clientId: string
let visitor: Page
let newcomer: Page
let member: Page

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server)
  clientId = (await brand(caller)).clientId
  visitor = await stage.enter()
  newcomer = await stage.enter(await signedUp(stage.server))
  member = await stage.enter(caller)
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

const paths = ['/clients', '/content', '/calendar', '/analytics', '/billing', '/settings', '/onboarding', '/nowhere']
const spinner = (page: Page) => page.getByRole('status').getByText('Loading')

test.describe('while the user is loaded', () => {
  test('only a spinner shows [2.1, 4.19]', async () => {
    const release = stage.faults.hold('GET /api/auth/user')
    await visitor.goto('/')
    await spinner(visitor).waitFor()
    expect(await visitor.getByRole('main').innerText()).toBe('SocialAI\nLoading')
    await looksRight(visitor, 'access-loading')
    release()
    await visitor.getByRole('tab', { name: 'Start Free Trial' }).waitFor()
  })

  test('an unreachable server shows an error with a Try again button', async () => {
    stage.faults.cut('GET /api/auth/user')
    await member.goto('/')
    await member.getByRole('alert').getByText('SocialAI could not be loaded').waitFor()
    await looksRight(member, 'access-error')
    stage.faults.mend()
    await member.getByRole('button', { name: 'Try again' }).click()
    await member.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })
})

test.describe('a visitor', () => {
  for (const path of [...paths, '/clients/some-id'] as const)
    test(`at ${path} is redirected to the landing page [2.2, 4.20, 6.1]`, async () => {
      await visitor.goto(path)
      await visitor.getByRole('tab', { name: 'Start Free Trial' }).waitFor()
      expect(pathOf(visitor)).toBe('/')
    })

  test('has no shell [2.20]', async () => {
    expect(await visitor.getByTestId('button-sidebar-toggle').count()).toBe(0)
    expect(await visitor.getByTestId('nav-dashboard').count()).toBe(0)
  })

  test('is a user whose user call answers 401 [4.16, 7.7]', async () => {
    stage.faults.answer('GET /api/auth/user', 401)
    await member.goto('/clients')
    await member.getByRole('tab', { name: 'Start Free Trial' }).waitFor()
    expect(pathOf(member)).toBe('/')
  })
})

test.describe('a user without an agency', () => {
  for (const path of ['/', ...paths] as const)
    test(`at ${path} is redirected to the setup [2.3, 4.21, 6.3]`, async () => {
      await newcomer.goto(path)
      await newcomer.getByRole('heading', { name: 'Welcome to SocialAI!' }).waitFor()
      expect(pathOf(newcomer)).toBe('/onboarding')
    })

  test('adds no history entry for the redirect to the setup [2.4]', async () => {
    const before = await newcomer.evaluate(() => history.length)
    await newcomer.goto('/clients')
    await newcomer.waitForURL('**/onboarding')
    expect(await newcomer.evaluate(() => history.length)).toBe(before + 1)
  })

  test('sees the setup without the shell [2.13, 2.19]', async () => {
    await newcomer.getByLabel('Agency Name').waitFor()
    expect(await newcomer.getByTestId('button-sidebar-toggle').count()).toBe(0)
    expect(await newcomer.getByTestId('nav-dashboard').count()).toBe(0)
  })
})

test.describe('a user with an agency', () => {
  for (const [path, title] of [
    ['/', 'Dashboard'],
    ['/clients', 'Clients'],
    ['/content', 'Content Library'],
    ['/calendar', 'Content Calendar'],
    ['/analytics', 'Analytics'],
    ['/billing', 'Billing & Subscription'],
    ['/settings', 'Settings'],
  ] as const)
    test(`sees at ${path} the screen ${title}, in the shell [2.6, 2.9, 4.22, 6.5]`, async () => {
      await member.goto(path)
      await member.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      expect(pathOf(member)).toBe(path)
      await member.getByTestId('nav-dashboard').waitFor()
    })

  test("sees a client's page at its own path [2.10]", async () => {
    await member.goto(`/clients/${clientId}`)
    await member.getByRole('heading', { level: 1, name: 'Blue Cup' }).waitFor()
    await looksRight(member, 'client-overview')
  })

  test('is redirected from the setup to the dashboard [2.47]', async () => {
    await member.goto('/onboarding')
    await member.getByRole('heading', { name: 'Dashboard' }).waitFor()
    expect(pathOf(member)).toBe('/')
  })

  for (const path of ['/nowhere', '/clients/a/b', '/settings/more'] as const)
    test(`sees at ${path} the 404 page [2.7]`, async () => {
      await member.goto(path)
      await member.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
      await member.getByText('Did you forget to add the page to the router?').waitFor()
    })

  test('sees a 404 page that looks right and links to the dashboard [2.8]', async () => {
    await member.goto('/nowhere')
    await member.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
    await looksRight(member, 'not-found')
    await member.getByRole('link', { name: 'Go to the dashboard' }).click()
    await member.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })
})

test.describe('the agency look-up', () => {
  test('shows a spinner until it is done [2.46]', async () => {
    const release = stage.faults.hold('GET /api/agency')
    await member.goto('/onboarding')
    await spinner(member).waitFor()
    expect(await member.getByRole('main').innerText()).toBe('SocialAI\nLoading')
    release()
    await member.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })

  for (const [name, goWrong] of [
    ['fails', () => stage.faults.answer('GET /api/agency', 500, 'Broken')],
    ['is cut', () => stage.faults.cut('GET /api/agency')],
    ['brings nothing', () => stage.faults.answer('GET /api/agency', 200)],
  ] as const)
    test(`counts as no agency when it ${name}, and is not retried [2.5]`, async () => {
      goWrong()
      const page = await stage.enter(caller)
      const asked = listen(page, 'GET /api/agency')
      await page.goto('/')
      await page.getByRole('heading', { name: 'Welcome to SocialAI!' }).waitFor()
      expect(pathOf(page)).toBe('/onboarding')
      await page.clock.install()
      await page.clock.runFor(60_000)
      await becomes(() => asked.length, 1)
      await page.context().close()
    })
})

test('a session that ended elsewhere leads to the landing page', async () => {
  const leaving = await owner(stage.server)
  const page = await stage.enter(leaving)
  await page.goto('/')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await leaving.ask('logout', { headers: { 'Sec-Fetch-Site': 'same-origin' } })
  await page.getByTestId('nav-content').click()
  await page.getByTestId('nav-analytics').click()
  await page.getByRole('tab', { name: 'Start Free Trial' }).waitFor()
  expect(pathOf(page)).toBe('/')
})
