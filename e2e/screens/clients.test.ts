/** The list of clients: its count and limit, its cards, and the dialog that adds one. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import { owner } from '../../api/testing/server.ts'
import { desktop, phone } from '../browser.ts'
import { looksRight, overflowOf } from '../looks.ts'
import { becomes, listen, openStage, toastIs, type Stage } from './stage.ts'

let stage: Stage
let caller: ApiClient
let page: Page

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server)
  page = await stage.enter(caller)
  await open()
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

async function open() {
  await page.goto('/clients')
  await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor()
}
const count = () => page.getByTestId('text-client-count').textContent()
const card = (name: string) => page.getByTestId('client-card').filter({ hasText: name })
const newClient = () => page.getByTestId('button-new-client')
const dialog = () => page.getByRole('dialog', { name: 'Add New Client' })

test.describe('for a new agency', () => {
  test('shows 0/10 beside the heading [2.61]', () => becomes(count, '0/10'))

  test('shows an empty state with Add Your First Client [2.69]', async () => {
    await page.getByRole('heading', { name: 'No clients yet' }).waitFor()
    await looksRight(page, 'clients-empty')
    await page.getByRole('button', { name: 'Add Your First Client' }).click()
    await dialog().waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })
})

test.describe('adding a client', () => {
  test.describe.configure({ mode: 'serial' })
  test('starts with New Client, which opens the dialog Add New Client [2.62]', async () => {
    await newClient().click()
    await dialog().waitFor()
    await looksRight(page, 'clients-dialog')
  })

  test('shows a pending button, then a toast, closes the dialog and refetches the list [7.5, 8.25]', async () => {
    const lists = listen(page, 'GET /api/clients')
    const release = stage.faults.hold('POST /api/clients')
    await dialog().getByLabel('Name').fill('Blue Cup')
    await dialog().getByLabel('Target Audience').fill('Commuters')
    await dialog().getByLabel('Tone of Voice').fill('friendly')
    await dialog().getByLabel('Brand Color', { exact: true }).fill('#2f6f9f')
    await dialog().getByRole('button', { name: 'Create Client' }).click()
    await dialog().getByRole('button', { name: 'Creating...' }).waitFor()
    expect(lists).toEqual([])
    release()
    await toastIs(page, 'default', 'Client created!', 'You can now configure their social media accounts.')
    await dialog().waitFor({ state: 'detached' })
    await card('Blue Cup').waitFor()
    expect(lists.length).toBe(1)
    await becomes(count, '1/10')
  })
})

test.describe('a card', () => {
  test.beforeAll(async () => {
    await caller.callOrThrow('addClient', {
      body: { name: 'Fjord', industry: 'Retail', logoUrl: `${stage.faults.url}/favicon.svg` },
    })
    await caller.callOrThrow('addClient', {
      body: { name: 'Lumen', industry: 'Health', description: 'A dental practice' },
    })
    await open()
    await card('Lumen').waitFor()
  })

  test('shows the first letter on the brand colour [1.3, 2.64]', async () => {
    const avatar = card('Blue Cup').locator('span[aria-hidden]').first()
    expect(await avatar.textContent()).toBe('B')
    expect(await avatar.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(47, 111, 159)')
  })

  test('shows the logo in place of the letter, if there is one [2.65]', async () => {
    expect(await card('Fjord').locator('img').getAttribute('src')).toContain('/favicon.svg')
  })

  for (const [what, name, text] of [
    ['the description', 'Lumen', 'A dental practice'],
    ['the industry without one', 'Fjord', 'Retail'],
    ['that there is no description without either', 'Blue Cup', 'No description'],
  ] as const)
    test(`shows ${what} [2.66]`, async () => {
      await card(name).getByText(text, { exact: true }).waitFor()
    })

  test('shows audience and tone [2.67]', async () => {
    expect(await card('Blue Cup').getByRole('definition').allTextContents()).toEqual(['Commuters', 'friendly'])
    await looksRight(page, 'clients')
  })

  test('has a Manage button that opens the client [2.11, 2.68]', async () => {
    const client = (await caller.callOrThrow('listClients')).find(({ name }) => name === 'Fjord')
    expect(await card('Fjord').getByRole('link').textContent()).toBe('Manage')
    await card('Fjord').getByRole('link').click()
    await page.waitForURL(`**/clients/${client?.id}`)
  })
})

test.describe('loading and errors', () => {
  test('three placeholder cards show while the clients load [2.70]', async () => {
    const release = stage.faults.hold('GET /api/clients')
    await open()
    await becomes(() => page.getByTestId('skeleton-card').count(), 3)
    await looksRight(page, 'clients-loading')
    release()
    await card('Fjord').waitFor()
  })

  test('clients that could not be loaded show an error, and can be loaded again [2.71]', async () => {
    stage.faults.cut('GET /api/clients')
    await open()
    await page.getByRole('alert').getByText('Your clients could not be loaded').waitFor()
    await looksRight(page, 'clients-error')
    stage.faults.mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await card('Fjord').waitFor()
  })

  test("a client's page looks right while it loads, when it could not be loaded, and when it doesn't exist", async () => {
    const [client] = await caller.callOrThrow('listClients')
    const release = stage.faults.hold(`GET /api/clients/${client?.id}`)
    await page.goto(`/clients/${client?.id}`)
    await page.getByText('Loading the client').waitFor()
    await looksRight(page, 'client-loading')
    release()
    await page.getByRole('heading', { level: 1, name: client?.name ?? '' }).waitFor()
    stage.faults.answer(`GET /api/clients/${client?.id}`, 500, 'Broken')
    await page.reload()
    await page.getByText('This client could not be loaded').waitFor()
    await looksRight(page, 'client-error')
    await page.goto('/clients/0190a000-0000-7000-8000-000000000000')
    await page.getByRole('main').getByRole('link').first().waitFor()
    await looksRight(page, 'client-unknown')
  })
})

test("on a phone, a client's tabs are all in sight, and a narrower row shows that it goes on [P18.9]", async () => {
  const [client] = await caller.callOrThrow('listClients')
  const before = page.viewportSize() ?? desktop
  await page.setViewportSize(phone)
  await page.goto(`/clients/${client?.id}`)
  const tabs = page.getByRole('tab')
  await tabs.first().waitFor()
  for (const tab of await tabs.all()) await expect(tab).toBeInViewport({ ratio: 1 })
  const sign = page.getByTestId('more-tabs')
  await expect(sign).toHaveCSS('opacity', '0')
  await page.setViewportSize({ width: 320, height: 640 })
  await expect(sign).toHaveCSS('opacity', '1')
  expect(await overflowOf(page)).toBe(0)
  await tabs.last().click()
  await expect(tabs.last()).toBeInViewport({ ratio: 1 })
  await expect(sign).toHaveCSS('opacity', '0')
  await page.setViewportSize(before)
})

test.describe('the limit of clients', () => {
  test.beforeAll(async () => {
    for (let number = 4; number <= 10; number++)
      await caller.callOrThrow('addClient', { body: { name: `Brand ${number}` } })
    await open()
  })

  test('disables New Client at 10 clients [1.1, 2.63, 5.15]', async () => {
    await becomes(count, '10/10')
    expect(await newClient().isDisabled()).toBe(true)
    await looksRight(page, 'clients-full')
  })

  test('makes the server refuse an eleventh client', async () => {
    expect(await caller.ask('addClient', { body: { name: 'Eleven' } })).toMatchObject({ status: 409 })
  })
})
