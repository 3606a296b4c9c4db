/** What makes the screens a pleasure to use: acts that show at once, differences between texts, a calendar for every hand, places that are kept. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../api/caller.ts'
import { brand, owner, type TestServer } from '../api/testing.ts'
import { openBrowser, startProduct, visit, type Visit, type VisitOptions } from './browser.ts'
import { startFaults, type Faults } from './faults.ts'
import { holdsUp } from './looks.ts'


let browser: Browser
let server: TestServer
let wire: Faults
let caller: Caller
let mine: { readonly clientId: string; readonly accountId: string }
let visits: Visit[] = []

beforeAll(async () => {
  browser = await openBrowser()
  server = await startProduct()
  wire = await startFaults(server.url)
})
afterAll(async () => {
  await browser.close()
  await wire.close()
  await server.remove()
})
beforeEach(async () => {
  caller = await owner(server)
  mine = await brand(caller)
})
afterEach(async () => {
  wire.mend()
  const complaints = visits.flatMap((visited) => visited.complaints)
  await Promise.all(visits.map((visited) => visited.close()))
  visits = []
  // What a test itself makes go wrong is told by the browser too.
  expect(complaints.filter((text) => !/ERR_EMPTY_RESPONSE|status of (402|409|503)/.test(text))).toEqual([])
})

/** A page on which the owner is signed in, with the wire in front of the server. */
async function open(path: string, options: VisitOptions = {}): Promise<Page> {
  const visited = await visit(browser, { ...server, url: wire.url }, options)
  visits.push(visited)
  const [name = '', value = ''] = caller.cookie.split(/=(.*)/s)
  await visited.page.context().addCookies([{ name, value, url: wire.url }])
  await visited.page.goto(path)
  return visited.page
}
const write = (content: string, more: object = {}) =>
  caller.tell('writePost', { params: { id: mine.clientId }, body: { socialAccountId: mine.accountId, content, ...more } })
const library = (tab = 'all') => `/content?client=${mine.clientId}&tab=${tab}`
const card = (page: Page, id: string): Locator => page.locator(`[data-testid=post-card][data-post-id="${id}"]`)
const statusIs = (page: Page, id: string, status: string) => expect.poll(() => card(page, id).getAttribute('data-status')).toBe(status)
const preview = async (page: Page, id: string) => {
  await card(page, id).getByTestId('button-preview').click()
  await page.getByRole('dialog').waitFor()
}
const toast = (page: Page) => page.getByRole('region', { name: /Notifications/ })
const patch = (id: string) => `PATCH /api/posts/${id}`

describe('an act on a post', () => {
  it('shows at once, while the server has not answered yet', async () => {
    const [pending, refused, draft] = [await write('Approve me', { status: 'pending' }), await write('Reject me', { status: 'pending' }), await write('Schedule me')]
    const page = await open(library())
    for (const [post, press, status] of [[pending, 'button-approve', 'approved'], [refused, 'button-reject', 'rejected'], [draft, 'button-schedule-post', 'scheduled']] as const) {
      const letGo = wire.hold(patch(post.id))
      await preview(page, post.id)
      await page.getByTestId(press).click()
      await statusIs(page, post.id, status)
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect((await caller.tell('getPost', { params: { id: post.id } })).status).not.toBe(status)
      letGo()
      await expect.poll(async () => (await caller.tell('getPost', { params: { id: post.id } })).status).toBe(status)
      await toast(page).getByText(/^Post (approved|rejected|scheduled)$/).waitFor()
    }
    const letGo = wire.hold(`DELETE /api/posts/${draft.id}`)
    await preview(page, draft.id)
    await page.getByTestId('button-delete-post').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await card(page, draft.id).waitFor({ state: 'detached' })
    expect((await caller.ask('getPost', { params: { id: draft.id } })).status).toBe(200)
    letGo()
    await toast(page).getByText('Post deleted').waitFor()
    expect((await caller.ask('getPost', { params: { id: draft.id } })).status).toBe(404)
  })

  it.each([
    ['approve', 'button-approve', 'pending', 'Failed to approve post'],
    ['reject', 'button-reject', 'pending', 'Failed to reject post'],
    ['schedule', 'button-schedule-post', 'draft', 'Failed to schedule post'],
  ] as const)('that fails is taken back, and says so: %s', async (_, press, status, failure) => {
    const post = await write('Not yet', status === 'pending' ? { status } : {})
    const page = await open(library())
    const letGo = wire.hold(patch(post.id))
    await preview(page, post.id)
    await page.getByTestId(press).click()
    await expect.poll(() => card(page, post.id).getAttribute('data-status')).not.toBe(status)
    await caller.tell('deletePost', { params: { id: post.id } })
    letGo()
    await toast(page).getByText(failure).waitFor()
    await toast(page).getByText("This post doesn't exist.").waitFor()
    await statusIs(page, post.id, status)
  })

  it('that the connection loses is taken back, in every list, and other acts are left alone', async () => {
    const [first, second] = [await write('First', { status: 'pending' }), await write('Second', { status: 'pending' })]
    const page = await open(library('pending'))
    wire.cut(`DELETE /api/posts/${first.id}`)
    const letGo = wire.hold(patch(second.id))
    await preview(page, second.id)
    await page.getByTestId('button-approve').click()
    await card(page, second.id).waitFor({ state: 'detached' })
    await preview(page, first.id)
    await page.getByTestId('button-delete-post').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await toast(page).getByText('Failed to delete post').waitFor()
    await toast(page).getByText('The server cannot be reached.').waitFor()
    await card(page, first.id).waitFor()
    expect(await card(page, second.id).count()).toBe(0)
    letGo()
    await toast(page).getByText('Post approved').waitFor()
    expect(await page.getByRole('tab', { name: 'Pending' }).textContent()).toBe('Pending(1)')
  })

  it('keeps the reason of a rejection that could not be sent', async () => {
    const { id } = await write('Hold on', { status: 'pending' })
    const page = await open(library())
    wire.cut(patch(id))
    await preview(page, id)
    await page.getByLabel('Reason for a rejection').fill('Too long')
    await page.getByTestId('button-reject').click()
    await toast(page).getByText('Failed to reject post').waitFor()
    wire.mend()
    await preview(page, id)
    expect(await page.getByLabel('Reason for a rejection').inputValue()).toBe('Too long')
    await page.getByTestId('button-reject').click()
    await toast(page).getByText('Post rejected').waitFor()
    expect((await caller.tell('getPost', { params: { id } })).rejectionReason).toBe('Too long')
  })

  it('leaves the keyboard on the screen, also when the card it was opened from goes', async () => {
    const { id } = await write('Approve me', { status: 'pending' })
    const page = await open(library('pending'))
    await preview(page, id)
    await page.getByTestId('button-approve').focus()
    await page.keyboard.press('Enter')
    await card(page, id).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  })
})

describe('the history', () => {
  it('shows what each change did to the text, and the difference between any two versions', async () => {
    const { id } = await write('Our spring menu is here.')
    const revise = (content: string) => caller.tell('changePost', { params: { id }, body: { content } })
    await revise('Our summer menu is here.')
    await revise('Our summer menu is here, with cold brew.')
    const page = await open(library())
    await preview(page, id)
    const history = page.getByTestId('post-history')
    const changes = history.getByTestId('text-difference')
    await expect.poll(() => changes.count()).toBe(2)
    const marked = (of: Locator) => of.evaluate((text) => [...text.querySelectorAll('del, ins')].map((mark) => `${mark.tagName.toLowerCase()}: ${mark.textContent}`))
    expect(await marked(changes.last())).toEqual(['del:  removed: spring end of removed. ', 'ins:  added: summer end of added. '])
    expect(await marked(changes.first())).toEqual(['ins:  added: , with cold brew end of added. '])

    await page.getByText('Compare 3 versions of the text').click()
    const compared = page.getByTestId('compare-versions').getByTestId('text-difference')
    expect(await marked(compared)).toEqual(['del:  removed: spring end of removed. ', 'ins:  added: summer end of added. ', 'ins:  added: , with cold brew end of added. '])
    await holdsUp(page, 'history')
    await page.getByTestId('select-after').click()
    await page.getByRole('option', { name: /^2\. Text edited/ }).click()
    await expect.poll(() => marked(compared)).toEqual(['del:  removed: spring end of removed. ', 'ins:  added: summer end of added. '])
    await page.getByTestId('select-after').click()
    await page.getByRole('option', { name: /^1\. Written/ }).click()
    await page.getByText('The two texts are the same.').waitFor()
  })

  it('of a post that was never changed offers nothing to compare', async () => {
    const { id } = await write('As it was')
    const page = await open(library())
    await preview(page, id)
    await page.getByTestId('history-entry').waitFor()
    expect(await page.getByTestId('compare-versions').count()).toBe(0)
    expect(await page.getByTestId('text-difference').count()).toBe(0)
  })
})
