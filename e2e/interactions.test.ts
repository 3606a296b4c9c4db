/**
 * Usability of the screens: optimistic actions, differences between texts, a calendar for mouse, keyboard and touch,
 * and restored places.
 */
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { MovableClock } from '../api/core/clock.ts'
import { brand, owner, type TestServer } from '../api/testing/server.ts'
import {
  actAs,
  canBeDragged,
  closePages,
  dragTo,
  startProduct,
  visit,
  type Visit,
  type VisitOptions,
} from './browser.ts'
import { startFaults, type Faults } from './faults.ts'
import { holdsUp } from './looks.ts'
import { todayKey } from '../web/lib/dates.ts'
import { monthOf, shiftDay, shiftMonth, weeksOf } from '../web/lib/month.ts'

const day = 24 * 3_600_000

let browser: Browser
let server: TestServer
let faults: Faults
let caller: ApiClient
let mine: { readonly clientId: string; readonly accountId: string }
let visits: Visit[] = []

test.beforeAll(async ({ browser: shared }) => {
  browser = shared
  server = await startProduct()
  faults = await startFaults(server.url)
})
test.afterAll(async () => {
  await closePages(browser)
  await faults.close()
  await server.remove()
})
test.beforeEach(async () => {
  caller = await owner(server)
  mine = await brand(caller)
})
test.afterEach(async () => {
  faults.mend()
  const complaints = visits.flatMap((visited) => visited.complaints)
  await Promise.all(visits.map((visited) => visited.close()))
  visits = []
  // The browser also logs the faults that the tests cause.
  expect(complaints.filter((text) => !/ERR_EMPTY_RESPONSE|status of (402|409|503)/.test(text))).toEqual([])
})

/** A page on which the owner is signed in, with the faults in front of the server. */
async function open(path: string, options: VisitOptions = {}): Promise<Page> {
  const visited = await visit(browser, { ...server, url: faults.url }, { animated: true, ...options })
  visits.push(visited)
  const [name = '', value = ''] = caller.cookie.split(/=(.*)/s)
  await visited.page.context().addCookies([{ name, value, url: faults.url }])
  await visited.page.goto(path)
  return visited.page
}
const write = (content: string, more: object = {}) =>
  caller.callOrThrow('writePost', {
    params: { id: mine.clientId },
    body: { socialAccountId: mine.accountId, content, ...more },
  })
const inTime = (ms: number) => new Date(Date.parse(server.clock.now()) + ms).toISOString()
async function scheduled(content: string, scheduledFor: string): Promise<string> {
  const { id } = await write(content)
  await caller.callOrThrow('changePost', { params: { id }, body: { status: 'scheduled', scheduledFor } })
  return id
}
const library = (tab = 'all') => `/content?client=${mine.clientId}&tab=${tab}`
const card = (page: Page, id: string): Locator => page.locator(`[data-testid=post-card][data-post-id="${id}"]`)
const preview = async (page: Page, id: string) => {
  await card(page, id).getByTestId('button-preview').click()
  await page.getByRole('dialog').waitFor()
}
const dayOf = (instant: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(new Date(instant))
const toast = (page: Page) => page.getByRole('region', { name: /Notifications/ })
const patch = (id: string) => `PATCH /api/posts/${id}`

test.describe('an action on a post', () => {
  test('keeps the focus on the screen when the card it was opened from disappears', async () => {
    const { id } = await write('Approve me', { status: 'pending' })
    const page = await open(library('pending'))
    await preview(page, id)
    await page.getByTestId('button-approve').focus()
    await page.keyboard.press('Enter')
    await card(page, id).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  })
})

test.describe('the history', () => {
  test('shows each change of the text, and the difference between any two versions', async () => {
    const { id } = await write('Our spring menu is here.')
    const revise = (content: string) => caller.callOrThrow('changePost', { params: { id }, body: { content } })
    await revise('Our summer menu is here.')
    await revise('Our summer menu is here, with cold brew.')
    const page = await open(library())
    await preview(page, id)
    const history = page.getByTestId('post-history')
    const changes = history.getByTestId('text-difference')
    await expect.poll(() => changes.count()).toBe(2)
    const marked = (of: Locator) =>
      of.evaluate((text) =>
        [...text.querySelectorAll('del, ins')].map((mark) => `${mark.tagName.toLowerCase()}: ${mark.textContent}`),
      )
    expect(await marked(changes.last())).toEqual([
      'del:  removed: spring end of removed. ',
      'ins:  added: summer end of added. ',
    ])
    expect(await marked(changes.first())).toEqual(['ins:  added: , with cold brew end of added. '])

    await page.getByText('Compare 3 versions of the text').click()
    const compared = page.getByTestId('compare-versions').getByTestId('text-difference')
    expect(await marked(compared)).toEqual([
      'del:  removed: spring end of removed. ',
      'ins:  added: summer end of added. ',
      'ins:  added: , with cold brew end of added. ',
    ])
    await holdsUp(page, 'history')
    await page.getByTestId('select-after').click()
    await page.getByRole('option', { name: /^2\. Text edited/ }).click()
    await expect
      .poll(() => marked(compared))
      .toEqual(['del:  removed: spring end of removed. ', 'ins:  added: summer end of added. '])
    await page.getByTestId('select-after').click()
    await page.getByRole('option', { name: /^1\. Written/ }).click()
    await page.getByText('Both texts are the same.').waitFor()
  })

  test('of an unchanged post offers no comparison', async () => {
    const { id } = await write('As it was')
    const page = await open(library())
    await preview(page, id)
    await page.getByTestId('history-entry').waitFor()
    expect(await page.getByTestId('compare-versions').count()).toBe(0)
    expect(await page.getByTestId('text-difference').count()).toBe(0)
  })
})

test.describe('the calendar', () => {
  /** Noon in the agency's zone in winter, one o'clock in summer. */
  const noonIn = (days: number) => `${dayOf(inTime(days * day))}T11:00:00.000Z`
  /** The same of a day of next month: the days beside it are on the same page of the calendar. */
  const noonOn = (number: number) => `${shiftMonth(monthOf(todayKey('Europe/Berlin')), 1)}-${number}T11:00:00.000Z`
  const cell = (page: Page, instant: string) => page.getByTestId(`day-${dayOf(instant)}`)
  const tile = (of: Page | Locator, id: string) => of.locator(`[data-testid=calendar-post][data-post-id="${id}"]`)
  const openMonth = (instant: string, options?: VisitOptions) =>
    open(`/calendar?month=${dayOf(instant).slice(0, 7)}`, options)

  test("fills the window's height, also below a notice", async () => {
    const page = await open('/calendar')
    for (const viewport of [
      { width: 1440, height: 1000 },
      { width: 390, height: 900 },
    ]) {
      await page.setViewportSize(viewport)
      await page.getByTestId('calendar-grid').waitFor()
      const left = () =>
        page.evaluate(
          () =>
            innerHeight -
            (document.querySelector('[data-testid=calendar-legend]')?.getBoundingClientRect().bottom ?? 0),
        )
      await expect
        .poll(async () => {
          const pixels = await left()
          return pixels > 0 && pixels < 40
        })
        .toBe(true)
    }
  })

  test('shows a move at once, and undoes it when it can not be saved', async () => {
    const [from, to] = [noonOn(10), noonOn(11)]
    const id = await scheduled('Move me', from)
    const page = await openMonth(from)
    const release = faults.hold(patch(id))
    await dragTo(tile(page, id), cell(page, to))
    await tile(cell(page, to), id).waitFor()
    expect((await caller.callOrThrow('getPost', { params: { id } })).scheduledFor).toBe(from)
    release()
    await toast(page).getByText('Post rescheduled').waitFor()
    expect(dayOf((await caller.callOrThrow('getPost', { params: { id } })).scheduledFor ?? '')).toBe(dayOf(to))
    await expect.poll(() => page.getByTestId('live-region').textContent()).toMatch(/^Moved to /)

    faults.cut(patch(id))
    await dragTo(tile(page, id), cell(page, from))
    await toast(page).getByText('Failed to reschedule post').waitFor()
    await toast(page).getByText('The server cannot be reached.').waitFor()
    await tile(cell(page, to), id).waitFor()
    expect(await tile(cell(page, from), id).count()).toBe(0)
  })

  /** Drags a post over a day without dropping it. */
  async function carry(page: Page, id: string, over: Locator): Promise<void> {
    await canBeDragged(tile(page, id))
    await tile(page, id).hover()
    await page.mouse.down()
    await over.hover()
    await over.hover({ position: { x: 20, y: 40 } })
  }

  test('refuses a past day while the post is being dragged', async () => {
    const today = todayKey('Europe/Berlin')
    const [past, next] = [`${shiftDay(today, -1)}T11:00:00.000Z`, `${shiftDay(today, 1)}T11:00:00.000Z`]
    const month = [past, next]
      .map((at) => dayOf(at).slice(0, 7))
      .find((each) => [past, next].every((at) => weeksOf(each).flat().includes(dayOf(at))))
    test.skip(
      month === undefined,
      'A month that begins on a Sunday began today: no page of the calendar has both days.',
    )
    const id = await scheduled('Not back', next)
    const page = await open(`/calendar?month=${month}`)
    await carry(page, id, cell(page, past))
    await cell(page, past).getByText('In the past').waitFor()
    expect(await cell(page, past).getAttribute('data-refuses')).toBe('true')
    await page.mouse.up()
    await tile(cell(page, next), id).waitFor()
    expect(await page.getByRole('alertdialog').count()).toBe(0)
  })

  test("shows X's price while a post for X is being dragged", async () => {
    mine = await brand(caller, 'twitter')
    const from = noonOn(10)
    const id = await scheduled('See https://example.com/menu', from)
    const page = await openMonth(from)
    await carry(page, id, cell(page, noonOn(11)))
    await page
      .getByTestId('drag-note')
      .getByText('X (Twitter) charges $0.20 for this post, because it has a link.')
      .waitFor()
    await page.mouse.up()
    await toast(page).getByText('Post rescheduled').waitFor()
    await tile(page, id).click()
    await page.getByTestId('post-price').getByText('$0.20').waitFor()
    await page.getByTestId('button-move-post').click()
    await page.getByRole('dialog', { name: 'Move to date' }).getByText('$0.20').waitFor()
  })

  test('moves a post by keyboard, announces its new time, and keeps the focus on it', async () => {
    const [from, to] = [noonOn(10), noonOn(11)]
    const id = await scheduled('By keyboard', from)
    const page = await openMonth(from)
    await tile(page, id).focus()
    await page.keyboard.press('Enter')
    await page.getByTestId('button-move-post').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Date and time').fill(`${dayOf(to)}T15:30`)
    await page.keyboard.press('Enter')
    await tile(cell(page, to), id).waitFor()
    await expect.poll(() => page.getByTestId('live-region').textContent()).toMatch(/^Moved to .* at 3:30 PM\.$/)
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-post-id'))).toBe(id)
  })

  test('follows a post into another month, and explains the new time of a post in the spring gap', async () => {
    const march = `${Number(dayOf(inTime(0)).slice(0, 4)) + 1}-03`
    const sunday =
      weeksOf(march)
        .map(([first = '']) => first)
        .findLast((first) => first.startsWith(march)) ?? ''
    const id = await scheduled('Far away', noonIn(10))
    const page = await openMonth(noonIn(10))
    await tile(page, id).focus()
    await page.keyboard.press('Enter')
    await page.getByTestId('button-move-post').click()
    await page.getByLabel('Date and time').fill(`${sunday}T02:30`)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByTestId('text-month').textContent()).toBe(`March ${march.slice(0, 4)}`)
    await tile(page.getByTestId(`day-${sunday}`), id).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-post-id'))).toBe(id)
    await expect
      .poll(() => page.getByTestId('live-region').textContent())
      .toMatch(/3:00 AM\. Clocks go forward that day, so 2:30 AM became 3:00 AM\.$/)
    await toast(page).getByText('2:30 AM became 3:00 AM').waitFor()
  })

  test('opens the whole day from "+3 more"', async () => {
    const at = noonOn(10)
    for (let index = 0; index < 6; index++)
      await scheduled(`Number ${index}`, new Date(Date.parse(at) + index * 60_000).toISOString())
    const page = await openMonth(at)
    await cell(page, at).getByText('+3 more').click()
    await expect.poll(() => page.getByRole('dialog').getByRole('listitem').count()).toBe(6)
    await holdsUp(page, 'calendar-day')
    await page.getByRole('dialog').getByText('Number 4').click()
    await page.getByRole('dialog', { name: 'Post Details' }).getByText('Number 4').waitFor()
  })
})

test.describe('after the trial without a payment', () => {
  test('a held post can not be moved to any day, and the reason is shown while dragging and on touch screens', async () => {
    const clock = new MovableClock()
    const product = await startProduct({ clock })
    const person = await owner(product)
    const { clientId, accountId } = await brand(person)
    const { id } = await person.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: 'Held' },
    })
    await person.callOrThrow('changePost', {
      params: { id },
      body: { status: 'scheduled', scheduledFor: new Date(Date.parse(clock.now()) + 8 * day - 60_000).toISOString() },
    })
    clock.advance(8 * day)
    await expect
      .poll(async () => (await person.callOrThrow('getPost', { params: { id } })).delivery, { timeout: 20_000 })
      .toBe('held')
    const { scheduledFor } = await person.callOrThrow('getPost', { params: { id } })
    const ended = 'Your free trial has ended. Add a payment method to continue.'

    const visited = await visit(browser, product, { animated: true })
    visits.push(visited)
    await actAs(visited, person, product.url)
    const { page } = visited
    await page.goto(`/calendar?month=${dayOf(scheduledFor ?? '').slice(0, 7)}`)
    const held = page.locator(`[data-post-id="${id}"]`)
    await canBeDragged(held)
    await held.hover()
    await page.mouse.down()
    const next = page.getByRole('gridcell').filter({ hasNot: held }).last()
    await next.hover()
    await next.hover({ position: { x: 20, y: 40 } })
    await page.getByTestId('drag-note').getByText(ended).waitFor()
    await next.getByText('Payment needed').waitFor()
    await page.mouse.up()
    expect((await person.callOrThrow('getPost', { params: { id } })).delivery).toBe('held')
    await visited.close()

    const context = await browser.newContext({
      baseURL: product.url,
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
      timezoneId: 'Europe/Berlin',
    })
    const [name = '', value = ''] = person.cookie.split(/=(.*)/s)
    await context.addCookies([{ name, value, url: product.url }])
    const phone = await context.newPage()
    await phone.goto(`/content?client=${clientId}`)
    await phone.getByTestId('button-preview').tap()
    await phone.getByTestId('blocked-reason').getByText(ended).waitFor()
    await phone.getByRole('button', { name: 'Close' }).tap()
    await phone.getByRole('button', { name: 'New Post' }).tap({ force: true })
    await phone.getByText('Not possible right now').waitFor()
    await context.close()
    await product.remove()
  })

  test('the count of held posts decreases with each released post', async () => {
    const clock = new MovableClock()
    const product = await startProduct({ clock })
    const person = await owner(product)
    const { clientId, accountId } = await brand(person)
    for (const content of ['One', 'Two']) {
      const { id } = await person.callOrThrow('writePost', {
        params: { id: clientId },
        body: { socialAccountId: accountId, content },
      })
      await person.callOrThrow('changePost', {
        params: { id },
        body: { status: 'scheduled', scheduledFor: new Date(Date.parse(clock.now()) + 8 * day - 60_000).toISOString() },
      })
    }
    clock.advance(8 * day)
    await expect.poll(async () => (await person.callOrThrow('getAgency')).heldPosts, { timeout: 20_000 }).toBe(2)
    const agencyId = (await person.callOrThrow('getAgency')).id
    await product.commands.agency(
      agencyId,
      {
        type: 'RecordSubscription',
        subscriptionId: 'sub_1',
        customerId: 'cus_1',
        status: 'active',
        currentPeriodEnd: new Date(Date.parse(clock.now()) + 30 * day).toISOString(),
        endsWithPeriod: false,
        asOf: clock.now(),
        begunAt: clock.now(),
        heard: 'told',
      },
      { actor: { type: 'process', id: 'billing' }, agencyId, correlationId: agencyId },
    )
    const visited = await visit(browser, product, { animated: true })
    visits.push(visited)
    await actAs(visited, person, product.url)
    const { page } = visited
    await page.goto(`/content?client=${clientId}`)
    await page.getByTestId('notice').getByText('2 posts were on hold').waitFor()
    await page.getByTestId('button-preview').first().click()
    await page.getByRole('button', { name: 'Release', exact: true }).click()
    await page.getByTestId('notice').getByText('1 post was on hold').waitFor()
    await visited.close()
    await product.remove()
  })
})

test.describe("the user's place in the product", () => {
  test('keeps the chosen client between Content and Calendar', async () => {
    const other = await caller.callOrThrow('addClient', { body: { name: 'Red Cup' } })
    const page = await open('/content')
    await page.getByTestId('select-client').click()
    await page.getByRole('option', { name: 'Red Cup' }).click()
    const isChosen = async (name: string) =>
      expect.poll(() => page.getByTestId('select-client').textContent()).toContain(name)
    await isChosen('Red Cup')
    await page.getByTestId('nav-dashboard').click()
    await page.getByTestId('nav-calendar').click()
    await isChosen('Red Cup')
    await page.getByTestId('select-client').click()
    await page.getByRole('option', { name: 'All Clients' }).click()
    await page.getByTestId('nav-settings').click()
    await page.getByTestId('nav-calendar').click()
    await isChosen('All Clients')
    await page.getByTestId('nav-content').click()
    await isChosen('Red Cup')
    await page.goto(`/clients/${other.id}`)
    await page.getByTestId('button-delete-client').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Client' }).click()
    await toast(page).getByText('Client deleted').waitFor()
    await page.getByTestId('nav-content').click()
    // The only client that is left is chosen.
    await isChosen('Blue Cup')
  })

  test("is restored after a network's consent page", async () => {
    const id = await scheduled('Needs its account', inTime(2 * day))
    await caller.callOrThrow('disconnectSocialAccount', { params: { id: mine.accountId } })
    const visited = await visit(browser, server, { animated: true })
    visits.push(visited)
    await actAs(visited, caller, server.url)
    const { page } = visited
    await page.goto(library('approved'))
    await preview(page, id)
    await page.getByRole('link', { name: 'Connect the account' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await toast(page).getByText('Blue Cup is ready to publish.').waitFor()
    await card(page, id).waitFor()
    const { pathname, searchParams } = new URL(page.url())
    expect({ pathname, tab: searchParams.get('tab'), client: searchParams.get('client') }).toEqual({
      pathname: `/content/${id}`,
      tab: 'approved',
      client: mine.clientId,
    })
    // A consent started on the account's card returns to it.
    await page.goto(`/clients/${mine.clientId}?tab=accounts`)
    await page.getByRole('link', { name: 'Reconnect' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await toast(page).getByText('Blue Cup is ready to publish.').waitFor()
    await page.getByTestId('account-card').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/clients/${mine.clientId}`)
  })
})

test.describe('the keyboard', () => {
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  test('opens every screen, lists the shortcuts, and creates clients, accounts and posts', async () => {
    const page = await open('/')
    await heading(page, 'Dashboard')
    for (const [key, name] of [
      ['c', 'Clients'],
      ['o', 'Content Library'],
      ['k', 'Content Calendar'],
      ['a', 'Analytics'],
      ['b', 'Billing'],
      ['s', 'Settings'],
      ['d', 'Dashboard'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await heading(page, name)
      await page.keyboard.press('Shift+?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      // Nothing fires while a dialog is open.
      await page.keyboard.press('g')
      await page.keyboard.press('c')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await heading(page, name)
    }
    const creates: readonly (readonly [string, string])[] = [
      ['/', 'Add New Client'],
      ['/clients', 'Add New Client'],
      [`/clients/${mine.clientId}`, 'New Post'],
      [`/clients/${mine.clientId}?tab=accounts`, 'Add Social Account'],
      [`/clients/${mine.clientId}?tab=posts`, 'New Post'],
      [library(), 'New Post'],
      [`/calendar?client=${mine.clientId}`, 'New Post'],
    ]
    for (const [path, name] of creates) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page
        .getByRole('tab', { selected: true })
        .or(page.getByTestId('client-card'))
        .or(page.getByTestId('calendar-grid'))
        .first()
        .waitFor()
      await page.keyboard.press('n')
      await page.getByRole('dialog', { name }).waitFor()
    }
    await page.goto('/calendar')
    await page.getByTestId('select-client').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('option', { name: 'Blue Cup' }).waitFor()
    for (const path of ['/content', '/calendar', '/analytics']) {
      await page.goto(path)
      await page.getByTestId('select-client').waitFor()
      await page.keyboard.press('/')
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-testid')))
        .toBe('select-client')
    }
    for (const path of ['/analytics', '/billing', '/settings']) {
      await page.goto(path)
      await page.getByTestId('sidebar').waitFor()
      await page.keyboard.press('n')
      await page.keyboard.press('Shift+?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      expect(await page.getByRole('option').count()).toBe(0)
    }
  })

  test('triggers no shortcut in a text field', async () => {
    const page = await open(`/clients/${mine.clientId}?tab=posts`)
    await page.getByTestId('button-new-post').click()
    const content = page.getByRole('textbox', { name: /^Content/ })
    await content.focus()
    await page.keyboard.type('gc n / ? gs')
    expect(await content.inputValue()).toBe('gc n / ? gs')
    expect(new URL(page.url()).pathname).toBe(`/clients/${mine.clientId}`)
  })
})
