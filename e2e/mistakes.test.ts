/** What users see after an error: invalid input, a conflict with another tab, a stopped server. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brand, owner, testServer, type TestServer } from '../api/testing/server.ts'
import type { ApiClient } from '../api/http/client.ts'
import { openBrowser, phone, startProduct, visit, type Visit, type VisitOptions } from './browser.ts'

let browser: Browser
let server: TestServer
let caller: ApiClient
let things: { readonly clientId: string; readonly accountId: string }

beforeAll(async () => {
  browser = await openBrowser()
  server = await startProduct()
  caller = await owner(server)
  things = await brand(caller)
})
afterAll(async () => {
  await browser.close()
  await server.remove()
})

async function opened(
  use: (visited: Visit) => Promise<void>,
  options: VisitOptions & { readonly as?: ApiClient } = {},
) {
  const visited = await visit(browser, server, options)
  if (options.as) {
    const [name = '', value = ''] = options.as.cookie.split(/=(.*)/s)
    await visited.page.context().addCookies([{ name, value, url: server.url }])
  }
  await use(visited).finally(() => visited.close())
}

describe('signed out', () => {
  it.each(['/clients', '/calendar', '/settings'])('%s redirects to the landing page', (path) =>
    opened(async ({ page }) => {
      await page.goto(path)
      await page.getByRole('button', { name: 'Create Account' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
    }),
  )

  it('a wrong password shows an error under the form and in a toast, and keeps the e-mail', () =>
    opened(async ({ page }) => {
      await page.goto('/')
      await page.getByRole('tab', { name: 'Sign In' }).click()
      await page.getByLabel('Email').fill('nobody@example.com')
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Sign In', exact: true }).last().click()
      await page.getByText('Sign in failed').waitFor()
      expect(await page.getByTestId('form-error').textContent()).toBe('Wrong e-mail or password. Please try again.')
      expect(await page.getByLabel('Email').inputValue()).toBe('nobody@example.com')
    }))

  it('invalid fields show errors, which are checked again on each change', () =>
    opened(async ({ page }) => {
      await page.goto('/')
      await page.getByLabel('Email').fill('x')
      await page.getByRole('button', { name: 'Create Account' }).click()
      await page.getByText('Enter a valid email').waitFor()
      await page.getByText('Password must be at least 8 characters').waitFor()
      await page.getByLabel('Email').fill('x@example.com')
      await page.getByText('Enter a valid email').waitFor({ state: 'hidden' })
    }))
})

describe('signed in', () => {
  it('an unknown path shows the 404 page', () =>
    opened(
      async ({ page }) => {
        await page.goto('/nowhere')
        await page.getByText('404 Page Not Found').waitFor()
        await page.getByText('Did you forget to add the page to the router?').waitFor()
      },
      { as: caller },
    ))

  it('an action that another tab made impossible is refused with a reason', () =>
    opened(
      async ({ page }) => {
        const body = { socialAccountId: things.accountId, content: 'Seen in two tabs', status: 'pending' }
        const { id } = await caller.callOrThrow('writePost', { params: { id: things.clientId }, body })
        await page.goto(`/content?client=${things.clientId}&tab=pending`)
        await page.locator(`[data-post-id="${id}"]`).getByTestId('button-preview').click()
        await page.getByTestId('button-reject').waitFor()
        await caller.callOrThrow('changePost', { params: { id }, body: { status: 'approved' } })
        await page.getByTestId('button-reject').click()
        await page.getByText('Failed to reject post').waitFor()
        await page.getByText('Only a post that is pending review can be rejected. This one is approved.').waitFor()
      },
      { as: caller },
    ))

  it('a stopped server loses no typed text', async () => {
    const passing = await testServer({}, { webRoot: new URL('../dist/web', import.meta.url).pathname })
    const person = await owner(passing)
    const visited = await visit(browser, passing)
    const [name = '', value = ''] = person.cookie.split(/=(.*)/s)
    await visited.page.context().addCookies([{ name, value, url: passing.url }])
    const { page } = visited
    await page.goto('/clients')
    await page.getByTestId('button-new-client').click()
    await page.getByLabel('Name').fill('Typed before the storm')
    await passing.close()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Create Client|Add Client/ })
      .click()
    await page.getByText('Error', { exact: true }).waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed before the storm')
    await visited.close()
  })
})

describe('accessibility', () => {
  const paths = ['/', '/clients', '/content', '/calendar', '/analytics', '/billing', '/settings', '/nowhere'] as const
  it.each(['light', 'dark'] as const)('axe finds no violation on any screen (%s)', (colorScheme) =>
    opened(
      async ({ page }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        for (const path of [...paths, `/clients/${things.clientId}`, `/content?client=${things.clientId}`]) {
          await page.goto(path)
          await page.waitForLoadState('networkidle')
          const { violations } = await new AxeBuilder({ page }).analyze()
          expect(violations.map(({ id, nodes }) => `${path}: ${id}: ${nodes[0]?.html ?? ''}`)).toEqual([])
        }
      },
      { as: caller },
    ),
  )

  it('no screen is wider than a phone', () =>
    opened(
      async ({ page }) => {
        for (const path of [...paths, `/clients/${things.clientId}`]) {
          await page.goto(path)
          await page.waitForLoadState('networkidle')
          const wider = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          )
          expect({ path, wider }).toEqual({ path, wider: 0 })
        }
      },
      { as: caller, viewport: phone },
    ))
})
