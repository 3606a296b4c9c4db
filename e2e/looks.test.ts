/** The checks of a screen's look find what they are for. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { axeSource } from './axe.ts'
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

test('axe with our changes has the same results as without them', async ({ page }) => {
  await page.setContent(`${faulty}<style>
    .box { background: oklch(0.9 0.1 240 / 0.5); color: #666c; opacity: 0.9; mix-blend-mode: multiply }
    .shadow { text-shadow: 0 0 2px rgb(0 0 0 / 80%); color: hsl(200 50% 50%) } </style>
    <div class="box">One <p>and <b class="shadow">more</b></p></div><div class="box"><a href="#x">A link</a></div>`)
  const resultsOf = async (source: { readonly axeSource?: string }) => {
    const { violations, passes, incomplete } = await new AxeBuilder({ page, ...source }).setLegacyMode().analyze()
    return { violations, passes, incomplete }
  }
  const expected = await resultsOf({})
  expect(JSON.stringify(expected)).toContain('"contrastRatio"')
  expect(await resultsOf({ axeSource })).toEqual(expected)
  // A second analysis knows the colours of the first.
  expect(await resultsOf({ axeSource: ';' })).toEqual(expected)
})
