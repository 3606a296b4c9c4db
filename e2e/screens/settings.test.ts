/** Settings: the agency's data, and saving them. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import { owner } from '../../api/testing/server.ts'
import { looksRight } from '../looks.ts'
import { pressTwice } from '../press-twice.ts'
import { becomes, button, chooseZone, listen, openStage, toastIs, type Stage } from './stage.ts'

let stage: Stage
let caller: ApiClient
let page: Page

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server)
  page = await stage.enter(caller)
  await page.goto('/settings')
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

test('the screen shows its text and the card Agency Information [2.126]', async () => {
  await page.getByText('Manage your agency profile and preferences', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Agency Information' }).waitFor()
  await looksRight(page, 'settings')
})

test("the agency's name and email are read-only [2.127]", async () => {
  for (const [label, value] of [
    ['Agency Name', 'North Star'],
    ['Email', 'hello@northstar.example'],
  ] as const) {
    expect(await page.getByLabel(label).inputValue()).toBe(value)
    expect(await page.getByLabel(label).isEditable()).toBe(false)
  }
})

test('Save Changes saves the time zone and shows a toast [2.128]', async () => {
  await page.getByTestId('select-time-zone').click()
  await page.getByRole('option').first().waitFor()
  await looksRight(page, 'settings-zones-all')
  const search = page.getByPlaceholder('City, country or offset')
  await search.fill('Lisbon')
  await becomes(() => page.getByRole('option').count(), 1)
  // The list sets the active option a moment after filtering.
  await becomes(
    async () =>
      (await page.getByRole('option').getAttribute('id')) === (await search.getAttribute('aria-activedescendant')),
    true,
  )
  await looksRight(page, 'settings-zones')
  await page.getByRole('option', { name: 'Europe/Lisbon' }).click()
  await button(page, 'Save Changes').click()
  await toastIs(page, 'default', 'Settings saved', 'All times are now shown in the new time zone.')
  expect((await caller.callOrThrow('getAgency')).timeZone).toBe('Europe/Lisbon')
})

test('a double click saves once', async () => {
  await page.goto('/settings')
  await chooseZone(page, 'Europe/Madrid')
  const sent = listen(page, 'PATCH /api/agency')
  await pressTwice(button(page, 'Save Changes'))
  await toastIs(page, 'default', 'Settings saved', 'All times are now shown in the new time zone.')
  expect(sent.length).toBe(1)
})

test('a failed save shows an error in a toast and beside the form', async () => {
  await chooseZone(page, 'Europe/Vienna')
  stage.faults.answer('PATCH /api/agency', 503, 'The store is busy.')
  await button(page, 'Save Changes').click()
  await toastIs(page, 'destructive', 'Error', 'The store is busy.')
  await becomes(() => page.getByTestId('form-error').textContent(), 'The store is busy.')
  await looksRight(page, 'settings-error')
})
