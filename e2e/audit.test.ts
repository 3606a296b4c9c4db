/** The audit: past states, the history of each post, and auditors' links. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { MovableClock } from '../api/core/clock.ts'
import { brand, owner } from '../api/testing/server.ts'
import { dayKey, formatMonth } from '../web/lib/dates.ts'
import { desktop, phone } from './browser.ts'
import { holdsUp, looksRight } from './looks.ts'
import { write } from './screens/posts.ts'
import { becomes, button, openStage, toastIs, type Stage } from './screens/stage.ts'

let stage: Stage
let caller: ApiClient
let page: Page
let mine: { readonly clientId: string; readonly accountId: string }
let edited = ''
let deleted = ''
let planned = ''

test.beforeAll(async ({ browser }) => {
  // Ten days ago, so that there is a past to look at.
  const clock = new MovableClock()
  clock.advance(-10 * 86_400_000)
  stage = await openStage(browser, { clock })
  caller = await owner(stage.server)
  mine = await brand(caller)
  edited = await write(caller, { ...mine, content: 'The first words of it' })
  deleted = await write(caller, { ...mine, content: 'It was here once' })
  planned = new Date(Date.parse(clock.now()) + 6 * 86_400_000).toISOString()
  await caller.callOrThrow('changePost', {
    params: { id: edited },
    body: { status: 'scheduled', scheduledFor: planned },
  })
  clock.advance(5 * 86_400_000)
  await caller.callOrThrow('changePost', { params: { id: edited }, body: { status: 'draft' } })
  await caller.callOrThrow('changePost', { params: { id: edited }, body: { content: 'The second words of it' } })
  await caller.callOrThrow('deletePost', { params: { id: deleted } })
  clock.advance(5 * 86_400_000)
  page = await stage.enter(caller)
})
test.afterAll(() => stage.close())

const found = (on: Page) =>
  on
    .getByTestId('audit-post')
    .evaluateAll((posts) =>
      posts.map((post) => [post.getAttribute('data-status'), post.querySelector('.prose-post')?.textContent]),
    )
const slide = (on: Page, testId: string, value: number) => on.getByTestId(testId).fill(String(value))
const post = (on: Page, id: string) => on.locator(`[data-testid=audit-post][data-post-id="${id}"]`)

async function link(label: string, scope: object = { kind: 'agency' }): Promise<string> {
  const expiresAt = new Date(Date.parse(stage.server.clock.now()) + 86_400_000).toISOString()
  const { url } = await caller.callOrThrow('issueAuditorLink', { body: { label, scope, expiresAt } })
  return new URL(url).pathname
}

test.describe('The owner', () => {
  test('opens the audit from Settings, and sees all posts, deleted ones included', async () => {
    await page.goto('/settings')
    await page.getByRole('link', { name: 'Open Audit' }).click()
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
    await becomes(
      () => found(page),
      [
        ['deleted', 'It was here once'],
        ['draft', 'The second words of it'],
      ],
    )
    await holdsUp(page, 'audit')
  })

  test('moves the slider to an earlier time and back to now', async () => {
    await page.goto('/audit')
    await post(page, edited).waitFor()
    await slide(page, 'replay-slider', 250)
    await becomes(
      () => found(page),
      [
        ['draft', 'It was here once'],
        ['scheduled', 'The first words of it'],
      ],
    )
    await looksRight(page, 'audit-then')
    await slide(page, 'replay-slider', 800)
    await becomes(
      () => found(page),
      [
        ['deleted', 'It was here once'],
        ['draft', 'The second words of it'],
      ],
    )
    await slide(page, 'replay-slider', 250)
    await becomes(
      () => found(page),
      [
        ['draft', 'It was here once'],
        ['scheduled', 'The first words of it'],
      ],
    )
    await button(page, 'Back to now').click()
    await becomes(() => page.getByTestId('as-of').textContent(), 'Now')
    await becomes(
      () => found(page),
      [
        ['deleted', 'It was here once'],
        ['draft', 'The second words of it'],
      ],
    )
  })

  test('sees the calendar as it was at that time', async () => {
    await page.goto('/audit')
    await page.getByRole('tab', { name: 'Calendar' }).click()
    await page.getByRole('heading', { name: 'No posts in this month' }).waitFor()
    await slide(page, 'replay-slider', 250)
    // The slider rests for a moment before it applies: then the field has the instant, and the calendar its month.
    await expect(page.getByLabel(/^Date and time/)).not.toHaveValue('')
    // That month may end before the post's day.
    const month = formatMonth(dayKey(planned, 'Europe/Berlin').slice(0, 7))
    if ((await page.getByTestId('audit-month').textContent()) !== month) await button(page, 'Next month').click()
    await page.getByTestId('audit-calendar-post').getByText('The first words of it').waitFor()
    await looksRight(page, 'audit-calendar')
    await page.getByTestId('audit-calendar-post').click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await button(page, 'Back to now').click()
    await page.getByRole('heading', { name: 'No posts in this month' }).waitFor()
    expect(await page.getByTestId('audit-calendar-post').count()).toBe(0)
  })

  test('filters posts by text and by state', async () => {
    await page.goto('/audit')
    await page.getByLabel('Text').fill('second')
    await becomes(() => found(page), [['draft', 'The second words of it']])
    await page.getByLabel('Text').fill('nowhere to be found')
    await page.getByRole('heading', { name: 'No posts found' }).waitFor()
    await page.getByLabel('Text').fill('')
    await page.getByTestId('select-audit-status').click()
    await page.getByRole('option', { name: 'Deleted' }).click()
    await becomes(() => found(page), [['deleted', 'It was here once']])
  })

  test('replays a post event by event, and sees each change', async () => {
    await page.goto('/audit')
    await post(page, edited).click()
    const dialog = page.getByRole('dialog', { name: 'Facebook post of Blue Cup' })
    await dialog.waitFor()
    await becomes(() => page.getByTestId('replay-text').textContent(), 'The second words of it')
    await dialog.getByTestId('post-history').getByText('Changes in the text').waitFor()
    await looksRight(page, 'audit-replay')
    await button(page, 'Previous event').click()
    await becomes(() => page.getByTestId('replay-text').textContent(), 'The first words of it')
    await slide(page, 'event-slider', 3)
    await becomes(() => page.getByTestId('replay-text').textContent(), 'The second words of it')
    expect(await page.getByTestId('replay-hash').textContent()).toMatch(/^SHA-256 [0-9a-f]{64}$/)
  })

  test('opens the replay of a post from its preview', async () => {
    await page.goto(`/content?client=${mine.clientId}`)
    await page.getByTestId('button-preview').click()
    await page.getByRole('link', { name: 'Open in Audit' }).click()
    await page.getByRole('dialog', { name: 'Facebook post of Blue Cup' }).waitFor()
    await becomes(() => page.getByTestId('replay-text').textContent(), 'The second words of it')
    await page.keyboard.press('Escape')
    await becomes(() => new URL(page.url()).search, '')
  })

  test('downloads an export', async () => {
    await page.goto('/audit')
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export-jsonl').click()])
    expect(file.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.jsonl$/)
    expect(await file.failure()).toBeNull()
  })

  test('creates a link, which is shown once, and withdraws it', async () => {
    await page.goto('/audit')
    await page.getByTestId('button-issue-link').click()
    await page.getByTestId('button-create-link').click()
    await page.getByText('Required').waitFor()
    await looksRight(page, 'audit-link-form')
    await page.getByPlaceholder('Yearly audit').fill('Yearly audit')
    await page.getByTestId('button-create-link').click()
    const address = page.getByLabel('Address')
    await address.waitFor()
    await looksRight(page, 'audit-link-made')
    const { pathname } = new URL(await address.inputValue())
    await button(page, 'Done').click()

    const auditor = await stage.enter()
    await auditor.goto(pathname)
    await auditor.getByRole('heading', { level: 1, name: 'Audit of North Star' }).waitFor()
    await button(page, 'Withdraw').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
    await toastIs(page, 'default', 'Link withdrawn', 'The link no longer opens the audit.')
    await becomes(() => page.getByTestId('auditor-link').first().getAttribute('data-state'), 'revoked')
    await auditor.reload()
    await auditor.getByRole('heading', { name: 'This link is closed' }).waitFor()
    await auditor.getByText('This link was withdrawn. Ask the agency for a new one.').waitFor()
    await looksRight(auditor, 'audit-closed')
  })
})

test.describe('An auditor with a link', () => {
  test('sees the same data without an account, and no control that changes anything', async () => {
    const auditor = await stage.enter(undefined, { viewport: desktop })
    await auditor.goto(await link('For the auditor'))
    await becomes(
      () => found(auditor),
      [
        ['deleted', 'It was here once'],
        ['draft', 'The second words of it'],
      ],
    )
    await holdsUp(auditor, 'auditor')
    await slide(auditor, 'replay-slider', 250)
    await becomes(
      () => found(auditor),
      [
        ['draft', 'It was here once'],
        ['scheduled', 'The first words of it'],
      ],
    )
    await post(auditor, deleted).click()
    await becomes(
      () =>
        auditor
          .getByTestId('replay-words')
          .textContent()
          .then((words) => words?.split(' (')[0]),
      'Written',
    )
    await auditor.keyboard.press('Escape')
    expect(await auditor.getByRole('button').allTextContents()).toEqual([
      'Any state',
      'Back to now',
      ...(await auditor.getByTestId('audit-post').allTextContents()),
    ])
    expect(await auditor.getByRole('navigation').count()).toBe(0)
  })

  test('can replay a post on a phone', async () => {
    const auditor = await stage.enter(undefined, { viewport: phone })
    await auditor.goto(await link('On a phone'))
    await post(auditor, edited).click()
    await auditor.getByTestId('replay-text').waitFor()
    await looksRight(auditor, 'auditor-phone-replay')
  })

  for (const path of ['/audit/nobody', '/audit/a~b~c'] as const)
    test(`gets an explanation for an invalid link: ${path}`, async () => {
      const auditor = await stage.enter()
      await auditor.goto(path)
      await auditor.getByRole('heading', { name: 'Audit not found' }).waitFor()
      await auditor.getByText("This link doesn't exist.").waitFor()
    })

  test('sees an error when the server can not be reached, and can try again', async () => {
    const auditor = await stage.enter()
    const path = await link('Interrupted')
    const route = `GET /api/auditor/${path.split('/').at(-1)}`
    stage.faults.cut(route)
    await auditor.goto(path)
    await auditor.getByRole('heading', { name: 'The audit could not be loaded' }).waitFor()
    stage.faults.mend()
    await auditor.getByRole('button', { name: 'Try again' }).click()
    await auditor.getByRole('heading', { level: 1, name: 'Audit of North Star' }).waitFor()
  })
})
