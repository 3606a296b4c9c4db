/** Posting schedules: made with a preview, filled, paused, changed, a time that failed, and deleted. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { later, MovableClock } from '../api/core/clock.ts'
import { slotsWithin } from '../api/features/schedules/slots.ts'
import { brand, owner } from '../api/testing/server.ts'
import { startTestAi, type TestAi } from '../api/features/writer/test/fake-openai.ts'
import { clockKey, todayKey } from '../web/lib/dates.ts'
import { shiftDay } from '../web/lib/month.ts'
import { instantAt } from '../web/lib/wall-clock.ts'
import { phone } from './browser.ts'
import { holdsUp, looksRight } from './looks.ts'
import { becomes, button, openStage, toastIs, type Stage } from './screens/stage.ts'

const zone = 'Europe/Berlin'
let stage: Stage
let ai: TestAi
let caller: ApiClient
let page: Page
let mine: { readonly clientId: string; readonly accountId: string }

test.beforeAll(async ({ browser }) => {
  ai = await startTestAi()
  const clock = new MovableClock()
  // No time of these schedules is near, and the coming 168 hours have each seven times, also where clocks change.
  clock.advance(Date.parse(await instantAt(shiftDay(todayKey(zone), 1), '10:30', zone)) - Date.parse(clock.now()))
  stage = await openStage(browser, { env: ai.env, clock })
})
test.beforeEach(async () => {
  await page?.close()
  caller = await owner(stage.server)
  mine = await brand(caller)
  page = await stage.enter(caller)
})
test.afterAll(async () => {
  await stage.close()
  await ai.close()
})

const daily = { frequency: 'daily', preferredTimes: [{ day: 'every', time: '09:00' }] }
const add = (rules: object = {}) =>
  caller.callOrThrow('addSchedule', {
    params: { id: mine.clientId },
    body: { socialAccountId: mine.accountId, ...daily, ...rules },
  })
const posts = () => caller.callOrThrow('listPosts', { params: { id: mine.clientId } })
const filled = (count = 7) => becomes(async () => (await posts()).length, count)
const open = () => page.goto(`/clients/${mine.clientId}?tab=schedule`)
const states = (list = page.getByTestId('schedule-card')) =>
  list.getByTestId('slot').evaluateAll((slots) => slots.map((slot) => slot.getAttribute('data-state')))
const seven = (state: string) => Array.from({ length: 7 }, () => state)
const dialog = () => page.getByRole('dialog', { name: /Posting Schedule/ })
/** Refreshes until the list has these states, because the screen fetches nothing by itself. */
const refreshedTo = (state: (string | null)[]) =>
  becomes(async () => {
    // The button's name also contains the announced changes.
    await page
      .getByRole('button', { name: /^Refresh/ })
      .click({ timeout: 1_000 })
      .catch(() => {})
    return states()
  }, state)

test('a schedule is created with a live preview, and fills its times with posts for review', async () => {
  await open()
  await page.getByTestId('button-add-schedule').click()
  await dialog().waitFor()
  await becomes(() => states(dialog()), seven('free'))
  await dialog().getByText('Posts 3 times a week: Mon, Wed and Fri at 9:00 AM.').waitFor()
  await looksRight(page, 'schedule-new')

  await dialog()
    .getByRole('radio', { name: /^Daily/ })
    .check({ force: true })
  await dialog().getByRole('button', { name: 'Remove time 3' }).click()
  await dialog().getByRole('button', { name: 'Remove time 2' }).click()
  await dialog().getByLabel('Time 1', { exact: true }).fill('17:30')
  await dialog().getByText('Posts every day at 5:30 PM.').waitFor()
  await dialog().getByRole('textbox', { name: 'Topics' }).fill('Seasonal drinks')
  await page.keyboard.press('Enter')
  await dialog().getByRole('textbox', { name: 'Topics' }).fill('Behind the counter')
  await page.keyboard.press('Enter')
  await dialog().getByTestId('button-save-schedule').click()
  await toastIs(
    page,
    'default',
    'Posting schedule created',
    'Posts for the coming week are being written. They wait for your review.',
  )

  const card = page.getByTestId('schedule-card')
  await card.getByText('Posts every day at 5:30 PM').waitFor()
  await card.getByText('About Seasonal drinks and Behind the counter in turn').waitFor()
  await filled()
  await refreshedTo(seven('planned'))
  await holdsUp(page, 'schedule')

  await card.getByRole('link', { name: 'Waiting for review' }).first().click()
  await page.getByTestId('post-card').first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/content')
  await page.getByTestId('from-schedule').first().waitFor()
})

test('the form shows errors beside their fields, and keeps the input', async () => {
  await open()
  await page.getByTestId('button-add-schedule').click()
  await dialog().getByLabel('Posts per week', { exact: true }).fill('5')
  await dialog().getByText('The times allow only 3 posts a week. Add more times for 5.').waitFor()
  await dialog().getByLabel('Posts per week', { exact: true }).fill('0')
  for (const number of [3, 2, 1])
    await dialog()
      .getByRole('button', { name: `Remove time ${number}` })
      .click()
  await dialog().getByTestId('button-save-schedule').click()
  await dialog().getByText('Enter a number from 1 to 50').waitFor()
  await dialog().getByText('Add at least one time').waitFor()
  await looksRight(page, 'schedule-errors')
  // Another user creates a schedule first.
  await add()
  await dialog().getByLabel('Posts per week', { exact: true }).fill('2')
  await dialog().getByTestId('button-add-time').click()
  await dialog().getByTestId('button-save-schedule').click()
  await dialog().getByText('This account has a posting schedule already.').waitFor()
  await filled()
})

test('a schedule is paused and resumed', async () => {
  await add()
  await filled()
  await open()
  await page.getByTestId('button-pause-schedule').click()
  await toastIs(
    page,
    'default',
    'Posting schedule paused',
    'Its posts stay. Nothing new is written until you resume the schedule.',
  )
  await page.getByTestId('schedule-card').getByText('Paused').waitFor()
  expect(await posts()).toHaveLength(7)
  // By keyboard: the focus has stayed on the button.
  await becomes(
    () => page.evaluate(() => document.activeElement?.getAttribute('data-testid')),
    'button-resume-schedule',
  )
  await page.keyboard.press('Enter')
  await toastIs(page, 'default', 'Posting schedule resumed', 'Posts for the coming week are being written.')
  await page.getByTestId('schedule-card').getByText('Active').waitFor()
})

test('a changed schedule replaces its posts, except reviewed ones', async () => {
  await add()
  await filled()
  const before = await posts()
  const approved = before[0]?.id ?? ''
  await caller.callOrThrow('changePost', { params: { id: approved }, body: { status: 'approved' } })
  await open()
  await page.getByTestId('button-edit-schedule').click()
  await dialog().getByText('are written anew').waitFor()
  await dialog().getByLabel('Time 1', { exact: true }).fill('12:15')
  await dialog().getByTestId('button-save-schedule').click()
  await toastIs(
    page,
    'default',
    'Posting schedule changed',
    'Posts for the coming week are being written. They wait for your review.',
  )
  await filled(8)
  await becomes(
    async () => (await posts()).filter(({ id }) => before.some((post) => post.id === id)).map(({ id }) => id),
    [approved],
  )
  await refreshedTo(seven('planned'))
})

test('a schedule changed while paused keeps its posts until it is resumed, and says so', async () => {
  const { id } = await add()
  await filled()
  const before = (await posts()).map((post) => post.id)
  await caller.callOrThrow('changeSchedule', { params: { id }, body: { isActive: false } })
  await open()
  await page.getByTestId('button-edit-schedule').click()
  await dialog()
    .getByText('The schedule is paused: untouched posts stay, and are written anew once you resume the schedule.')
    .waitFor()
  await dialog().getByLabel('Time 1', { exact: true }).fill('12:15')
  await dialog().getByTestId('button-save-schedule').click()
  await toastIs(
    page,
    'default',
    'Posting schedule changed',
    'The schedule is paused. Posts by the new rules are written once you resume the schedule.',
  )
  expect((await posts()).map((post) => post.id)).toEqual(before)
  await page.getByTestId('button-resume-schedule').click()
  await becomes(async () => (await posts()).filter((post) => before.includes(post.id)).length, 0)
  await filled()
})

test('a concurrent change is shown before it can be overwritten, and the input stays', async () => {
  const { id } = await add()
  await open()
  await page.getByTestId('button-edit-schedule').click()
  await dialog().getByLabel('Time 1', { exact: true }).fill('12:15')
  await caller.callOrThrow('changeSchedule', {
    params: { id },
    body: { preferredTimes: [{ day: 'every', time: '07:30' }] },
  })
  await dialog().getByTestId('button-save-schedule').click()
  await dialog().getByText('Somebody changed this meanwhile.').waitFor()
  await dialog().getByRole('region', { name: 'The current schedule' }).getByText('Posts every day at 7:30 AM').waitFor()
  expect(await dialog().getByLabel('Time 1', { exact: true }).inputValue()).toBe('12:15')
  await looksRight(page, 'schedule-overtaken')
  await dialog().getByRole('button', { name: 'Save mine instead' }).click()
  await dialog().waitFor({ state: 'detached' })
  expect((await caller.callOrThrow('listSchedules', { params: { id: mine.clientId } }))[0]?.preferredTimes).toEqual([
    { day: 'every', time: '12:15' },
  ])
  // The next test's answer of the AI is for its own request.
  await becomes(
    async () => (await posts()).map(({ scheduledFor }) => clockKey(scheduledFor ?? '', zone)),
    Array.from({ length: 7 }, () => '12:15'),
  )
})

test('a schedule shows why a post could not be written, and retries on request', async () => {
  // Applies to the first request: a declined text is not requested again.
  ai.next({ does: 'refuse' })
  await add({ frequency: 'custom', preferredTimes: [{ day: 3, time: '09:00' }] })
  await becomes(
    async () => (await caller.callOrThrow('listSchedules', { params: { id: mine.clientId } }))[0]?.slots[0]?.state,
    'failed',
  )
  // A failed time is retried automatically a minute later. The look at the screen may take longer.
  stage.server.clock.advance(-4 * 60_000)
  await open()
  const failed = page.getByTestId('failed-slot')
  await failed.getByText('The AI declined to write this').waitFor()
  await holdsUp(page, 'schedule-failed')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await toastIs(page, 'default', 'Trying again', 'The post of this time is being written.')
  await filled(1)
  await refreshedTo(['planned', ...seven('free').slice(1)])
  expect(await failed.count()).toBe(0)
})

test('a schedule shows all failed times of a week, also beyond the seventh, and retries them all at once', async () => {
  const { id } = await add({ frequency: 'custom', preferredTimes: [{ day: 3, time: '09:00' }] })
  await filled(1)
  await caller.callOrThrow('changeSchedule', { params: { id }, body: { isActive: false } })
  const three = ['08:00', '12:00', '17:00'].map((time) => ({ day: 'every' as const, time }))
  const { revision, ...rules } = await caller.callOrThrow('changeSchedule', {
    params: { id },
    body: { frequency: 'daily', preferredTimes: three },
  })
  const { id: agencyId } = await caller.callOrThrow('getAgency')
  const now = stage.server.clock.now()
  const week = slotsWithin(rules, now, later(now, 7 * 86_400_000), zone)
  for (const [index, { at: slot }] of week.entries()) {
    const cause = index < 19 ? 'The AI declined to write this.' : 'The AI service took too long.'
    await stage.server.commands.client(
      mine.clientId,
      { type: 'RecordPlanningFailed', scheduleId: id, revision, slot, cause },
      { actor: { type: 'process', id: 'planner' }, agencyId, correlationId: 'failing' },
    )
  }
  await caller.callOrThrow('changeSchedule', { params: { id }, body: { isActive: true } })
  await open()
  const failed = page.getByTestId('failed-slot')
  const declined = failed.filter({ hasText: 'The AI declined to write this.' })
  await declined.getByText('19 times:').waitFor()
  // They are retried automatically a minute after the planner saw them.
  stage.server.clock.advance(-4 * 60_000)
  expect(await declined.getByRole('listitem').count()).toBe(19)
  await holdsUp(page, 'schedule-failed-many')
  await page.getByRole('button', { name: 'Try All 21 Again' }).click()
  await toastIs(page, 'default', 'Trying again', 'The posts of these 21 times are being written.')
  await filled(21)
  await refreshedTo(seven('planned'))
  expect(await failed.count()).toBe(0)
})

test('a time whose post was deleted or moved says so', async () => {
  await add()
  await filled()
  const [first, second] = (await posts()).toSorted((a, b) => (a.scheduledFor ?? '').localeCompare(b.scheduledFor ?? ''))
  await caller.callOrThrow('deletePost', { params: { id: first?.id ?? '' } })
  await caller.callOrThrow('changePost', { params: { id: second?.id ?? '' }, body: { status: 'approved' } })
  await caller.callOrThrow('changePost', {
    params: { id: second?.id ?? '' },
    body: { scheduledFor: later(second?.scheduledFor ?? '', 3_600_000) },
  })
  await open()
  const slots = page.getByTestId('slot')
  await slots.nth(0).getByText('Deleted', { exact: true }).waitFor()
  await slots
    .nth(1)
    .getByRole('link', { name: /^Moved to .* at 10:00 AM$/ })
    .waitFor()
  expect(await page.getByText('Not written yet').count()).toBe(0)
  await holdsUp(page, 'schedule-moved')
})

test('a schedule is deleted with its unreviewed posts, on a phone', async () => {
  await add()
  await filled()
  await page.setViewportSize(phone)
  await open()
  await page.getByTestId('button-delete-schedule').click()
  const asking = page.getByRole('alertdialog', { name: 'Delete the posting schedule of Blue Cup and its 7 posts?' })
  await asking.waitFor()
  await looksRight(page, 'schedule-delete')
  await button(page, 'Delete').last().click()
  await toastIs(
    page,
    'default',
    'Posting schedule deleted',
    'No posts are written for Blue Cup automatically any more.',
  )
  await page.getByTestId('button-add-schedule').waitFor()
  await filled(0)
})

test('a client without an account gets a link to add one in place of a schedule', async () => {
  const { id } = await caller.callOrThrow('addClient', { body: { name: 'Empty' } })
  await page.goto(`/clients/${id}?tab=schedule`)
  await page.getByText('No accounts to post on yet').waitFor()
  await looksRight(page, 'schedule-empty')
  await page.getByRole('link', { name: 'Add a social account' }).click()
  await page.getByTestId('button-add-account').first().waitFor()
})
