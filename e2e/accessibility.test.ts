/** The calendar by keyboard, dialogs that scroll, the palette, and the layout of the audit while it loads. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { brand, owner } from '../api/testing/server.ts'
import { todayKey } from '../web/lib/dates.ts'
import { monthOf, shiftDay, shiftMonth, sundayOf } from '../web/lib/month.ts'
import { instantAt } from '../web/lib/wall-clock.ts'
import { desktop, phone } from './browser.ts'
import { holdsUp, overflowOf, violationsOf } from './looks.ts'
import { write } from './screens/posts.ts'
import { becomes, openStage, type Stage } from './screens/stage.ts'

const zone = 'Europe/Berlin'
const month = shiftMonth(monthOf(todayKey(zone)), 1)
const day = (number: number) => `${month}-${String(number).padStart(2, '0')}`

let stage: Stage
let caller: ApiClient
let page: Page
let mine: { readonly clientId: string; readonly accountId: string }

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server, zone)
  mine = await brand(caller)
  await plan(10, '09:00', 'First of the day')
  await plan(10, '11:00', 'Second of the day')
  await plan(12, '09:00', 'A long text. '.repeat(150))
  page = await stage.enter(caller)
})
test.afterAll(() => stage.close())

async function plan(date: number, time: string, content: string): Promise<void> {
  const scheduledFor = await instantAt(day(date), time, zone)
  await write(caller, { ...mine, content, scheduledFor, status: 'approved' })
}

const focused = () =>
  page.evaluate(() => {
    const at = document.activeElement
    return [at?.closest('td')?.getAttribute('data-day') ?? null, at?.textContent?.match(/(First|Second|A long)/)?.[0]]
  })
/** @param text of the post, where the day has one for certain */
const focusIs = (date: string, text?: string) =>
  becomes(
    async () => (await focused()).slice(0, text === undefined ? 1 : 2),
    text === undefined ? [date] : [date, text],
  )
const press = (...keys: readonly string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
const tile = (text: string): Locator => page.getByTestId('calendar-post').filter({ hasText: text })

test.describe('the calendar by keyboard', () => {
  test.beforeEach(async () => {
    await page.setViewportSize(desktop)
    await page.goto(`/calendar?month=${month}`)
    await tile('First').waitFor()
  })

  test('is one tab stop, and arrow keys lead through days and posts [P18.1]', async () => {
    const stops = () => page.getByTestId('calendar-grid').locator('[tabindex="0"]:visible').count()
    expect(await stops()).toBe(1)
    await tile('First').focus()
    expect(await stops()).toBe(1)
    await press('ArrowDown')
    await focusIs(day(10), 'Second')
    await press('ArrowRight')
    await focusIs(day(11))
    await press('ArrowRight')
    await focusIs(day(12), 'A long')
    await press('ArrowDown')
    await focusIs(shiftDay(day(12), 7))
    await press('ArrowUp', 'Home')
    await focusIs(sundayOf(day(12)))
    await press('End')
    await focusIs(shiftDay(sundayOf(day(12)), 6))
    await press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('table') === null)).toBe(true)
    await press('Shift+Tab')
    await focusIs(shiftDay(sundayOf(day(12)), 6))
  })

  test('is entered by the left and right arrow keys where nothing has the focus [P18.7]', async () => {
    await press('ArrowRight')
    await becomes(async () => (await focused())[0] !== null, true)
  })

  test('turns its page by Page Up and Page Down, and keeps the date [P18.2]', async () => {
    await tile('First').focus()
    await press('PageDown')
    await focusIs(`${shiftMonth(month, 1)}-10`)
    await press('PageUp')
    await focusIs(day(10), 'First')
  })

  test('opens a post by Enter, and the menu of a day by Shift and Enter [P18.3]', async () => {
    await tile('First').focus()
    await press('Enter')
    await page.getByRole('dialog', { name: 'Post Details' }).waitFor()
    await press('Escape')
    await focusIs(day(10), 'First')
    await press('Shift+Enter')
    const dayDialog = page.getByRole('dialog')
    await becomes(() => dayDialog.getByTestId('calendar-post').count(), 2)
    await page.setViewportSize(desktop)
    expect(await violationsOf(page, 'day')).toEqual([])
    await dayDialog.getByTestId('button-new-post-on-day').click()
    await page.getByRole('dialog', { name: 'New Post' }).waitFor()
  })
})

test('axe finds nothing in post details whose text scrolls [P18.4]', async () => {
  for (const viewport of [desktop, { width: 1440, height: 500 }, phone]) {
    await page.setViewportSize(viewport)
    await page.goto(`/calendar?month=${month}&view=list`)
    await tile('A long').click()
    await page.getByRole('dialog', { name: 'Post Details' }).getByTestId('preview-content').waitFor()
    await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await violationsOf(page, `details ${viewport.width} ${viewport.height}`)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  }
})

test('axe finds nothing in the palette and in the choice of the theme [P18.5]', async () => {
  for (const name of ['Second', 'Third', 'Fourth', 'Fifth']) await caller.callOrThrow('addClient', { body: { name } })
  await page.setViewportSize(desktop)
  await page.goto('/clients')
  await page.getByTestId('client-card').first().waitFor()
  await press('Control+k')
  await page.getByTestId('palette-input').waitFor()
  // More entries than fit, before anything is typed.
  const list = page.getByTestId('palette').getByRole('listbox')
  await becomes(() => list.evaluate((at) => at.scrollHeight > at.clientHeight), true)
  await holdsUp(page, 'palette with five clients')
  await press('f', 'i', 'r', 's', 't')
  await page.getByTestId('palette-post').waitFor()
  await holdsUp(page, 'palette')
  await press('Escape')
  await page.getByTestId('button-theme').click()
  await page.getByRole('radio', { name: 'System' }).waitFor()
  await holdsUp(page, 'theme')
})

/** The sum of the layout shifts that no input caused, as the browser reports them. */
const shiftOf = (on: Page): Promise<number> =>
  on.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value = 0, hadRecentInput = false } = entry as PerformanceEntry & {
              readonly value?: number
              readonly hadRecentInput?: boolean
            }
            if (!hadRecentInput) sum += value
          }
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 500)
      }),
  )

for (const viewport of [desktop, phone])
  test(`the audit moves by less than 0.05 while it loads, ${viewport.width} px wide [P18.6]`, async () => {
    const fresh = await stage.enter(caller, { viewport })
    // One reply after the other, so that each can move the others.
    await fresh.route('**/api/audit**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue()
    })
    await fresh.goto('/audit')
    await fresh.getByTestId('audit-post').first().waitFor()
    expect(await shiftOf(fresh)).toBeLessThan(0.05)
  })

for (const viewport of [desktop, phone])
  test(`the dashboard moves by less than 0.05 while it loads, ${viewport.width} px wide [P18.10]`, async () => {
    for (const content of ['Review one', 'Review two', 'Review three'])
      await write(caller, { ...mine, content, status: 'pending' })
    const fresh = await stage.enter(caller, { viewport })
    await fresh.goto('/')
    await fresh.getByText('Review one').first().waitFor()
    await fresh.getByTestId('client-card').first().waitFor()
    expect(await shiftOf(fresh)).toBeLessThan(0.05)
  })
