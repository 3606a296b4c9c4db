/** The calendar on a tablet in portrait: its posts are readable, and can be dragged by touch. */
import { expect, test, type Browser, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { brand, owner, type TestServer } from '../api/testing/server.ts'
import { clockKey, dayKey, todayKey } from '../web/lib/dates.ts'
import { monthOf, shiftMonth } from '../web/lib/month.ts'
import { instantAt } from '../web/lib/wall-clock.ts'
import { canBeDragged, closePages, shot, startProduct } from './browser.ts'
import { overflowOf } from './looks.ts'

const zone = 'Europe/Berlin'
const month = shiftMonth(monthOf(todayKey(zone)), 1)

let browser: Browser
let server: TestServer

test.beforeAll(async ({ browser: shared }) => {
  browser = shared
  server = await startProduct()
})
test.afterAll(async () => {
  await closePages(browser)
  await server.remove()
})

test("the calendar on a tablet shows each tile's full time, and a post dragged by touch moves to another day", async () => {
  const caller = await owner(server, zone)
  const { clientId, accountId } = await brand(caller)
  const { id } = await caller.callOrThrow('writePost', {
    params: { id: clientId },
    body: { socialAccountId: accountId, content: 'By finger' },
  })
  await caller.callOrThrow('changePost', {
    params: { id },
    body: { status: 'scheduled', scheduledFor: await instantAt(`${month}-10`, '12:30', zone) },
  })

  const { context, page } = await onTablet(caller)
  await page.clock.install()
  await page.goto(`/calendar?month=${month}`)
  const tile = page.locator(`[data-post-id="${id}"]`)
  await tile.waitFor()
  await shot(page, 'calendar-768')
  const time = tile.getByText('12:30 PM')
  expect(await time.isVisible()).toBe(true)
  expect(await tile.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true)
  expect(await page.getByRole('button', { name: /^1 post on / }).count()).toBe(0)

  await canBeDragged(tile)
  const target = page.getByTestId(`day-${month}-18`)
  await carryByFinger(page, await middle(tile), await middle(target))
  await page.getByText('Post rescheduled').waitFor()
  await target.locator(`[data-post-id="${id}"]`).waitFor()
  const { scheduledFor } = await caller.callOrThrow('getPost', { params: { id } })
  expect([dayKey(scheduledFor ?? '', zone), clockKey(scheduledFor ?? '', zone)]).toEqual([`${month}-18`, '12:30'])
  await context.close()
})

test('a week on a tablet shows the first words of each post [P10.12]', async () => {
  const caller = await owner(server, zone)
  const { clientId, accountId } = await brand(caller)
  await brand(caller)
  const content = 'Pears from our own orchard, pressed into cider by hand on the first cold days of October'
  const { id } = await caller.callOrThrow('writePost', {
    params: { id: clientId },
    body: { socialAccountId: accountId, content, scheduledFor: await instantAt(`${month}-10`, '12:30', zone) },
  })
  await caller.callOrThrow('changePost', { params: { id }, body: { status: 'scheduled' } })
  const { context, page } = await onTablet(caller)
  await page.goto(`/calendar?view=week&day=${month}-10`)
  const tile = page.locator(`[data-post-id="${id}"]`)
  const text = tile.getByTestId('tile-text')
  await text.waitFor({ state: 'visible' })
  await shot(page, 'calendar-week-768')
  const box = await text.boundingBox()
  expect(box?.height).toBeGreaterThan(24)
  expect(box?.width).toBeGreaterThan(50)
  expect(await tile.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true)
  expect(await overflowOf(page)).toBe(0)
  await context.close()
})

async function onTablet(caller: ApiClient) {
  const context = await browser.newContext({
    baseURL: server.url,
    hasTouch: true,
    isMobile: true,
    viewport: { width: 768, height: 1024 },
    timezoneId: zone,
  })
  const [name = '', value = ''] = caller.cookie.split(/=(.*)/s)
  await context.addCookies([{ name, value, url: server.url }])
  return { context, page: await context.newPage() }
}

interface Point {
  readonly x: number
  readonly y: number
}

async function middle(of: ReturnType<Page['locator']>): Promise<Point> {
  const box = await of.boundingBox()
  if (!box) throw new Error('It is not in sight')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Presses long enough to start a drag, then moves. */
async function carryByFinger(page: Page, from: Point, to: Point): Promise<void> {
  const hand = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Point) =>
    hand.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  // Chromium answers before the page's listeners ran: the clock must not move before they have set their timer.
  await page.evaluate(() =>
    addEventListener('touchstart', () => document.body.setAttribute('data-touched', ''), { once: true }),
  )
  await touch('touchStart', from)
  await page.locator('body[data-touched]').waitFor()
  await page.clock.runFor(300)
  for (const part of [0.2, 0.6, 1, 1])
    await touch('touchMove', { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part })
  await touch('touchEnd')
}
