/** A select, opened for the first time by keyboard, and on a phone. */
import { expect, test, type Browser } from '@playwright/test'
import { owner, type TestServer } from '../api/testing/server.ts'
import { actAs, closePages, phone, startProduct, visit } from './browser.ts'

let browser: Browser
let server: TestServer

test.beforeAll(async ({ browser: shared }) => {
  browser = shared
  server = await startProduct()
})
test.afterAll(async () => {
  await closePages(browser)
  await server.remove()
})

test('a select fits on a phone, and shows long and right-to-left names completely', async () => {
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
