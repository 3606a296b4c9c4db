/**
 * Dialogs and states that no screen's own test covers: axe finds no violation in light and dark mode, and nothing is
 * wider than a phone.
 */
import { test, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { later } from '../api/core/clock.ts'
import { brand, owner } from '../api/testing/server.ts'
import { looksRight } from './looks.ts'
import { write } from './screens/posts.ts'
import { openStage, type Stage } from './screens/stage.ts'

let stage: Stage
let caller: ApiClient
let page: Page
let mine: { readonly clientId: string; readonly accountId: string }

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser, { animated: true })
  caller = await owner(stage.server)
  mine = await brand(caller)
  await write(caller, {
    ...mine,
    content: 'Fresh coffee',
    status: 'scheduled',
    scheduledFor: later(stage.server.clock.now(), 3 * 24 * 3_600_000),
  })
  await caller.callOrThrow('seedAnalytics')
  page = await stage.enter(caller)
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name }).or(page.getByRole('alertdialog', { name }))
const client = async (tab?: string) => {
  await page.goto(`/clients/${mine.clientId}`)
  if (tab !== undefined) await page.getByRole('tab', { name: tab }).click()
}

test.describe('a dialog', () => {
  test('with the keyboard shortcuts looks right', async () => {
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    await page.keyboard.press('?')
    await dialog(/shortcuts/i).waitFor()
    await looksRight(page, 'shortcuts')
  })

  test('that adds a client, and the question before its input is discarded, look right', async () => {
    await page.goto('/clients')
    await page.getByTestId('button-new-client').click()
    await page.getByLabel('Name').fill('Grüne Küche')
    await page.keyboard.press('Escape')
    await dialog('Discard what you wrote?').waitFor()
    await looksRight(page, 'discard')
  })

  test('that edits a client looks right', async () => {
    await client()
    await page.getByTestId('button-edit-client').click()
    await dialog('Edit Client').waitFor()
    await looksRight(page, 'edit-client')
  })

  test('that deletes a client looks right', async () => {
    await client()
    await page.getByTestId('button-delete-client').click()
    await dialog(/^Delete Blue Cup/).waitFor()
    await looksRight(page, 'delete-client')
  })

  test('that adds an account looks right', async () => {
    await client('Social Accounts')
    await page.getByTestId('button-add-account').first().click()
    await dialog('Add Social Account').waitFor()
    await looksRight(page, 'add-account')
  })

  test('that moves a post to a date looks right', async () => {
    await page.goto('/content')
    await page.getByTestId('select-client').click()
    await page.getByRole('option', { name: 'Blue Cup' }).click()
    await page.getByTestId('button-preview').first().click()
    await page.getByTestId('button-move-post').click()
    await dialog('Move to date').waitFor()
    await looksRight(page, 'move-to-date')
  })
})

test('the tables behind the charts look right', async () => {
  await page.goto('/analytics')
  const tables = page.getByRole('button', { name: /: show as table$/ })
  await tables.first().waitFor()
  while ((await tables.count()) > 0) await tables.first().click()
  await looksRight(page, 'chart-tables')
})

test.describe('the Billing screen', () => {
  test('looks right while its invoices load', async () => {
    const release = stage.faults.hold('GET /api/billing/invoices')
    await page.goto('/billing')
    await page.getByTestId('card-plan').waitFor()
    await looksRight(page, 'billing-loading')
    release()
  })

  test('looks right when its invoices could not be loaded', async () => {
    stage.faults.answer('GET /api/billing/invoices', 503, 'The payment provider is busy just now.')
    await page.goto('/billing')
    await page.getByText(/The invoices could not be loaded/).waitFor()
    await looksRight(page, 'billing-error')
  })
})
