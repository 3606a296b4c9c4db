/** The screens' requests: with cookies, in JSON, without retries, and never without a user's action. */
import { expect, test, type Page, type Request } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import { brand, owner } from '../../api/testing/server.ts'
import { write } from './posts.ts'
import { becomes, button, chooseZone, listen, openStage, requestsArrive, toastIs, type Stage } from './stage.ts'

const gone = 'The server cannot be reached. Nothing is lost: check the connection, then try again.'

let stage: Stage
let caller: ApiClient
let page: Page
let mine: { readonly clientId: string; readonly accountId: string }

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server)
  mine = await brand(caller)
  page = await stage.enter(caller)
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

test.describe('every request', () => {
  test('carries the cookie, and sends its body as JSON [7.1]', async () => {
    const requests: Request[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) requests.push(request)
    })
    for (const path of ['/', '/clients', `/content?client=${mine.clientId}`, '/calendar', '/analytics', '/billing']) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
    }
    await page.goto('/clients?add=true')
    await page.getByRole('dialog').getByLabel('Name').fill('Fjord')
    await page.getByRole('dialog').getByRole('button', { name: 'Create Client' }).click()
    await page.getByText('Client created!').waitFor()
    const told = await Promise.all(requests.map(async (request) => ({ request, headers: await request.allHeaders() })))
    expect(
      told.filter(({ headers }) => !headers['cookie']?.includes('socialai=')).map(({ request }) => request.url()),
    ).toEqual([])
    const sent = told.filter(({ request }) => request.postData() !== null)
    expect(sent.map(({ request, headers }) => [request.method(), headers['content-type']])).toEqual([
      ['POST', 'application/json'],
    ])
    expect(told.length - sent.length).toBe(told.filter(({ request }) => request.method() === 'GET').length)
    const read = new Set(
      requests.filter((request) => request.method() === 'GET').map((request) => new URL(request.url()).pathname),
    )
    for (const path of [
      '/api/auth/user',
      '/api/agency',
      '/api/clients',
      `/api/clients/${mine.clientId}/posts`,
      `/api/clients/${mine.clientId}/social-accounts`,
      '/api/analytics',
    ]) {
      expect(read).toContain(path)
    }
  })
})

test.describe('An approval', () => {
  const texts = {
    'a short text': 'Fresh bread from seven.',
    'a text longer than its card': `Bread. ${'Again. '.repeat(80)}`,
  }
  for (const [name, content] of Object.entries(texts))
    test(`of ${name} sends the command and reads the list of posts and its counts once`, async () => {
      const id = await write(caller, { ...mine, content, status: 'pending' })
      await page.goto(`/content?client=${mine.clientId}&tab=pending`)
      // The dialog asks for them once its part of the screen is loaded.
      const comments = page.waitForResponse(`**/api/posts/${id}/comments*`)
      await page.locator(`[data-post-id="${id}"]`).getByTestId('button-preview').click()
      await page.getByRole('dialog').getByTestId('button-approve').waitFor()
      await comments
      const requests: string[] = []
      const note = (request: Request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/api/') && !pathname.startsWith('/api/news'))
          requests.push(`${request.method()} ${pathname}`)
      }
      page.on('request', note)
      await page.getByRole('dialog').getByTestId('button-approve').click()
      await page.getByText('Post approved').waitFor()
      const read = ['posts', 'post-counts'].map((list) => `GET /api/clients/${mine.clientId}/${list}`)
      await expect.poll(() => requests).toEqual([`PATCH /api/posts/${id}`, ...read])
      // A request that the replies lead to comes before this one.
      await page.evaluate(() => fetch('/api/agency').then((reply) => reply.text()))
      page.off('request', note)
      expect(requests).toEqual([`PATCH /api/posts/${id}`, ...read, 'GET /api/agency'])
    })
})

test.describe('loaded data', () => {
  test.describe.configure({ mode: 'serial' })
  test('is not refetched on focus, after a network break, on navigating back, or over time [7.2]', async () => {
    await page.clock.install()
    await page.goto('/clients')
    await page.getByTestId('client-card').first().waitFor()
    await page.waitForLoadState('networkidle')
    const again = ['GET /api/clients', 'GET /api/agency', 'GET /api/auth/user'].map((route) => listen(page, route))
    await page.evaluate(() => {
      window.dispatchEvent(new Event('blur'))
      window.dispatchEvent(new Event('focus'))
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await page.getByTestId('nav-dashboard').click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.getByTestId('nav-clients').click()
    await page.getByTestId('client-card').first().waitFor()
    await page.clock.runFor(3_600_000)
    await requestsArrive(page)
    expect(again).toEqual([[], [], []])
  })

  test('is refetched by the Refresh button', async () => {
    const again = listen(page, 'GET /api/clients')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await becomes(() => again.length, 1)
  })
})

test.describe('a failed request', () => {
  for (const route of ['GET /api/clients', 'GET /api/analytics', 'GET /api/calendar', 'GET /api/auth/user'] as const)
    test(`${route} is not retried [7.3]`, async () => {
      const fresh = await stage.enter(caller)
      await fresh.clock.install()
      stage.faults.answer(route, 503, 'Busy')
      const asked = listen(fresh, route)
      // The calendar also requests the month before and the month after.
      await fresh.goto(route.endsWith('user') ? '/' : route.replace('GET /api', ''))
      await fresh.getByRole('alert').waitFor()
      const before = asked.length
      await fresh.clock.runFor(120_000)
      await fresh.getByRole('alert').waitFor()
      await requestsArrive(fresh)
      expect(asked.length).toBe(before)
      expect(before).toBeLessThanOrEqual(route.endsWith('calendar') ? 3 : 1)
      await fresh.context().close()
    })

  test('that sent data is not retried [7.4]', async () => {
    const fresh = await stage.enter(caller)
    await fresh.clock.install()
    await fresh.goto('/clients?add=true')
    await fresh.getByRole('dialog').getByLabel('Name').fill('Lumen')
    stage.faults.answer('POST /api/clients', 503, 'Busy')
    const sent = listen(fresh, 'POST /api/clients')
    await fresh.getByRole('dialog').getByRole('button', { name: 'Create Client' }).click()
    await fresh.getByTestId('form-error').getByText('Busy').waitFor()
    await fresh.clock.runFor(120_000)
    await requestsArrive(fresh)
    expect(sent.length).toBe(1)
    await fresh.context().close()
  })
})

test.describe('without a connection', () => {
  test('an action shows an error, is undone, and is not sent once the connection is back', async () => {
    const id = await write(caller, { ...mine, content: 'Not now', status: 'pending' })
    const away = await stage.enter(caller)
    await away.goto(`/content?client=${mine.clientId}`)
    const card = away.locator(`[data-post-id="${id}"]`)
    await card.getByTestId('button-preview').click()
    await away.getByRole('dialog').getByTestId('button-approve').waitFor()
    const sent = listen(away, `PATCH /api/posts/${id}`)
    await away.context().setOffline(true)
    await away.getByRole('dialog').getByTestId('button-approve').click()
    await toastIs(away, 'destructive', 'Error', 'Failed to approve post', gone)
    await becomes(() => card.getAttribute('data-status'), 'pending')
    const tried = sent.length
    await back(away)
    await button(away, 'Refresh').click()
    await becomes(() => button(away, 'Refresh').isEnabled(), true)
    expect(sent.length).toBe(tried)
    expect((await caller.callOrThrow('getPost', { params: { id } })).status).toBe('pending')
    await away.context().close()
  })

  test('a form shows an error, keeps its input, and is sent again only by the user', async () => {
    const away = await stage.enter(caller)
    await away.goto('/settings')
    await button(away, 'Save Changes').waitFor()
    await chooseZone(away, 'Europe/Madrid')
    const sent = listen(away, 'PATCH /api/agency')
    await away.context().setOffline(true)
    await button(away, 'Save Changes').click()
    await becomes(() => away.getByTestId('form-error').textContent(), gone)
    const tried = sent.length
    await back(away)
    await away.getByTestId('nav-clients').click()
    await away.getByTestId('client-card').first().waitFor()
    expect(sent.length).toBe(tried)
    await away.context().close()
  })

  test('Refresh shows an error, and Try again loads the list once the connection is back', async () => {
    const away = await stage.enter(caller)
    await away.goto('/clients')
    await away.getByTestId('client-card').first().waitFor()
    await away.context().setOffline(true)
    await button(away, 'Refresh').click()
    await away.getByRole('alert').getByText(gone).waitFor()
    const asked = listen(away, 'GET /api/clients')
    await back(away)
    expect(asked).toEqual([])
    await button(away, 'Try again').click()
    await away.getByTestId('client-card').first().waitFor()
    expect(asked.length).toBe(1)
    await away.context().close()
  })
})

/** Waits until the browser is online again. */
async function back(page: Page): Promise<void> {
  await page.context().setOffline(false)
  await becomes(() => page.evaluate(() => navigator.onLine), true)
}
