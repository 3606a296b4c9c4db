/** Who sees what: the four access states, where each path leads in them, and the page for paths that are none. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
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

beforeAll(async () => {
  stage = await openStage()
  caller = await owner(stage.server)
  clientId = (await brand(caller)).clientId
  visitor = await stage.enter()
  newcomer = await stage.enter(await signedUp(stage.server))
  member = await stage.enter(caller)
})
afterEach(() => stage.faults.mend())
afterAll(() => stage.close())

const paths = ['/clients', '/content', '/calendar', '/analytics', '/billing', '/settings', '/onboarding', '/nowhere']
const spinner = (page: Page) => page.getByRole('status').getByText('Loading')

describe('while it is asked who is there', () => {
  it('a spinner shows, and nothing else', async () => {
    const letGo = stage.faults.hold('GET /api/auth/user')
    await visitor.goto('/')
    await spinner(visitor).waitFor()
    expect(await visitor.getByRole('main').innerText()).toBe('SocialAI\nLoading')
    await looksRight(visitor, 'access-loading')
    letGo()
    await visitor.getByRole('tab', { name: 'Start Free Trial' }).waitFor()
  })

  it('a server that does not answer is told, with a way to ask again', async () => {
    stage.faults.cut('GET /api/auth/user')
    await member.goto('/')
    await member.getByRole('alert').getByText('SocialAI could not be loaded').waitFor()
    await looksRight(member, 'access-error')
    stage.faults.mend()
    await member.getByRole('button', { name: 'Try again' }).click()
    await member.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })
})

describe('a visitor', () => {
  it.each([...paths, '/clients/some-id'])('who comes to %s is at the landing page instead', async (path) => {
    await visitor.goto(path)
    await visitor.getByRole('tab', { name: 'Start Free Trial' }).waitFor()
    expect(pathOf(visitor)).toBe('/')
  })

  it('has no shell', async () => {
    expect(await visitor.getByTestId('button-sidebar-toggle').count()).toBe(0)
    expect(await visitor.getByTestId('nav-dashboard').count()).toBe(0)
  })

  it('is one whose user call is answered with 401', async () => {
    stage.faults.answer('GET /api/auth/user', 401)
    await member.goto('/clients')
    await member.getByRole('tab', { name: 'Start Free Trial' }).waitFor()
    expect(pathOf(member)).toBe('/')
  })
})

describe('somebody without an agency', () => {
  it.each(['/', ...paths])('who comes to %s is at the setup instead', async (path) => {
    await newcomer.goto(path)
    await newcomer.getByRole('heading', { name: 'Welcome to SocialAI!' }).waitFor()
    expect(pathOf(newcomer)).toBe('/onboarding')
  })

  it('the setup takes the place of the address: going back does not lead to it again', async () => {
    const before = await newcomer.evaluate(() => history.length)
    await newcomer.goto('/clients')
    await newcomer.waitForURL('**/onboarding')
    expect(await newcomer.evaluate(() => history.length)).toBe(before + 1)
  })

  it('the setup has no shell', async () => {
    await newcomer.getByLabel('Agency Name').waitFor()
    expect(await newcomer.getByTestId('button-sidebar-toggle').count()).toBe(0)
    expect(await newcomer.getByTestId('nav-dashboard').count()).toBe(0)
  })
})

describe('somebody with an agency', () => {
  it.each([
    ['/', 'Dashboard'],
    ['/clients', 'Clients'],
    ['/content', 'Content Library'],
    ['/calendar', 'Content Calendar'],
    ['/analytics', 'Analytics'],
    ['/billing', 'Billing & Subscription'],
    ['/settings', 'Settings'],
  ])('%s is the screen %s, in the shell', async (path, title) => {
    await member.goto(path)
    await member.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    expect(pathOf(member)).toBe(path)
    await member.getByTestId('nav-dashboard').waitFor()
  })

  it("a client's own page has its address", async () => {
    await member.goto(`/clients/${clientId}`)
    await member.getByRole('heading', { level: 1, name: 'Blue Cup' }).waitFor()
    await looksRight(member, 'client-overview')
  })

  it('is sent on from the setup', async () => {
    await member.goto('/onboarding')
    await member.getByRole('heading', { name: 'Dashboard' }).waitFor()
    expect(pathOf(member)).toBe('/')
  })

  it.each(['/nowhere', '/clients/a/b', '/settings/more'])('%s is no page: 404', async (path) => {
    await member.goto(path)
    await member.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
    await member.getByText('Did you forget to add the page to the router?').waitFor()
  })

  it('the 404 page looks right, and leads back', async () => {
    await member.goto('/nowhere')
    await member.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
    await looksRight(member, 'not-found')
    await member.getByRole('link', { name: 'Go to the dashboard' }).click()
    await member.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })
})

describe('the look-up of the agency', () => {
  it('a spinner shows while it lasts', async () => {
    const letGo = stage.faults.hold('GET /api/agency')
    await member.goto('/onboarding')
    await spinner(member).waitFor()
    expect(await member.getByRole('main').innerText()).toBe('SocialAI\nLoading')
    letGo()
    await member.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })

  it.each([
    ['fails', () => stage.faults.answer('GET /api/agency', 500, 'Broken')],
    ['is cut', () => stage.faults.cut('GET /api/agency')],
    ['brings nothing', () => stage.faults.answer('GET /api/agency', 200)],
  ])('when it %s, that counts as no agency, and it is not asked again', async (_, goWrong) => {
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

it('a session that ended elsewhere leads a reader to the landing page', async () => {
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
