/** The calendar: its month, each post's cell and colour, and dragging a post to another day. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import { connect } from '../../api/http/client.ts'
import type { Platform } from '../../api/contract/index.ts'
import { jpeg } from '../../api/features/media/test/helpers.ts'
import { brand, owner } from '../../api/testing/server.ts'
import { dayKey, formatDateTime, formatMonth, todayKey } from '../../web/lib/dates.ts'
import { monthOf, shiftMonth, weeksOf } from '../../web/lib/month.ts'
import { instantAt } from '../../web/lib/wall-clock.ts'
import { dragTo } from '../browser.ts'
import { looksRight } from '../looks.ts'
import { publish, write } from './posts.ts'
import { becomes, button, listen, openStage, requestsArrive, toastIs, type Stage } from './stage.ts'

const zone = 'Europe/Berlin'
const month = shiftMonth(monthOf(todayKey(zone)), 1)
const day = (number: number) => `${month}-${String(number).padStart(2, '0')}`
const platforms = ['facebook', 'instagram', 'twitter', 'linkedin'] as const

let stage: Stage
let caller: ApiClient
let page: Page
let clientId: string
let published: string
const ids = new Map<Platform, string>()

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server, zone)
  const first = await brand(caller)
  clientId = first.clientId
  published = await publish(stage.server, caller, { ...first, content: 'It is out' })
  const { url: imageUrl } = await caller.callOrThrow('uploadImage', {
    body: new Blob([Uint8Array.from(jpeg(1080, 1080))], { type: 'image/jpeg' }),
  })
  for (const platform of platforms) {
    const account = await caller.callOrThrow('addSocialAccount', {
      params: { id: clientId },
      body: { platform, accountName: `Cup ${platform}` },
    })
    await connect(caller, account.id)
    const scheduledFor = await instantAt(day(10), '15:00', zone)
    const wanted = { clientId, accountId: account.id, content: `On ${platform}`, scheduledFor, imageUrl }
    ids.set(platform, await write(caller, { ...wanted, status: 'approved' }))
    if (platform === 'facebook') await write(caller, { ...wanted, content: 'Not yet', status: 'pending' })
  }
  const other = await caller.callOrThrow('addClient', { body: { name: 'Fjord' } })
  const account = await caller.callOrThrow('addSocialAccount', {
    params: { id: other.id },
    body: { platform: 'linkedin', accountName: 'Fjord' },
  })
  await connect(caller, account.id)
  const scheduledFor = await instantAt(day(12), '09:00', zone)
  await caller.callOrThrow('changePost', {
    params: {
      id: await write(caller, { clientId: other.id, accountId: account.id, content: 'Of Fjord', scheduledFor }),
    },
    body: { status: 'scheduled', scheduledFor },
  })
  page = await stage.enter(caller)
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

const open = async (query = `?month=${month}`) => {
  await page.goto(`/calendar${query}`)
  await page.getByTestId('calendar-grid').waitFor()
}
const tile = (platform: Platform) => page.locator(`[data-post-id="${ids.get(platform)}"]`)
const cell = (key: string) => page.getByTestId(`day-${key}`)
const title = () => page.getByTestId('text-month').textContent()

test.describe('the month', () => {
  test.describe.configure({ mode: 'serial' })
  test('is the current one at first, and has a title [2.93]', async () => {
    await open('')
    expect(await title()).toBe(formatMonth(monthOf(todayKey(zone))))
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Content Calendar')
  })

  test('changes with Next month, Previous month and Today [2.92]', async () => {
    await button(page, 'Next month').click()
    await becomes(title, formatMonth(month))
    await button(page, 'Next month').click()
    await becomes(title, formatMonth(shiftMonth(month, 1)))
    await button(page, 'Previous month').click()
    await becomes(title, formatMonth(month))
    await button(page, 'Today').click()
    await becomes(title, formatMonth(monthOf(todayKey(zone))))
  })

  test('is a grid of 7 columns that starts on Sunday [2.94]', async () => {
    await open()
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'Sun',
      'Mon',
      'Tue',
      'Wed',
      'Thu',
      'Fri',
      'Sat',
    ])
    const days = await page
      .locator('[data-testid=calendar-grid] td')
      .evaluateAll((all) => all.map((each) => each.getAttribute('data-testid')))
    expect(days).toEqual(
      weeksOf(month)
        .flat()
        .map((key) => `day-${key}`),
    )
  })
})

test.describe('a post', () => {
  test.describe.configure({ mode: 'serial' })
  test('stands in the cell of its day with its time, whether approved or scheduled [2.95]', async () => {
    await cell(day(10)).getByTestId('calendar-post').first().waitFor()
    for (const platform of platforms) {
      expect(
        await cell(day(10))
          .locator(`[data-post-id="${ids.get(platform)}"]`)
          .textContent(),
      ).toContain('3:00 PM')
    }
    expect(await cell(day(12)).getByTestId('calendar-post').getAttribute('data-status')).toBe('scheduled')
    await looksRight(page, 'calendar')
  })

  test('that is still waiting for review is not shown [2.96]', async () => {
    expect(await page.getByText('Not yet').count()).toBe(0)
    expect(await cell(day(10)).getByTestId('calendar-post').count()).toBe(platforms.length)
  })

  for (const [platform, color] of [
    ['facebook', 'rgb(24, 119, 242)'],
    ['instagram', 'rgb(228, 64, 95)'],
    ['twitter', 'rgb(29, 161, 242)'],
    ['linkedin', 'rgb(10, 102, 194)'],
  ] as const)
    test(`on ${platform} has its colour, ${color} [2.97, 9.16]`, async () => {
      expect(
        await tile(platform)
          .locator('span')
          .first()
          .evaluate((bar) => getComputedStyle(bar).backgroundColor),
      ).toBe(color)
    })

  test('opens as Post Details with network, time and text [2.98]', async () => {
    await tile('linkedin').click()
    const dialog = page.getByRole('dialog', { name: 'Post Details' })
    await dialog.getByRole('definition').first().waitFor()
    const facts = await dialog.getByRole('definition').allTextContents()
    expect(facts).toContain('LinkedIn')
    expect(facts).toContain(formatDateTime(await instantAt(day(10), '15:00', zone), zone))
    expect(facts.join()).toMatch(/[A-Z][a-z]{2} 10, \d{4} at 3:00 PM/)
    expect(await dialog.getByTestId('preview-content').textContent()).toBe('On linkedin')
    await looksRight(page, 'calendar-details')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('the legend names the four networks [2.102]', async () => {
    expect(await page.getByTestId('calendar-legend').getByRole('listitem').allTextContents()).toEqual([
      'Facebook',
      'Instagram',
      'Twitter',
      'LinkedIn',
    ])
  })

  test('is shown only for the client chosen in the selector [2.91]', async () => {
    expect(await page.getByTestId('select-client').textContent()).toBe('All Clients')
    await page.getByTestId('select-client').click()
    await becomes(() => page.getByRole('option').allTextContents(), ['All Clients', 'Blue Cup', 'Fjord'])
    await page.getByRole('option', { name: 'Fjord' }).click()
    await cell(day(12)).getByTestId('calendar-post').waitFor()
    await becomes(() => page.getByTestId('calendar-post').count(), 1)
  })
})

test.describe('dragging a post', () => {
  test('to another day moves it there, keeps its time of day, and changes only scheduledFor [2.99, 4.9, 7.21, 8.33]', async () => {
    await open()
    const id = ids.get('facebook') ?? ''
    const before = await caller.callOrThrow('getPost', { params: { id } })
    const sent = listen(page, `PATCH /api/posts/${id}`)
    await dragTo(tile('facebook'), cell(day(20)))
    await toastIs(page, 'default', 'Post rescheduled', 'Post schedule has been updated.')
    const scheduledFor = await instantAt(day(20), '15:00', zone)
    expect(sent).toEqual([{ scheduledFor }])
    expect(await cell(day(20)).locator(`[data-post-id="${id}"]`).textContent()).toContain('3:00 PM')
    const { updatedAt: _, revision: __, ...after } = await caller.callOrThrow('getPost', { params: { id } })
    const { updatedAt: ___, revision: ____, ...rest } = before
    expect(after).toEqual({ ...rest, scheduledFor })
  })

  test('does not move a published one [2.100]', async () => {
    const { publishedAt } = await caller.callOrThrow('getPost', { params: { id: published } })
    await open('')
    const out = page.locator(`[data-post-id="${published}"]`)
    const sent = listen(page, `PATCH /api/posts/${published}`)
    const days = weeksOf(monthOf(todayKey(zone))).flat()
    await dragTo(out, cell(days.at(-1) ?? ''))
    await requestsArrive(page)
    expect(sent).toEqual([])
    expect(
      await cell(dayKey(publishedAt ?? '', zone))
        .locator(`[data-post-id="${published}"]`)
        .count(),
    ).toBe(1)
  })
})

test.describe('loading and errors', () => {
  test('a month looks right while it loads, when it could not be loaded, and when it is empty [2.104]', async () => {
    const release = stage.faults.hold('GET /api/calendar')
    await open('')
    await becomes(() => page.getByTestId('calendar-grid').getAttribute('aria-busy'), 'true')
    await looksRight(page, 'calendar-loading')
    release()
    await becomes(() => page.getByTestId('calendar-grid').getAttribute('aria-busy'), 'false')
    stage.faults.cut('GET /api/calendar')
    await page.reload()
    await page.getByText('The calendar could not be loaded').waitFor()
    await looksRight(page, 'calendar-error')
    stage.faults.mend()
    await button(page, 'Try again').click()
    await page.getByTestId('calendar-grid').waitFor()
    await open(`?month=${shiftMonth(month, 3)}`)
    await looksRight(page, 'calendar-empty')
  })
})
