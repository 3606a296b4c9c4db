/** What users see after an error: invalid input, a conflict with another tab, a stopped server. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brand, owner, type TestServer } from '../api/testing/server.ts'
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

  it('a wrong password shows an error under the form and in a toast, and keeps the e-mail [8.5]', () =>
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
