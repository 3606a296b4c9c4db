/** Reviewing many posts by mouse, touch and keyboard, and what happens when one of them is refused. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { brand, owner } from '../api/testing/server.ts'
import { formatSoon } from '../web/lib/dates.ts'
import { phone } from './browser.ts'
import { looksRight } from './looks.ts'
import { write } from './screens/posts.ts'
import { becomes, button, openStage, toast, toastIs, type Stage } from './screens/stage.ts'

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
test.afterAll(() => stage.close())

const pending = (...contents: readonly string[]) =>
  Promise.all(contents.map((content) => write(caller, { ...mine, content, status: 'pending' })))
const statusOf = async (id: string) => (await caller.callOrThrow('getPost', { params: { id } })).status
const card = (id: string, on = page) => on.locator(`[data-post-id="${id}"]`)
const contents = (on = page) => on.getByTestId('post-content').allTextContents()
const bar = (on = page) => on.getByTestId('review-bar')

async function open(count: number, on = page): Promise<void> {
  await on.goto(`/content?client=${mine.clientId}&tab=pending`)
  await becomes(() => on.getByTestId('post-card').count(), count)
}
test.beforeEach(async () => {
  for (const { id } of await caller.callOrThrow('listPosts', { params: { id: mine.clientId } }))
    await caller.callOrThrow('deletePost', { params: { id } })
})

test.describe('Posts waiting for review', () => {
  test('are approved together when they are selected', async () => {
    const [first = '', second = '', third = ''] = await pending('One', 'Two', 'Three')
    await open(3)
    await looksRight(page, 'review')
    await card(first).getByTestId('checkbox-post').check()
    await card(third).getByTestId('checkbox-post').check()
    await bar().getByText('2 of 3 selected').waitFor()
    await looksRight(page, 'review-selected')
    await button(page, 'Approve 2').click()
    // Without a posting schedule, both take the next morning.
    await page.getByText('They will be published as scheduled.').waitFor()
    const said = await toast(page).innerText()
    const { scheduledFor } = await caller.callOrThrow('getPost', { params: { id: first } })
    const soon = formatSoon(scheduledFor ?? '', 'Europe/Berlin')
    expect(soon).toMatch(/ at 9:00 AM$/)
    expect(said.split('\n')).toContain(`Scheduled for ${soon}.`)
    await becomes(() => contents(), ['Two'])
    expect(await Promise.all([first, second, third].map(statusOf))).toEqual(['approved', 'pending', 'approved'])
  })

  test('can be reviewed by keyboard alone: j and k move, x selects, a approves, r rejects with a reason', async () => {
    await pending('First')
    await pending('Second')
    await pending('Third')
    await open(3)
    const inOrder = await contents()
    await page.keyboard.press('j')
    await becomes(
      () => page.locator('[aria-current=true] [data-testid=post-content]').allTextContents(),
      inOrder.slice(0, 1),
    )
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await becomes(
      () => page.locator('[aria-current=true] [data-testid=post-content]').allTextContents(),
      inOrder.slice(0, 1),
    )
    await page.keyboard.press('a')
    await becomes(() => contents(), inOrder.slice(1))
    // The next post has moved up, and is the current one.
    await becomes(
      () => page.locator('[aria-current=true] [data-testid=post-content]').allTextContents(),
      inOrder.slice(1, 2),
    )
    await page.keyboard.press('x')
    await bar().getByText('1 of 2 selected').waitFor()
    await page.keyboard.press('r')
    await page.getByRole('dialog', { name: 'Reject 1 post?' }).waitFor()
    await looksRight(page, 'review-reject')
    await page.keyboard.type('Off brand')
    await page.keyboard.press('Enter')
    await becomes(() => contents(), inOrder.slice(2))
    const posts = await caller.callOrThrow('listPosts', { params: { id: mine.clientId } })
    expect(
      posts.toReversed().map(({ content, status, rejectionReason }) => [content, status, rejectionReason]),
    ).toEqual([
      [inOrder[0], 'approved', null],
      [inOrder[1], 'rejected', 'Off brand'],
      [inOrder[2], 'pending', null],
    ])
  })

  test('stay with a reason if they were changed meanwhile; the others are approved', async () => {
    const [good = '', changed = ''] = await pending('Good', 'Changed meanwhile')
    await open(2)
    await caller.callOrThrow('changePost', { params: { id: changed }, body: { status: 'draft' } })
    await caller.callOrThrow('changePost', { params: { id: changed }, body: { content: 'With other words' } })
    await caller.callOrThrow('changePost', { params: { id: changed }, body: { status: 'pending' } })
    await page.getByTestId('checkbox-all').check()
    await button(page, 'Approve 2').click()
    await becomes(() => contents(), ['With other words'])
    await card(changed)
      .getByRole('alert')
      .getByText('Somebody changed this meanwhile. Refresh to see the latest version.')
      .waitFor()
    await toastIs(page, 'destructive', 'Error', '1 of 2 posts could not be approved.', 'Its card says why.')
    expect([await statusOf(good), await statusOf(changed)]).toEqual(['approved', 'pending'])
    await looksRight(page, 'review-refused')
    // After the refresh showed the new text, it can be approved.
    await button(page, 'Approve').click()
    await becomes(() => statusOf(changed), 'approved')
  })

  test('can be reviewed on a phone', async () => {
    const ids = await pending('On the way', 'Also on the way')
    const small = await stage.enter(caller, { viewport: phone })
    await open(2, small)
    await small.getByTestId('checkbox-all').check()
    await looksRight(small, 'review-phone')
    await button(small, 'Approve 2').click()
    await becomes(() => contents(small), [])
    expect(await Promise.all(ids.map(statusOf))).toEqual(['approved', 'approved'])
  })
})
