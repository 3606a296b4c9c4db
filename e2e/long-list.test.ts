/** A client with 150 posts. */
import { expect, test, type Browser, type Page } from '@playwright/test'
import { brand, owner, type TestServer } from '../api/testing/server.ts'
import { actAs, closePages, startProduct, visit } from './browser.ts'
import { holdsUp } from './looks.ts'
import { becomes } from './screens/stage.ts'

const many = 150
let browser: Browser
let server: TestServer
let page: Page

test.beforeAll(async ({ browser: shared }) => {
  browser = shared
  server = await startProduct()
  const caller = await owner(server)
  const { clientId, accountId } = await brand(caller)
  for (let number = 1; number <= many; number++) {
    const content = `Post number ${number}. ${'A few words about coffee. '.repeat(number % 6)}`
    await caller.callOrThrow('writePost', { params: { id: clientId }, body: { socialAccountId: accountId, content } })
  }
  const visited = await visit(browser, server)
  page = visited.page
  await actAs(visited, caller, server.url)
  await page.goto(`/content?client=${clientId}`)
  await cards().first().waitFor()
})
test.afterAll(async () => {
  await closePages(browser)
  await server.remove()
})

const cards = () => page.getByTestId('post-card')
const rows = () => page.getByRole('tabpanel').locator('li')

test('fifty posts are loaded, and further ones when the user asks for them, by keyboard too', async () => {
  await becomes(() => rows().count(), 50)
  await page.getByText('50 of 150 posts shown').waitFor()
  await holdsUp(page, 'long-list-first-page')
  await page.getByTestId('button-more-posts').press('Enter')
  await becomes(() => rows().count(), 100)
  await becomes(() => page.evaluate(() => /Post number 100\./.test(document.activeElement?.textContent ?? '')), true)
  await page.getByTestId('button-more-posts').click()
  await becomes(() => rows().count(), many)
  await page.getByText('150 posts shown').waitFor()
  expect(await page.getByTestId('button-more-posts').count()).toBe(0)
})

test('every post is in the document, and only posts near the viewport are full cards', async () => {
  expect(await rows().count()).toBe(many)
  expect(await cards().count()).toBeLessThan(many / 2)
  expect(await rows().last().textContent()).toContain('Post number')
})

test("the browser's search finds a distant post, which becomes a full card", async () => {
  await page.evaluate(() => {
    const finder = window as unknown as { find(text: string): boolean }
    if (!finder.find('Post number 31.')) throw new Error('not found')
    getSelection()?.focusNode?.parentElement?.scrollIntoView()
  })
  await cards().filter({ hasText: 'Post number 31.' }).getByTestId('button-preview').click()
  await page.getByRole('dialog').getByText('Post number 31.').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('the Tab key moves from card to card, beyond those that were full at first', async () => {
  await page.evaluate(() => window.scrollTo(0, 0))
  await rows().first().getByTestId('button-preview').focus()
  const atFirst = await cards().count()
  const reached = new Set<string | null>()
  while (reached.size < atFirst + 10) {
    const on = await page.evaluate(
      () => document.activeElement?.closest('[data-post-id]')?.getAttribute('data-post-id') ?? null,
    )
    expect(on).not.toBeNull()
    reached.add(on)
    await page.keyboard.press('Tab')
  }
})

test('the list looks right and is accessible', async () => {
  await page.evaluate(() => window.scrollTo(0, 0))
  await holdsUp(page, 'long-list')
})
