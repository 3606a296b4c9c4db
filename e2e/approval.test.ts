/** Approval step by step: an owner sets two steps, a writer submits, and each step is approved by its person. */
import { expect, test, type Page } from '@playwright/test'
import { memberOf } from '../api/testing/members.ts'
import { desktop, shot } from './browser.ts'
import { overflowOf, violationsOf } from './looks.ts'
import { openOffice, type Office } from './office.ts'
import { becomes, toastIs } from './screens/stage.ts'

let begun: Office
test.beforeAll(async ({ browser }) => {
  begun = await openOffice(browser)
})
test.afterAll(() => begun.stage.close())

/** No part is wider than the window of a small phone, and none of axe's rules is violated. */
async function holdsUpAt360(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 })
  expect({ name, wider: await overflowOf(page) }).toEqual({ name, wider: 0 })
  expect(await violationsOf(page, `${name}, 360`)).toEqual([])
  await shot(page, `${name}-360`)
  await page.setViewportSize(desktop)
}

const chooses = async (page: Page, testId: string, option: string, at: number) => {
  await page.getByTestId(testId).nth(at).click()
  await page.getByRole('option', { name: option }).click()
}

test('A post takes its two steps, and is told to be approved with the last one alone', async () => {
  const { stage, boss, office, cup } = begun
  const writer = await memberOf(stage.server, boss, 'writer', [cup.clientId])
  const manager = await memberOf(stage.server, boss, 'manager', [cup.clientId])

  await office.goto(`/clients/${cup.clientId}?tab=approval`)
  await office.getByTestId('no-steps').waitFor()
  for (const [at, name] of ['Text', 'Last look'].entries()) {
    await office.getByTestId('button-add-step').click()
    await office.getByTestId('approval-step').nth(at).getByLabel('Name').fill(name)
  }
  await chooses(office, 'select-approver', 'The owner', 1)
  const reminders = office.getByTestId('reminders')
  await reminders.getByLabel('First').fill('24')
  await reminders.getByLabel('Second').fill('48')
  await chooses(office, 'select-if-silent', 'Ask the admins too', 0)
  await holdsUpAt360(office, 'approval-policy')
  await office.getByTestId('button-save-approval').click()
  await toastIs(office, 'default', 'Approval saved', 'It applies to posts that are submitted from now on.')

  expect(await boss.callOrThrow('getApprovalPolicy', { params: { id: cup.clientId } })).toMatchObject({
    remindAfterHours: [24, 48],
    ifSilent: { kind: 'escalate', to: 'admin' },
  })

  const { id } = await writer.caller.callOrThrow('writePost', {
    params: { id: cup.clientId },
    body: { socialAccountId: cup.accountId, content: 'Fresh buns at nine', status: 'pending' },
  })
  const status = async () => (await boss.callOrThrow('getPost', { params: { id } })).status

  const desk = await stage.enter(manager.caller)
  const opens = async (page: Page) => {
    await page.goto(`/content?client=${cup.clientId}&tab=pending`)
    await page.locator(`[data-post-id="${id}"]`).getByTestId('button-preview').click()
    await page.getByRole('dialog').getByTestId('step-rail').waitFor()
  }
  await opens(desk)
  await holdsUpAt360(desk, 'approval-steps')
  await desk.getByTestId('button-approve').click()
  await desk.getByText('Step approved').waitFor()
  expect(await status()).toBe('pending')

  await opens(office)
  await office.getByTestId('button-approve').click()
  await office.getByText('Post has been approved and will be published as scheduled.').waitFor()
  await becomes(status, 'approved')
})
