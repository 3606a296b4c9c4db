/** The client's yes on a phone: sent for review, mailed, opened, approved, and published. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { brand, owner } from '../api/testing/server.ts'
import { later } from '../api/core/clock.ts'
import { desktop, phone, shot, visit } from './browser.ts'
import { linkIn } from './letters.ts'
import { overflowOf, violationsOf } from './looks.ts'
import { becomes, openStage, type Stage } from './screens/stage.ts'

let stage: Stage
let boss: ApiClient
let office: Page
let cup: { readonly clientId: string; readonly accountId: string }
test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  boss = await owner(stage.server)
  cup = await brand(boss)
  office = await stage.enter(boss)
})
test.afterAll(() => stage.close())

/** No part is wider than the window of a small phone, and none of axe's rules is violated, on light and dark. */
async function holdsUp(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? phone
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 360, height: 740 })
    expect({ name, wider: await overflowOf(page) }).toEqual({ name, wider: 0 })
    expect(await violationsOf(page, `${name}, ${colorScheme}`)).toEqual([])
    for (const size of [phone, desktop]) {
      await page.setViewportSize(size)
      await shot(page, `${name}-${size.width}-${colorScheme}`)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(before)
}

test('A client approves a post on a phone by the link in a letter, and sees it published', async ({ browser }) => {
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

  server.clock.advance(3_601_000)
  await becomes(() => statusOf(stepped), 'published')
  await page.reload()
  await card('Cinnamon rolls').getByText('View on Facebook').waitFor()
  await holdsUp(page, 'review-published')
  expect(client.complaints).toEqual([])
})
