/** The chosen theme, on the screens and on the landing page, from the first paint on. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { owner } from '../api/testing/server.ts'
import { violationsOf } from './looks.ts'
import { openStage, type Stage } from './screens/stage.ts'

let stage: Stage
let caller: ApiClient
let page: Page

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server)
  page = await stage.enter(caller)
})
test.afterAll(() => stage.close())

const canvas = () =>
  page.evaluate(() => {
    const { backgroundColor, colorScheme } = getComputedStyle(document.documentElement)
    const [first = 0] = (backgroundColor.match(/[\d.]+/g) ?? []).map(Number)
    const half = backgroundColor.startsWith('rgb') ? 128 : backgroundColor.startsWith('lab') ? 50 : 0.5
    return { isDark: first < half, colorScheme }
  })
const dark = { isDark: true, colorScheme: 'dark' }
const light = { isDark: false, colorScheme: 'light' }

test('a chosen theme outweighs that of the device, after a reload too, and both hold up [P14.11]', async () => {
  for (const [device, name, theme] of [
    ['light', 'Dark', dark],
    ['dark', 'Light', light],
  ] as const) {
    await page.emulateMedia({ colorScheme: device, reducedMotion: 'reduce' })
    await page.goto('/clients')
    await page.getByTestId('button-theme').click()
    await page.getByText(name, { exact: true }).click()
    await page.keyboard.press('Escape')
    expect(await canvas()).toEqual(theme)
    await page.reload()
    await page.getByTestId('button-theme').waitFor()
    expect(await canvas()).toEqual(theme)
    expect(await violationsOf(page, name)).toEqual([])
  }
})

test('the first paint has the theme, while no script has run; the landing page has it too [P14.12]', async () => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.context().addCookies([{ name: 'theme', value: 'dark', url: stage.faults.url }])
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/clients')
  expect(await canvas()).toEqual(dark)
  await page.unroute('**/assets/*.js')
  await page.goto('/api/logout')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  expect(await canvas()).toEqual(dark)
  expect(await violationsOf(page, 'landing, dark')).toEqual([])
})
