/** The checks of a screen's look find what they are for. */
import { expect, test } from '@playwright/test'
import { overflowOf, violationsOf } from './looks.ts'

const faulty = `<!doctype html><html lang="en"><title>A page</title><main><h1>Heading</h1>
  <style>@media (prefers-color-scheme: dark) { p { color: #777; background: #888 } }</style>
  <p>A text</p><button></button><div style="width: 3000px">A wide part</div></main></html>`

test('axe finds a missing name in every check of a page, and a low contrast only in the scheme that has it', async ({
  page,
}) => {
  await page.setContent(faulty)
  await page.emulateMedia({ colorScheme: 'light' })
  for (const about of ['first', 'second'])
    expect(await violationsOf(page, about)).toEqual([expect.stringContaining(`${about}: button-name: <button>`)])
  expect(await violationsOf(page, 'light', ['color-contrast'])).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violationsOf(page, 'dark', ['color-contrast'])).toEqual([
    expect.stringContaining('dark: color-contrast: <p>'),
  ])
})

test('a page that is wider than the window is measured', async ({ page }) => {
  await page.setViewportSize({ width: 1_000, height: 500 })
  await page.setContent(faulty)
  expect(await overflowOf(page)).toBeGreaterThan(1_900)
})
