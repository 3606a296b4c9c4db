/** Comments on a post: a part of the text, a suggestion that is taken over, and a phone's screen. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { memberOf } from '../api/testing/members.ts'
import { brand, owner } from '../api/testing/server.ts'
import { shot } from './browser.ts'
import { overflowOf, violationsOf } from './looks.ts'
import { openStage, type Stage } from './screens/stage.ts'

let stage: Stage
let boss: ApiClient
let cup: { readonly clientId: string; readonly accountId: string }
test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  boss = await owner(stage.server)
  cup = await brand(boss)
})
test.afterAll(() => stage.close())

test('A member comments on a selection and suggests a text, which another takes over', async () => {
  const manager = await memberOf(stage.server, boss, 'manager', [cup.clientId])
  const { id } = await boss.callOrThrow('writePost', {
    params: { id: cup.clientId },
    body: { socialAccountId: cup.accountId, content: 'Fresh buns at nine', status: 'pending' },
  })
  const opens = async (page: Page) => {
    await page.goto(`/content?client=${cup.clientId}&tab=pending`)
    await page.locator(`[data-post-id="${id}"]`).getByTestId('button-preview').click()
    await page.getByRole('dialog').getByTestId('comment-form').waitFor()
  }
  const desk = await stage.enter(manager.caller)
  await opens(desk)
  await desk.getByTestId('button-choose-place').click()
  await desk.getByLabel('Select a part of the text').evaluate((text: HTMLTextAreaElement) => {
    text.focus()
    text.setSelectionRange(6, 10)
  })
  await desk.getByTestId('button-comment-on-selection').click()
  await expect(desk.getByTestId('comment-place')).toContainText('“buns”')
  await desk.getByTestId('button-suggest').click()
  await desk.getByLabel('Suggested text').fill('Fresh rolls at nine')
  await desk.getByLabel('Write a comment').fill('Rolls, please')
  await desk.getByText('Client', { exact: true }).last().click()
  await desk.setViewportSize({ width: 360, height: 740 })
  expect(await overflowOf(desk)).toBe(0)
  expect(await violationsOf(desk, 'comment form, 360')).toEqual([])
  await shot(desk, 'comment-form-360')
  await desk.getByTestId('button-send-comment').click()
  await desk.getByTestId('thread').getByText('Visible to the client').waitFor()
  expect(await violationsOf(desk, 'comments, 360')).toEqual([])
  await shot(desk, 'comments-360')

  const office = await stage.enter(boss)
  await opens(office)
  await office.getByTestId('comment-about').getByText('“buns”').waitFor()
  await office.getByTestId('button-take-over').click()
  await office.getByTestId('suggestion').getByText('Taken over').waitFor()
  expect(await boss.callOrThrow('getPost', { params: { id } })).toMatchObject({
    content: 'Fresh rolls at nine',
    status: 'pending',
  })
  await office.getByTestId('button-earlier-version').click()
  await expect(office.getByTestId('earlier-text')).toHaveText('Fresh buns at nine')
})
