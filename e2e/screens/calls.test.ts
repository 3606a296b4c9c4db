/** How the screens talk with the server: with cookies, in JSON, once, and never by themselves. */
import type { Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../api/caller.ts'
import { brand, owner } from '../../api/testing.ts'
import { becomes, listen, openStage, type Stage } from './stage.ts'

let stage: Stage
let caller: Caller
let page: Page
let mine: { readonly clientId: string; readonly accountId: string }

beforeAll(async () => {
  stage = await openStage()
  caller = await owner(stage.server)
  mine = await brand(caller)
  page = await stage.enter(caller)
})
afterEach(() => stage.faults.mend())
afterAll(() => stage.close())

describe('every request', () => {
  it('carries the cookie, and what is sent is JSON', async () => {
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
    expect(told.filter(({ headers }) => !headers['cookie']?.includes('socialai=')).map(({ request }) => request.url())).toEqual([])
    const sent = told.filter(({ request }) => request.postData() !== null)
    expect(sent.map(({ request, headers }) => [request.method(), headers['content-type']])).toEqual([['POST', 'application/json']])
    expect(told.length - sent.length).toBe(told.filter(({ request }) => request.method() === 'GET').length)
    const read = new Set(requests.filter((request) => request.method() === 'GET').map((request) => new URL(request.url()).pathname))
    for (const path of ['/api/auth/user', '/api/agency', '/api/clients', `/api/clients/${mine.clientId}/posts`, `/api/clients/${mine.clientId}/social-accounts`, '/api/analytics']) {
      expect(read).toContain(path)
    }
  })
})

describe('what was read', () => {
  it('is not read again: not on focus, not after a break in the network, not on coming back, not with time', async () => {
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
    expect(again).toEqual([[], [], []])
  })

  it('is read again when somebody asks for it', async () => {
    const again = listen(page, 'GET /api/clients')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await becomes(() => again.length, 1)
  })
})

describe('what failed', () => {
  it.each(['GET /api/clients', 'GET /api/analytics', 'GET /api/calendar', 'GET /api/auth/user'])('%s is not tried again', async (route) => {
    const fresh = await stage.enter(caller)
    await fresh.clock.install()
    stage.faults.answer(route, 503, 'Busy')
    const asked = listen(fresh, route)
    // A month at each end of the calendar belongs to its screen too.
    await fresh.goto(route.endsWith('user') ? '/' : route.replace('GET /api', ''))
    await fresh.getByRole('alert').waitFor()
    const before = asked.length
    await fresh.clock.runFor(120_000)
    await fresh.getByRole('alert').waitFor()
    expect(asked.length).toBe(before)
    expect(before).toBeLessThanOrEqual(route.endsWith('calendar') ? 3 : 1)
    await fresh.context().close()
  })

  it('what was sent is not sent again', async () => {
    await page.goto('/clients?add=true')
    await page.getByRole('dialog').getByLabel('Name').fill('Lumen')
    stage.faults.answer('POST /api/clients', 503, 'Busy')
    const sent = listen(page, 'POST /api/clients')
    await page.getByRole('dialog').getByRole('button', { name: 'Create Client' }).click()
    await page.getByTestId('form-error').getByText('Busy').waitFor()
    await page.clock.runFor(120_000)
    expect(sent.length).toBe(1)
  })
})
