/** The client's yes on a phone: sent for review, mailed, opened, approved, and published. */
import { expect, test } from '@playwright/test'
import { later } from '../api/core/clock.ts'
import { phone, visit } from './browser.ts'
import { linkIn } from './letters.ts'
import { holdsUpEverywhere as holdsUp, openOffice, type Office } from './office.ts'
import { becomes, toastIs } from './screens/stage.ts'

let begun: Office
test.beforeAll(async ({ browser }) => {
  begun = await openOffice(browser)
})
test.afterAll(() => begun.stage.close())

test('A client approves a post on a phone by the link in a letter, and sees it published', async ({ browser }) => {
  const { stage, boss, office, cup } = begun
  const { server } = stage
  await boss.callOrThrow('brandAgency', { body: { logoUrl: null, color: '#1f6f54' } })
  const { id } = await boss.callOrThrow('writePost', {
    params: { id: cup.clientId },
    body: { socialAccountId: cup.accountId, content: 'Fresh buns at nine', status: 'pending' },
  })
  const policy = {
    steps: [
      { id: '0195a000-0000-7000-8000-0000000000b1', name: 'Client', who: { kind: 'client' }, need: 'any' } as const,
    ],
    ownApproval: 'agency',
    timePart: { kind: 'free' },
  } as const
  await boss.callOrThrow('setApprovalPolicy', { params: { id: cup.clientId }, body: policy })
  const { id: stepped } = await boss.callOrThrow('writePost', {
    params: { id: cup.clientId },
    body: {
      socialAccountId: cup.accountId,
      content: 'Cinnamon rolls on Sunday',
      status: 'pending',
      scheduledFor: later(server.clock.now(), 3_600_000),
    },
  })

  await office.setViewportSize(phone)
  await office.goto(`/clients/${cup.clientId}?tab=approval`)
  await office.getByTestId('card-contacts').getByTestId('button-new-contact').click()
  await office.getByTestId('form-contact').getByLabel('Name').fill('Nora Lind')
  await office.getByTestId('form-contact').getByLabel('Email').fill('nora@bluecup.example')
  await office.getByTestId('button-add-contact').click()
  await office.getByTestId('contact').waitFor()
  await holdsUp(office, 'review-client')
  await office.getByTestId('button-send-for-review').click()
  const dialog = office.getByRole('dialog')
  for (const size of [phone, { width: 360, height: 740 }]) {
    await office.setViewportSize(size)
    await expect(dialog.getByTestId('button-send-review')).toBeInViewport({ ratio: 1 })
  }
  await office.setViewportSize(phone)
  await dialog.getByText('Nora Lind').click()
  await holdsUp(office, 'review-send')
  await dialog.getByTestId('button-send-review').click()
  await office.getByTestId('sent-links').waitFor()
  await holdsUp(office, 'review-sent')

  const { address } = await linkIn(server, 'nora@bluecup.example', /review/)
  const client = await visit(browser, server, { viewport: phone })
  const { page } = client
  await page.goto(address)
  const card = (text: string) => page.getByTestId('post-to-review').filter({ hasText: text })
  await card('Cinnamon rolls').waitFor()
  await holdsUp(page, 'review-page')
  const talk = card('Cinnamon rolls').getByTestId('review-comments')
  await talk.getByTestId('button-comments').click()
  await talk.getByLabel(/^Write to /).fill('Lovely picture')
  await talk.getByTestId('button-send-comment').click()
  await talk.getByText('Comments (1)').waitFor()
  await talk.getByLabel('Reply to Nora Lind').click()
  await holdsUp(page, 'review-comments')
  await card('Cinnamon rolls').getByTestId('button-approve').click()
  await card('Cinnamon rolls').getByText('You approved this version.').waitFor()
  await card('Fresh buns').getByTestId('button-changes').click()
  await card('Fresh buns').getByLabel('What should change?').fill('At eight, please')
  await holdsUp(page, 'review-words')
  await card('Fresh buns').getByTestId('button-send-act').click()
  await card('Fresh buns').getByText('You asked for changes.').waitFor()
  await page.getByText('2 of 2 done').waitFor()
  const statusOf = async (postId: string) => (await boss.callOrThrow('getPost', { params: { id: postId } })).status
  expect(await statusOf(id)).toBe('rejected')

  // A page of paper: what is behind it is not printed, in neither theme.
  await card('Cinnamon rolls').getByTestId('button-own-receipt').click()
  await page.getByTestId('receipt').getByText('Nora Lind approved version 1').waitFor()
  await holdsUp(page, 'review-receipt')
  await page.getByTestId('button-print-receipt').click()
  const sheet = page.getByTestId('receipt-sheet')
  await sheet.getByText('Signed statement', { exact: true }).waitFor()
  await holdsUp(page, 'receipt-sheet')
  await page.emulateMedia({ media: 'print' })
  await holdsUp(page, 'receipt-printed')
  expect(await page.getByTestId('review-page').isVisible()).toBe(false)
  expect(await sheet.getByTestId('button-print-sheet').isVisible()).toBe(false)
  await page.emulateMedia({ media: 'screen' })
  await sheet.getByTestId('button-close-sheet').click()
  await page.keyboard.press('Escape')

  server.clock.advance(3_601_000)
  await becomes(() => statusOf(stepped), 'published')
  await page.reload()
  await card('Cinnamon rolls').getByText('View on Facebook').waitFor()
  await holdsUp(page, 'review-published')
  expect(client.complaints).toEqual([])

  await office.goto(`/clients/${cup.clientId}?tab=approval`)
  await office.getByTestId('button-link-people').click()
  await office.getByTestId('link-person').getByText('Nora Lind').waitFor()
  await holdsUp(office, 'review-people')
  await office.getByTestId('card-contacts').getByLabel('Erase Nora Lind').click()
  await office.getByRole('alertdialog').waitFor()
  await holdsUp(office, 'review-erase')
  await office.getByRole('alertdialog').getByRole('button', { name: 'Erase' }).click()
  await toastIs(office, 'default', 'Person erased', 'Verdicts and receipts now name a former reviewer.')
  await office.getByText('No contacts yet.').waitFor()
  await office.goto(`/content?client=${cup.clientId}&tab=published`)
  await office.getByTestId('button-preview').click()
  await office.getByTestId('button-receipts').click()
  await office.getByTestId('receipt').getByText('Former reviewer approved version 1').waitFor()
  await holdsUp(office, 'receipts')
})
