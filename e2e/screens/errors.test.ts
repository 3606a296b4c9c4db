/** Every row of the error catalogue, on a desk and on a phone: the real server behind a proxy that fails. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import { brand, owner, signedUp } from '../../api/testing/server.ts'
import { shiftMonth, monthOf } from '../../web/lib/month.ts'
import { instantAt } from '../../web/lib/wall-clock.ts'
import { todayKey } from '../../web/lib/dates.ts'
import { canBeDragged, desktop, phone } from '../browser.ts'
import { looksRight } from '../looks.ts'
import { write } from './posts.ts'
import { becomes, button, openStage, pathOf, toastIs, type Stage } from './stage.ts'

const zone = 'Europe/Berlin'
const month = shiftMonth(monthOf(todayKey(zone)), 1)
const sentence = 'The store is busy. Try again in a minute.'

let stage: Stage
let caller: ApiClient
let mine: { readonly clientId: string; readonly accountId: string }

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server, zone)
  mine = await brand(caller)
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

for (const [place, viewport] of [
  ['on a desk', desktop],
  ['on a phone', phone],
] as const)
  test.describe(`${place} [8.1, 8.3]`, () => {
    let page: Page
    let draft: string

    test.beforeAll(async () => {
      draft = await write(caller, { ...mine, content: `A draft ${place}` })
      page = await stage.enter(caller, { viewport })
    })

    const openPosts = async (id: string, testId: string) => {
      await page.goto(`/content?client=${mine.clientId}`)
      await page.locator(`[data-post-id="${id}"]`).getByTestId(testId).click()
    }
    const dialogButton = (testId: string) => page.getByRole('dialog').getByTestId(testId)

    for (const [tab, route, action, title] of [
      ['Start Free Trial', 'POST /api/auth/register', 'Create Account', 'Sign up failed'],
      ['Sign In', 'POST /api/auth/login', 'Sign In', 'Sign in failed'],
    ] as const)
      test(`${tab}: a failure shows under the form and in a toast [8.4]`, async () => {
        const visitor = await stage.enter(undefined, { viewport })
        await visitor.goto('/')
        await visitor.getByRole('tab', { name: tab }).click()
        await visitor.getByLabel('Email').fill('nobody@example.com')
        await visitor.getByLabel('Password').fill('wrong horse')
        stage.faults.answer(route, 503, sentence)
        await visitor.getByRole('tabpanel').getByRole('button', { name: action }).click()
        await toastIs(visitor, 'destructive', title, sentence)
        expect(await visitor.getByTestId('form-error').textContent()).toBe(sentence)
        expect(await visitor.getByLabel('Email').inputValue()).toBe('nobody@example.com')
        if (viewport === desktop) await looksRight(visitor, `error-${action.toLowerCase().replace(' ', '-')}`)
        await visitor.context().close()
      })

    test('an agency that could not be created shows an error [8.6]', async () => {
      const newcomer = await stage.enter(await signedUp(stage.server), { viewport })
      await newcomer.goto('/onboarding')
      await newcomer.getByLabel('Agency Name').fill('North Star')
      stage.faults.answer('POST /api/agency', 503, sentence)
      await button(newcomer, 'Create Agency').click()
      await toastIs(newcomer, 'destructive', 'Error', sentence)
      expect(pathOf(newcomer)).toBe('/onboarding')
      await newcomer.context().close()
    })

    test('a draft that could not be scheduled from its card shows an error [8.9]', async () => {
      stage.faults.answer(`PATCH /api/posts/${draft}`, 503, sentence)
      await openPosts(draft, 'button-schedule')
      await toastIs(page, 'destructive', 'Error', 'Failed to schedule post', sentence)
      if (viewport === desktop) await looksRight(page, 'error-toast')
    })

    test('a text that could not be saved shows an error and keeps the input [8.11]', async () => {
      await openPosts(draft, 'button-edit')
      await page.getByLabel('Content').fill('Typed in vain')
      stage.faults.answer(`PATCH /api/posts/${draft}`, 503, sentence)
      await dialogButton('button-save-post').click()
      await toastIs(page, 'destructive', 'Error', 'Failed to update post', sentence)
      expect(await page.getByLabel('Content').inputValue()).toBe('Typed in vain')
      if (viewport === desktop) await looksRight(page, 'error-edit')
    })

    test('a post that could not be moved in the calendar shows an error and stays on its day [8.13]', async () => {
      const id = await write(caller, {
        ...mine,
        content: `On its way ${place}`,
        status: 'approved',
        scheduledFor: await instantAt(`${month}-10`, '15:00', zone),
      })
      // The grid takes drags where its tiles have room.
      await page.setViewportSize(desktop)
      await page.goto(`/calendar?month=${month}`)
      const tile = page.locator(`[data-post-id="${id}"]`)
      await canBeDragged(tile)
      stage.faults.answer(`PATCH /api/posts/${id}`, 503, sentence)
      await tile.dragTo(page.getByTestId(`day-${month}-20`))
      await toastIs(page, 'destructive', 'Error', 'Failed to reschedule post', sentence)
      expect(await page.getByTestId(`day-${month}-10`).locator(`[data-post-id="${id}"]`).count()).toBe(1)
      await page.setViewportSize(viewport)
      await caller.callOrThrow('deletePost', { params: { id } })
    })

    test('a post that could not be moved by its dialog shows an error [8.14]', async () => {
      const id = await write(caller, {
        ...mine,
        content: `By dialog ${place}`,
        status: 'approved',
        scheduledFor: await instantAt(`${month}-11`, '15:00', zone),
      })
      await openPosts(id, 'button-preview')
      await dialogButton('button-move-post').click()
      stage.faults.answer(`PATCH /api/posts/${id}`, 503, sentence)
      await page.getByRole('dialog').last().locator('input[type=datetime-local]').fill(`${month}-21T09:00`)
      await page.getByRole('dialog').last().getByRole('button', { name: /^Move/ }).click()
      await toastIs(page, 'destructive', 'Error', 'Failed to reschedule post', sentence)
      await caller.callOrThrow('deletePost', { params: { id } })
    })

    test('sample data that could not be created show an error [8.19]', async () => {
      await page.goto('/analytics')
      stage.faults.answer('POST /api/seed-analytics', 503, sentence)
      await page.getByTestId('button-generate-sample').click()
      await toastIs(page, 'destructive', 'Error', sentence)
    })

    for (const [name, status, text, told] of [
      ['the status and its colon are not shown', 500, 'It broke.', 'It broke.'],
      ['an answer without a word says its status in words', 502, '', 'Bad Gateway'],
      ['nothing but a status is Something went wrong', 500, ' ', 'Something went wrong'],
    ] as const)
      test(name, async () => {
        await page.goto('/analytics')
        stage.faults.answer('POST /api/seed-analytics', status, text)
        await page.getByTestId('button-generate-sample').click()
        await toastIs(page, 'destructive', 'Error', told)
      })

    test('a failed agency look-up leads to the setup [8.20]', async () => {
      stage.faults.answer('GET /api/agency', 503, sentence)
      await page.goto('/clients')
      await page.getByRole('heading', { name: 'Welcome to SocialAI!' }).waitFor()
      expect(pathOf(page)).toBe('/onboarding')
    })

    test('an unknown path shows the 404 page [8.21]', async () => {
      await page.goto('/nowhere')
      await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
      await becomes(() => pathOf(page), '/nowhere')
    })
  })
