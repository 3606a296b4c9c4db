/** A team at work: an owner invites, a writer drafts, the right manager approves, and a removed person is told so. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { brand, owner } from '../api/testing/server.ts'
import { desktop, phone, shot } from './browser.ts'
import { looksRight, overflowOf, violationsOf } from './looks.ts'
import { becomes, button, openStage, toastIs, type Stage } from './screens/stage.ts'

let stage: Stage
let boss: ApiClient
let office: Page
let cup: { readonly clientId: string; readonly accountId: string }
test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  boss = await owner(stage.server)
  cup = await brand(boss)
  await boss.callOrThrow('addClient', { body: { name: 'Green Tea' } })
  office = await stage.enter(boss)
})
test.afterAll(() => stage.close())

/** The owner invites a person for one client, on the Team screen. @returns the invitation's link */
async function invite(email: string, role: string, client: string): Promise<string> {
  await office.goto('/settings/team')
  await office.getByTestId('button-invite').click()
  const dialog = office.getByRole('dialog')
  await dialog.getByLabel('Email address').fill(email)
  await dialog.getByText(role, { exact: true }).click()
  await dialog.getByText('Only these clients').click()
  await dialog.getByText(client, { exact: true }).click()
  await looksRight(office, `team-invite-${role}`)
  await office.getByTestId('button-send-invitation').click()
  await office.getByText('Invitation ready').waitFor()
  const link = await office.getByLabel('Link', { exact: true }).inputValue()
  await button(office, 'Done').click()
  return link
}

/** The invited person opens the link in a browser of their own, and joins with a new account. */
async function join(link: string, firstName: string, lastName: string): Promise<Page> {
  const page = await stage.enter()
  const { pathname, hash } = new URL(link)
  await page.goto(pathname + hash)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await looksRight(page, `invitation-${firstName}`)
  await page.getByLabel('First Name').fill(firstName)
  await page.getByLabel('Last Name').fill(lastName)
  await page.getByLabel('Password').fill('four otters rowing home')
  await button(page, 'Create account and join').click()
  await page.getByTestId('text-agency').waitFor()
  return page
}

test('A writer’s post is approved by the manager of its client alone, and its history names both', async () => {
  const writer = await join(await invite('grace@team.example', 'Writer', 'Blue Cup'), 'Grace', 'Hopper')
  const manager = await join(await invite('linus@team.example', 'Manager', 'Blue Cup'), 'Linus', 'Pauling')
  const stranger = await join(await invite('marie@team.example', 'Manager', 'Green Tea'), 'Marie', 'Curie')

  await writer.goto(`/clients/${cup.clientId}?tab=posts`)
  await writer.getByTestId('button-new-post').click()
  await writer.getByLabel('Content').fill('Fresh buns at nine')
  expect(await button(writer, 'Schedule').count()).toBe(0)
  await button(writer, 'Submit for Review').click()
  await becomes(async () => (await boss.callOrThrow('listPosts', { params: { id: cup.clientId } })).length, 1)
  const [post] = await boss.callOrThrow('listPosts', { params: { id: cup.clientId } })
  const id = post?.id ?? ''

  const answer = await stranger.request.get(`/api/posts/${id}`)
  expect(answer.status()).toBe(404)
  await stranger.goto(`/clients/${cup.clientId}`)
  await stranger.getByRole('link', { name: 'Go to Clients' }).waitFor()

  await manager.goto(`/content?client=${cup.clientId}&tab=pending`)
  await manager.locator(`[data-post-id="${id}"]`).getByTestId('button-preview').click()
  await manager.getByTestId('button-approve').click()
  await becomes(async () => (await boss.callOrThrow('getPost', { params: { id } })).status, 'approved')

  const history = await boss.callOrThrow('getPostHistory', { params: { id } })
  const names = history.map(({ actor }) => actor.name)
  expect(names).toContain('Grace Hopper')
  expect(names).toContain('Linus Pauling')
})

test('The Team screen and the page of an invitation fit a small phone', async () => {
  const { link } = await boss.callOrThrow('inviteMember', {
    body: { email: 'rosalind@team.example', role: 'writer', clients: [cup.clientId] },
  })
  const page = await stage.enter()
  const { pathname, hash } = new URL(link)
  await page.goto(pathname + hash)
  await page.getByLabel('First Name').waitFor()
  await office.goto('/settings/team')
  await office.getByTestId('text-letter').first().waitFor()
  for (const [each, name] of [
    [office, 'team'],
    [page, 'invitation'],
  ] as const) {
    await each.setViewportSize({ width: 360, height: 740 })
    await holdsUpAt360(each, name)
    await each.setViewportSize(desktop)
  }
})

/** No part is wider than the window, and none of axe's rules is violated. */
async function holdsUpAt360(page: Page, name: string): Promise<void> {
  expect({ name, wider: await overflowOf(page) }).toEqual({ name, wider: 0 })
  expect(await violationsOf(page, `${name}, 360`)).toEqual([])
  await shot(page, `${name}-360`)
}

test('A person who is removed while a dialog is open sees one clear page, then their own account', async () => {
  const page = await join(await invite('hedy@team.example', 'Writer', 'Blue Cup'), 'Hedy', 'Lamarr')
  await page.setViewportSize(phone)
  await page.goto(`/clients/${cup.clientId}?tab=posts`)
  await page.getByTestId('button-new-post').click()
  await page.getByLabel('Content').fill('Never saved')
  // The stream that ends with the membership opens again after a moment, and would say so before the button is pressed.
  await page.route('**/api/news**', (route) => route.abort())
  await office.goto('/settings/team')
  await looksRight(office, 'team')
  await office.getByTestId('member').filter({ hasText: 'Hedy Lamarr' }).getByText('Remove', { exact: true }).click()
  await office.getByTestId('button-remove-member').click()
  await toastIs(office, 'default', 'Person removed', 'Hedy Lamarr is no longer in the team.')
  await button(page, 'Save as Draft').click()
  await page
    .getByTestId('membership-ended')
    .getByText(/^You are no longer a member of /)
    .waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await looksRight(page, 'membership-ended')
  await button(page, 'Continue').click()
  await page.waitForURL('**/onboarding')
})
