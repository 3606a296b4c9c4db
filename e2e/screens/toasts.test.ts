/** Toasts and tooltips: their number, duration and width, and how the user dismisses them. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import { owner } from '../../api/testing/server.ts'
import { desktop, phone } from '../browser.ts'
import { looksRight } from '../looks.ts'
import { becomes, button, chooseZone, openStage, toast, toastIs, type Stage } from './stage.ts'

let stage: Stage
let caller: ApiClient
let page: Page

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser, { animated: true })
  caller = await owner(stage.server)
})
test.beforeEach(async () => {
  page = await stage.enter(caller)
})
test.afterEach(async () => {
  stage.faults.mend()
  await page.context().close()
})
test.afterAll(() => stage.close())

/** From here on, time passes only when the test advances the clock. */
async function stopClock() {
  await page.clock.pauseAt(Date.now() + 3_600_000)
}
async function openBilling() {
  await page.clock.install()
  await page.goto('/billing')
  await button(page, 'Manage Subscription').waitFor()
  await stopClock()
}
async function fail(sentence: string) {
  stage.faults.answer('POST /api/billing/portal', 503, sentence)
  await button(page, 'Manage Subscription').click()
  await passUntil(async () =>
    (
      await toast(page)
        .innerText({ timeout: 50 })
        .catch(() => '')
    ).includes(sentence),
  )
}
/** Advances in small steps, so that the condition is checked soon after each change. */
const passUntil = (isSo: () => Promise<boolean>) =>
  becomes(async () => {
    await page.clock.runFor(20)
    return isSo()
  }, true)

test.describe('a toast', () => {
  test('is at most 420 px wide [9.30]', async () => {
    await openBilling()
    await fail(
      'A long sentence of the server that has to be told in full, so that somebody knows what to do about it now.',
    )
    const region = page.getByRole('region', { name: /Notifications/ })
    expect((await region.boundingBox())?.width).toBe(420)
    await page.setViewportSize(phone)
    await becomes(async () => (await region.boundingBox())?.width, phone.width)
    await page.setViewportSize(desktop)
  })

  test('has two variants, which differ in icon and colour [4.23]', async () => {
    await openBilling()
    await fail('Bad news')
    const icon = () =>
      toast(page)
        .locator('svg')
        .first()
        .evaluate((svg) => [getComputedStyle(svg).color, svg.innerHTML])
    const bad = await icon()
    // A toast under the pointer stays.
    await toast(page).hover()
    await page.clock.resume()
    await looksRight(page, 'toast-destructive')
    await page.goto('/settings')
    await chooseZone(page, 'Europe/Madrid')
    await button(page, 'Save Changes').click()
    await toastIs(page, 'default', 'Settings saved', 'All times are now shown in the new time zone.')
    const good = await icon()
    await toast(page).hover()
    expect(good[0]).not.toBe(bad[0])
    expect(good[1]).not.toBe(bad[1])
    await looksRight(page, 'toast-default')
  })
})

test.describe('a tooltip', () => {
  const tooltip = () => page.getByRole('tooltip')
  test.beforeEach(async () => {
    stage.faults.rewriteBody('GET /api/agency', (told) =>
      JSON.stringify({ ...JSON.parse(told), standing: 'trial-ended' }),
    )
    await page.clock.install()
    await page.goto('/clients')
    await page.getByRole('button', { name: 'Add Your First Client' }).waitFor()
    await page.mouse.move(5, 5)
    await stopClock()
  })

  test('shows after 700 ms [9.24]', async () => {
    await page.getByTestId('button-new-client').hover()
    await page.clock.runFor(650)
    expect(await tooltip().count()).toBe(0)
    await page.clock.runFor(100)
    await tooltip().waitFor()
  })

  test('shows at once within 300 ms after another one [9.25]', async () => {
    await page.getByTestId('button-new-client').hover()
    await page.clock.runFor(750)
    await tooltip().waitFor()
    await page.mouse.move(600, 800)
    await page.clock.runFor(250)
    await page.getByRole('button', { name: 'Add Your First Client' }).hover()
    await tooltip().waitFor()
  })
})
