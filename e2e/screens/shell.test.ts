/** The shell around every screen: the sidebar's three widths, its entries, its cookie, and the signed-in user. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import { owner } from '../../api/testing/server.ts'
import { phone } from '../browser.ts'
import { looksRight } from '../looks.ts'
import { becomes, openStage, type Stage } from './stage.ts'

const rem = 16
const entries = ['Dashboard', 'Clients', 'Content', 'Calendar', 'Analytics', 'Billing', 'Settings']

let stage: Stage
let caller: ApiClient
let page: Page

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server)
  page = await stage.enter(caller)
  await page.goto('/')
  await sidebar().waitFor()
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

const sidebar = () => page.getByTestId('sidebar')
const stateIs = (state: 'expanded' | 'collapsed') => becomes(() => sidebar().getAttribute('data-state'), state)
const widthIs = (px: number) => becomes(async () => (await sidebar().boundingBox())?.width, px)
const toggle = () => page.getByRole('banner').getByTestId('button-sidebar-toggle').click()
/** However the test before it ended. */
async function collapse(): Promise<void> {
  if ((await sidebar().getAttribute('data-state')) === 'expanded') await toggle()
  await stateIs('collapsed')
}
const cookie = async () => (await page.context().cookies()).find(({ name }) => name === 'sidebar_state')

test.describe('the shell on a wide screen', () => {
  test('has a sidebar of 16rem that stays while the screen scrolls [2.14]', async () => {
    await widthIs(16 * rem)
    expect(await sidebar().evaluate((element) => getComputedStyle(element).position)).toBe('sticky')
  })

  test("shows the product's name with the subtitle Agency Platform [1.5]", async () => {
    await sidebar().getByText('SocialAI', { exact: true }).waitFor()
    await sidebar().getByText('Agency Platform', { exact: true }).waitFor()
  })

  test('has seven entries under the label Platform for the seven screens [2.21]', async () => {
    const nav = sidebar().getByRole('navigation', { name: 'Platform' })
    await nav.getByText('Platform', { exact: true }).waitFor()
    const links = await nav
      .getByRole('link')
      .evaluateAll((all) =>
        all.map((each) => [each.textContent, each.getAttribute('href'), each.getAttribute('data-testid')]),
      )
    expect(links).toEqual(
      entries.map((title) => [
        title,
        title === 'Dashboard' ? '/' : `/${title.toLowerCase()}`,
        `nav-${title.toLowerCase()}`,
      ]),
    )
  })

  test('highlights only the entry of the current path [2.22]', async () => {
    const current = () => sidebar().locator('[aria-current=page]').allTextContents()
    expect(await current()).toEqual(['Dashboard'])
    const plain = await page.getByTestId('nav-clients').evaluate((element) => getComputedStyle(element).backgroundColor)
    await page.getByTestId('nav-clients').click()
    await becomes(current, ['Clients'])
    await page.mouse.move(700, 500)
    await expect
      .poll(() => page.getByTestId('nav-clients').evaluate((element) => getComputedStyle(element).backgroundColor))
      .not.toBe(plain)
    await page.getByTestId('nav-dashboard').click()
  })

  test('caps and centres the main content [2.18]', async () => {
    await page.setViewportSize({ width: 2200, height: 900 })
    const box = await page.locator('main').boundingBox()
    expect(box?.width).toBe(1200)
    expect(box?.x).toBe(16 * rem + (2200 - 16 * rem - 1200) / 2)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('collapses to icons of 3rem by the button in the header, kept in the cookie for 7 days [2.16, 2.17, 2.29]', async () => {
    const before = Date.now() / 1000
    await toggle()
    await stateIs('collapsed')
    await widthIs(3 * rem)
    await expect.poll(cookie).toMatchObject({ value: 'false', path: '/' })
    const lives = ((await cookie())?.expires ?? 0) - before
    expect(lives).toBeGreaterThan(7 * 24 * 3600 - 5)
    expect(lives).toBeLessThan(7 * 24 * 3600 + 30)
    await looksRight(page, 'shell-collapsed')
  })

  test('stays collapsed after a reload [2.30]', async () => {
    await collapse()
    await page.reload()
    await stateIs('collapsed')
  })

  for (const key of ['Control', 'Meta'] as const)
    test(`expands and collapses with ${key} and b [2.26, 4.17, 9.22]`, async () => {
      await collapse()
      await page.keyboard.press(`${key}+b`)
      await stateIs('expanded')
      await expect.poll(cookie).toMatchObject({ value: 'true' })
      await page.keyboard.press(`${key}+b`)
      await stateIs('collapsed')
    })

  test('shows the name of a collapsed entry at once beside it [9.23]', async () => {
    await collapse()
    await page.mouse.move(700, 500)
    // The clock stands still from here.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByTestId('nav-billing').hover()
    await page.getByRole('tooltip').getByText('Billing').waitFor()
    await page.clock.resume()
    await page.keyboard.press('Control+b')
    await stateIs('expanded')
  })
})

test.describe("the shell's footer", () => {
  test('shows the email and its first letter in upper case [2.23]', async () => {
    const { email } = await caller.callOrThrow('getUser')
    expect(await page.getByTestId('text-user-email').textContent()).toBe(email)
    expect(await sidebar().locator('span[aria-hidden].rounded-full').textContent()).toBe(email.charAt(0).toUpperCase())
  })

  for (const [what, known, letter, name] of [
    ['a profile image is shown', { profileImageUrl: '/favicon.svg' }, null, null],
    ['without an email it says User, with a U', { email: '' }, 'U', 'User'],
  ] as const)
    test(`${what} [2.24]`, async () => {
      stage.faults.rewriteBody('GET /api/auth/user', (body) => JSON.stringify({ ...JSON.parse(body), ...known }))
      await page.reload()
      await sidebar().waitFor()
      if (letter === null) await becomes(() => sidebar().locator('img').getAttribute('src'), '/favicon.svg')
      else {
        expect(await sidebar().locator('span[aria-hidden].rounded-full').textContent()).toBe(letter)
        expect(await page.getByTestId('text-user-email').textContent()).toBe(name)
      }
    })
})

test.describe('the shell below 768 px', () => {
  test.describe.configure({ mode: 'serial' })
  test.beforeAll(async () => {
    await page.reload()
    await sidebar().waitFor()
  })
  const sheet = () => page.getByTestId('sidebar-sheet')

  test('has no fixed sidebar at 767 px, and one at 768 px [2.27, 9.20]', async () => {
    await page.setViewportSize({ width: 768, height: 844 })
    await sidebar().waitFor()
    await page.setViewportSize({ width: 767, height: 844 })
    await sidebar().waitFor({ state: 'detached' })
    expect(await sheet().count()).toBe(0)
  })

  test('opens the sidebar as a sheet of 18rem [2.15, 9.21]', async () => {
    await page.setViewportSize(phone)
    await page.getByTestId('button-sidebar-toggle').click()
    await becomes(() => sheet().boundingBox(), { x: 0, y: 0, width: 18 * rem, height: phone.height })
    expect(await sheet().getByRole('link').count()).toBe(entries.length + 1)
    await looksRight(page, 'shell-sheet')
  })

  test('closes the sheet when an entry is opened [4.18]', async () => {
    await sheet().getByTestId('nav-calendar').click()
    await page.getByRole('heading', { name: 'Content Calendar' }).waitFor()
    await sheet().waitFor({ state: 'detached' })
  })

  test('opens the sheet with Control and b [2.28]', async () => {
    await page.keyboard.press('Control+b')
    await sheet().waitFor()
    await page.keyboard.press('Control+b')
    await sheet().waitFor({ state: 'detached' })
  })
})

test('Sign-out is a plain link and ends the session [2.25, 7.10]', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(await page.locator('a[data-testid=button-logout]').getAttribute('href')).toBe('/api/logout')
  await page.getByTestId('button-logout').click()
  await page.getByRole('tab', { name: 'Start Free Trial' }).waitFor()
  await page.goto('/clients')
  await page.getByRole('tab', { name: 'Start Free Trial' }).waitFor()
})
