/** What users see after an error: invalid input, a conflict with another tab, a stopped server. */
import { expect, test, type Browser } from '@playwright/test'
import { brand, owner, type TestServer } from '../api/testing/server.ts'
import type { ApiClient } from '../api/http/client.ts'
import { closePages, startProduct, visit, type Visit, type VisitOptions } from './browser.ts'
import { holdsUp } from './looks.ts'

let browser: Browser
let server: TestServer
let caller: ApiClient
let things: { readonly clientId: string; readonly accountId: string }

test.beforeAll(async ({ browser: shared }) => {
  browser = shared
  server = await startProduct()
  caller = await owner(server)
  things = await brand(caller)
})
test.afterAll(async () => {
  await closePages(browser)
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

test.describe('signed out', () => {
  for (const path of ['/clients', '/calendar', '/settings'] as const)
    test(`${path} redirects to the landing page`, () =>
      opened(async ({ page }) => {
        await page.goto(path)
        await page.getByRole('button', { name: 'Create Account' }).waitFor()
        expect(new URL(page.url()).pathname).toBe('/')
      }))

  test('a wrong password shows an error under the form and in a toast, and keeps the email [8.5]', () =>
    opened(async ({ page }) => {
      await page.goto('/')
      await page.getByRole('tab', { name: 'Sign In' }).click()
      await page.getByLabel('Email').fill('nobody@example.com')
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Sign In', exact: true }).last().click()
      await page.getByText('Sign in failed').waitFor()
      expect(await page.getByTestId('form-error').textContent()).toBe('Wrong email or password. Please try again.')
      expect(await page.getByLabel('Email').inputValue()).toBe('nobody@example.com')
    }))
})

test.describe('signed in', () => {
  test('an unknown path shows the 404 page', () =>
    opened(
      async ({ page }) => {
        await page.goto('/nowhere')
        await page.getByText('404 Page Not Found').waitFor()
        await page.getByText('Did you forget to add the page to the router?').waitFor()
      },
      { as: caller },
    ))
})

test.describe('accessibility', () => {
  const paths = [
    '/',
    '/clients',
    '/content',
    '/calendar',
    '/analytics',
    '/billing',
    '/settings',
    '/nowhere',
    '/clients/:id',
    '/content?client=:id',
  ] as const
  for (const path of paths)
    test(`axe finds no violation at ${path} in light and dark mode, and nothing is wider than a phone`, () =>
      opened(
        async ({ page }) => {
          await page.goto(path.replace(':id', things.clientId))
          await page.locator('h1').first().waitFor()
          await expect(page.locator('output').filter({ hasText: /^Loading/ })).toHaveCount(0)
          await holdsUp(page, `screen${path.replaceAll(/\W/g, '-')}`)
        },
        { as: caller },
      ))
})
