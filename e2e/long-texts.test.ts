/** Long texts: lists load only their beginning; previews, editors and reviews load the whole text first. */
import { expect, test, type Page } from '@playwright/test'
import { person } from '../api/features/auth/test/helpers.ts'
import type { ApiClient } from '../api/http/client.ts'
import { later } from '../api/core/clock.ts'
import { brand, owner } from '../api/testing/server.ts'
import { dayKey } from '../web/lib/dates.ts'
import { phone } from './browser.ts'
import { holdsUp, looksRight } from './looks.ts'
import { write } from './screens/posts.ts'
import { becomes, button, openStage, toastIs, type Stage } from './screens/stage.ts'

const story = (name: string) =>
  `${name} begins. ${Array.from({ length: 60 }, (_, at) => `Sentence number ${at} about coffee.`).join(' ')} ${name} ends.`

let stage: Stage
let caller: ApiClient
let page: Page
let mine: { readonly clientId: string; readonly accountId: string }

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server)
  mine = await brand(caller)
  page = await stage.enter(caller)
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

const card = (id: string) => page.locator(`[data-post-id="${id}"]`)
const open = async (tab: string, id: string) => {
  await page.goto(`/content?client=${mine.clientId}&tab=${tab}`)
  await card(id).waitFor()
}
const preview = () => page.getByRole('dialog', { name: 'Post Preview' })
const edit = () => page.getByRole('dialog', { name: 'Edit Post' })
const lists = async () => {
  const { text } = await caller.ask('listPosts', { params: { id: mine.clientId }, query: { view: 'card' } })
  return text
}

test.describe('A long text', () => {
  let id = ''
  test.beforeAll(async () => {
    id = await write(caller, { ...mine, content: story('The tale') })
  })

  test('shows only its beginning on its card, and the list does not load the rest', async () => {
    await open('draft', id)
    expect(await card(id).getByTestId('post-content').textContent()).toMatch(/^The tale begins\. .*…$/)
    expect(await lists()).not.toContain('The tale ends.')
  })

  test('loads while its preview opens, with a placeholder and disabled buttons until then', async () => {
    await open('draft', id)
    const release = stage.faults.hold(`GET /api/posts/${id}`)
    await card(id).getByTestId('button-preview').click()
    await preview().getByTestId('preview-loading').waitFor()
    expect(await preview().getByTestId('button-schedule-post').isDisabled()).toBe(true)
    await looksRight(page, 'preview-loading')
    release()
    await preview().getByRole('button', { name: 'more' }).click()
    await becomes(() => preview().getByTestId('preview-content').textContent(), story('The tale'))
    expect(await preview().getByTestId('button-schedule-post').isEnabled()).toBe(true)
    await looksRight(page, 'preview-whole')
  })

  test('that can not be loaded shows an error in the dialog, and can be loaded again', async () => {
    await open('draft', id)
    stage.faults.cut(`GET /api/posts/${id}`)
    await card(id).getByTestId('button-preview').click()
    await preview().getByText('The text could not be loaded').waitFor()
    await looksRight(page, 'preview-error')
    stage.faults.mend()
    await button(page, 'Try again').click()
    await preview().getByTestId('preview-content').waitFor()
  })

  test("is edited completely, and another tab's text saved meanwhile is shown completely", async () => {
    await open('draft', id)
    const release = stage.faults.hold(`GET /api/posts/${id}`)
    await card(id).getByTestId('button-edit').click()
    await edit().getByTestId('editor-loading').waitFor()
    expect(await edit().getByTestId('button-save-post').isDisabled()).toBe(true)
    await looksRight(page, 'editor-loading')
    release()
    const content = edit().getByLabel('Content')
    await becomes(() => content.inputValue(), story('The tale'))
    await content.fill(story('My tale'))
    await caller.callOrThrow('changePost', { params: { id }, body: { content: story('Their tale') } })
    await edit().getByTestId('button-save-post').click()
    await edit().getByLabel('The current version of the post').getByText('Their tale ends.').waitFor()
    expect(await content.inputValue()).toBe(story('My tale'))
    await button(page, 'Save mine instead').click()
    await toastIs(page, 'default', 'Post updated', 'Post content has been updated successfully.')
    expect((await caller.callOrThrow('getPost', { params: { id } })).content).toBe(story('My tale'))
  })

  test('over the limit shows an error at its field, and can not be saved', async () => {
    await open('draft', id)
    await card(id).getByTestId('button-edit').click()
    await edit().getByLabel('Content').fill('x'.repeat(65_001))
    await edit()
      .getByText('A text for Facebook can have at most 65,000 characters here. This one has 65,001.')
      .waitFor()
    expect(await edit().getByTestId('button-save-post').isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await button(page, 'Discard').click()
    await edit().waitFor({ state: 'detached' })
  })
})

test.describe('A review', () => {
  test('shows the whole text of the current post, and refuses to approve a post of which only the beginning was loaded [S68]', async () => {
    const [id = '', other = ''] = [
      await write(caller, { ...mine, content: story('To be judged'), status: 'pending' }),
      await write(caller, { ...mine, content: 'A short one', status: 'pending' }),
    ]
    await open('pending', id)
    stage.faults.cut(`GET /api/posts/${id}`)
    await page.getByTestId('checkbox-all').check()
    await card(id).getByText('The rest of the text could not be loaded.').waitFor()
    await button(page, 'Approve 2').click()
    await card(id).getByText('The text continues. Read the whole text, then approve the post.').waitFor()
    expect((await caller.callOrThrow('getPost', { params: { id } })).status).toBe('pending')
    expect((await caller.callOrThrow('getPost', { params: { id: other } })).status).toBe('approved')
    await looksRight(page, 'review-unread')
    stage.faults.mend()
    await button(page, 'Try again').click()
    await becomes(() => card(id).getByTestId('post-content').textContent(), story('To be judged'))
    await holdsUp(page, 'review-whole')
    await button(page, 'Approve 1').or(button(page, 'Approve')).click()
    await becomes(async () => (await caller.callOrThrow('getPost', { params: { id } })).status, 'approved')
  })

  test('with the keyboard shows the whole text of each post that it moves to', async () => {
    const id = await write(caller, { ...mine, content: story('By keyboard'), status: 'pending' })
    await open('pending', id)
    await page.keyboard.press('j')
    await becomes(() => card(id).getByTestId('post-content').textContent(), story('By keyboard'))
    await page.keyboard.press('a')
    await becomes(async () => (await caller.callOrThrow('getPost', { params: { id } })).status, 'approved')
  })

  test('refuses to approve a text that changed meanwhile, and shows the new text', async () => {
    const id = await write(caller, { ...mine, content: story('First words'), status: 'pending' })
    await open('pending', id)
    await page.keyboard.press('j')
    await becomes(() => card(id).getByTestId('post-content').textContent(), story('First words'))
    for (const body of [{ status: 'draft' }, { content: story('Other words') }, { status: 'pending' }])
      await caller.callOrThrow('changePost', { params: { id }, body })
    await page.keyboard.press('a')
    await card(id).getByText('Somebody changed this meanwhile. Refresh to see the latest version.').waitFor()
    await becomes(() => card(id).getByTestId('post-content').textContent(), story('Other words'))
    await page.keyboard.press('a')
    await becomes(async () => (await caller.callOrThrow('getPost', { params: { id } })).status, 'approved')
  })
})

test.describe('The calendar', () => {
  test('loads the whole text in the details of a post', async () => {
    const scheduledFor = later(stage.server.clock.now(), 60 * 60_000)
    const id = await write(caller, { ...mine, content: story('On its day'), status: 'scheduled', scheduledFor })
    await page.goto(`/calendar?month=${dayKey(scheduledFor, 'Europe/Berlin').slice(0, 7)}`)
    const release = stage.faults.hold(`GET /api/posts/${id}`)
    await page.locator(`[data-testid=calendar-post][data-post-id="${id}"]`).first().click()
    const details = page.getByRole('dialog', { name: 'Post Details' })
    await details.getByTestId('preview-loading').waitFor()
    release()
    await details.getByRole('button', { name: 'more' }).click()
    await becomes(() => details.getByTestId('preview-content').textContent(), story('On its day'))
    await looksRight(page, 'calendar-details-whole')
  })
})

test('A long name of an agency ends before the buttons beside it on a phone', async () => {
  const name = 'The agency of the long name that goes on and on'
  const { browser: boss, email } = await person(stage.server)
  await boss.callOrThrow('openAgency', { body: { name, email } })
  const small = await stage.enter(boss, { viewport: phone })
  await small.goto('/')
  await small.getByText(name).waitFor()
  const [agency, search] = await Promise.all(
    ['button-agencies', 'button-palette'].map((id) => small.getByTestId(id).boundingBox()),
  )
  expect((agency?.x ?? 0) + (agency?.width ?? 0)).toBeLessThanOrEqual(search?.x ?? 0)
})

test.describe('A long history', () => {
  const edits = 250
  let id = ''
  test.beforeAll(async () => {
    id = await write(caller, { ...mine, content: 'Version 0' })
    for (let edit = 1; edit <= edits; edit++)
      await caller.callOrThrow('changePost', { params: { id }, body: { content: `Version ${edit}` } })
  })

  test('shows the newest events, and earlier ones on request, each with its changes', async () => {
    await open('draft', id)
    await card(id).getByTestId('button-preview').click()
    const entries = preview().getByTestId('history-entry')
    await becomes(() => entries.count(), 200)
    expect(await entries.first().getByTestId('text-difference').textContent()).toContain(String(edits))
    await preview().getByText('Compare the last 200 versions of the text').waitFor()
    await preview().getByTestId('button-show-earlier').scrollIntoViewIfNeeded()
    await looksRight(page, 'history-earlier')
    stage.faults.cut(`GET /api/posts/${id}/history`)
    await preview().getByTestId('button-show-earlier').click()
    await preview().getByText('Earlier events could not be loaded.').waitFor()
    stage.faults.mend()
    await preview().getByTestId('button-show-earlier').click()
    await becomes(() => entries.count(), edits + 1)
    // The last entry of the first page now has its difference as well.
    await entries.nth(199).getByTestId('text-difference').waitFor()
    await preview()
      .getByText(`Compare ${edits + 1} versions of the text`)
      .waitFor()
    expect(await preview().getByTestId('button-show-earlier').count()).toBe(0)
  })

  test('can be replayed back beyond the first page of events', async () => {
    await page.goto(`/audit?post=${id}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`Event ${edits + 1} of ${edits + 1}`).waitFor()
    await page.getByTestId('event-slider').fill(String(edits - 199))
    await becomes(() => page.getByTestId('replay-text').textContent(), `Version ${edits - 199}`)
    await button(page, 'Previous event').click()
    await becomes(() => page.getByTestId('replay-text').textContent(), `Version ${edits - 200}`)
    await dialog.getByText(`Event ${edits - 199} of ${edits + 1}`).waitFor()
    await looksRight(page, 'replay-earlier')
  })
})
