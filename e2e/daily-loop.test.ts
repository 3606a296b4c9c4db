/** The screens and dialogs of the daily loop: axe finds nothing in light, in dark and on a phone, and all fits. */
import { test, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { later } from '../api/core/clock.ts'
import { brand, owner } from '../api/testing/server.ts'
import { todayKey } from '../web/lib/dates.ts'
import { monthOf, shiftMonth } from '../web/lib/month.ts'
import { instantAt } from '../web/lib/wall-clock.ts'
import { desktop } from './browser.ts'
import { holdsUp } from './looks.ts'
import { publish, write } from './screens/posts.ts'
import { becomes, openStage, type Stage } from './screens/stage.ts'

const zone = 'Europe/Berlin'
const month = shiftMonth(monthOf(todayKey(zone)), 1)
const day = (number: number) => `${month}-${String(number).padStart(2, '0')}`
const longText = `Our autumn menu is here: pumpkin soup, ${'roasted chestnuts and '.repeat(30)}cake.`
/** One more than are approved at once without a question. */
const waiting = 21

let stage: Stage
let caller: ApiClient
let page: Page
let mine: { readonly clientId: string; readonly accountId: string }
let postId: string

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server, zone)
  mine = await brand(caller)
  const other = await brand(caller, 'linkedin')
  for (const platform of ['instagram', 'twitter', 'linkedin'] as const)
    await caller.callOrThrow('addSocialAccount', {
      params: { id: mine.clientId },
      body: { platform, accountName: `Blue Cup ${platform}` },
    })
  await plan(mine, 10, '09:00', 'First of the day', 'approved')
  await plan(other, 10, '09:30', 'Second of the day', 'scheduled')
  await plan(mine, 10, '11:00', 'A draft for the day', 'draft')
  await plan(other, 11, '18:00', 'To be reviewed first', 'pending')
  postId = await plan(mine, 12, '09:00', longText, 'approved')
  for (let at = 0; at < waiting; at++) await write(caller, { ...mine, content: `Waiting ${at}`, status: 'pending' })
  await write(caller, {
    ...mine,
    content: 'Fresh coffee',
    status: 'scheduled',
    scheduledFor: later(stage.server.clock.now(), 3 * 24 * 3_600_000),
  })
  await publish(stage.server, caller, { ...mine, content: longText })
  stage.server.clock.advance(3_600_000)
  await becomes(
    async () =>
      (
        JSON.parse((await caller.ask('listAnalyticsPosts', { query: {} })).text) as readonly {
          readonly readings: readonly unknown[]
        }[]
      ).reduce((all, { readings }) => all + readings.length, 0),
    1,
  )
  await caller.callOrThrow('seedAnalytics')
  page = await stage.enter(caller, { preloads: true })
})
test.beforeEach(() => page.setViewportSize(desktop))
test.afterAll(() => stage.close())

async function plan(
  of: typeof mine,
  date: number,
  time: string,
  content: string,
  status: 'draft' | 'pending' | 'approved' | 'scheduled',
): Promise<string> {
  return write(caller, { ...of, content, status, scheduledFor: await instantAt(day(date), time, zone) })
}

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name }).or(page.getByRole('alertdialog', { name }))

for (const view of ['week', 'list'] as const)
  test(`the calendar's ${view} with drafts and pending posts holds up [P18.8]`, async () => {
    await page.goto(`/calendar?month=${month}&day=${day(10)}&view=${view}&client=all`)
    await page.getByTestId('calendar-post').first().waitFor()
    await page.getByTestId('toggle-drafts').check()
    await page.getByTestId('calendar-post').filter({ hasText: 'A draft for' }).waitFor()
    await holdsUp(page, `loop-calendar-${view}`)
  })

test('Analytics of a period holds up [P18.8]', async () => {
  await page.goto('/analytics?period=30d')
  await page.getByTestId('analytics-posts').getByRole('row').nth(1).waitFor()
  await holdsUp(page, 'loop-analytics')
})

test("a post's own address and its act to publish now hold up [P18.8]", async () => {
  await page.goto(`/content/${postId}`)
  await dialog('Post Preview').getByText('Our autumn menu').first().waitFor()
  await holdsUp(page, 'loop-post')
  await page.getByTestId('button-publish-now').click()
  await page.getByTestId('button-confirm-publish-now').waitFor()
  await holdsUp(page, 'loop-publish-now')
})

test('the composer with a duplicate for several accounts holds up [P18.8]', async () => {
  await page.goto(`/content/${postId}`)
  await page.getByTestId('button-duplicate-post').last().click()
  const composer = dialog('New Post')
  await composer.waitFor()
  for (const name of ['Blue Cup twitter · X (Twitter)', 'Blue Cup linkedin · LinkedIn'])
    await composer.getByTestId('other-accounts').getByText(name).click()
  await holdsUp(page, 'loop-composer')
})

test('the question before many posts are approved holds up [P18.8]', async () => {
  await page.goto(`/content?client=${mine.clientId}&tab=pending`)
  await page.getByTestId('checkbox-all').click()
  await page.getByTestId('button-approve-selected').click()
  await page.getByTestId('button-approve-many').waitFor()
  await holdsUp(page, 'loop-approve-many')
})

test("the import's choice of columns holds up [P18.8]", async () => {
  await page.goto(`/clients/${mine.clientId}?tab=posts`)
  await page.getByTestId('button-import-posts').click()
  await page.locator('input[type=file]').setInputFiles({
    name: 'march.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Notes,Copy,Where,A column with a long name\nfor Ada,${longText},facebook,x`),
  })
  await page.getByTestId('button-check-rows').waitFor()
  await holdsUp(page, 'loop-import')
})
