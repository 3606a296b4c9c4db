/** A list to choose from, by keyboard alone, the first time that it is opened. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { brand, owner, type TestServer } from '../api/testing.ts'
import { actAs, openBrowser, startProduct, visit } from './browser.ts'

let browser: Browser
let server: TestServer

beforeAll(async () => {
  ;[browser, server] = await Promise.all([openBrowser(), startProduct()])
})
afterAll(async () => {
  await browser.close()
  await server.remove()
})

it.each(['Enter', 'ArrowDown'])('opened with %s, it starts at its first entry, which Enter takes', async (key) => {
  const caller = await owner(server)
  await brand(caller)
  const visited = await visit(browser, server)
  const { page } = visited
  await actAs(visited, caller, server.url)
  await page.goto('/content')
  await page.getByTestId('select-client').focus()
  await page.keyboard.press(key)
  await page.getByRole('option').first().waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('option')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.has('client')).toBe(true)
  await visited.close()
})
