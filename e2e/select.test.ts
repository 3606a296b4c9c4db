/** A select, opened for the first time by keyboard, and on a phone. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { owner, type TestServer } from '../api/testing/server.ts'
import { actAs, openBrowser, phone, startProduct, visit } from './browser.ts'

let browser: Browser
let server: TestServer

beforeAll(async () => {
  ;[browser, server] = await Promise.all([openBrowser(), startProduct()])
})
afterAll(async () => {
  await browser.close()
  await server.remove()
})

it('a select fits on a phone, and shows long and right-to-left names completely', async () => {
  const caller = await owner(server)
  const names = [
    'Northern Lights Coffee Roasters and Bakery Incorporated of Tromso',
    'مقهى الكأس الزرقاء',
    'בית הקפה הכחול',
  ]
  for (const name of names) await caller.callOrThrow('addClient', { body: { name } })
  const visited = await visit(browser, server, { viewport: phone })
  const { page } = visited
  await actAs(visited, caller, server.url)
  for (const path of ['/content', '/calendar']) {
    await page.goto(path)
    await page.getByTestId('select-client').click()
    for (const name of names) {
      const option = page.getByRole('option', { name })
      await option.waitFor()
      // Measures the text itself: its box can be visible while the letters overflow the edge.
      const reach = () =>
        option.evaluate((row) => {
          const text = [...row.querySelectorAll('[dir=auto]')].at(-1)
          const box = text?.getBoundingClientRect()
          return (
            box !== undefined &&
            box.left >= 0 &&
            box.right <= innerWidth &&
            (row.closest('[role=listbox]')?.scrollWidth ?? 0) <= innerWidth
          )
        })
      await expect.poll(reach).toBe(true)
    }
    await page.keyboard.press('Escape')
  }
  await visited.close()
})
