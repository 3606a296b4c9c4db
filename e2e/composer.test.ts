/** The composer in a browser: what is in sight, at which size, and images that are dropped. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import { patience } from '../domain/test/patience.ts'
import { brand, owner } from '../api/testing/server.ts'
import { desktop, phone } from './browser.ts'
import { holdsUp } from './looks.ts'
import { openStage, type Stage } from './screens/stage.ts'

let stage: Stage
let page: Page
let clientId: string

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  const caller = await owner(stage.server)
  const made = await brand(caller, 'instagram')
  clientId = made.clientId
  for (const platform of ['facebook', 'twitter', 'linkedin'] as const)
    await caller.callOrThrow('addSocialAccount', {
      params: { id: clientId },
      body: { platform, accountName: `Blue Cup ${platform}` },
    })
  page = await stage.enter(caller)
})
test.afterAll(() => stage.close())

async function compose(size = desktop): Promise<Locator> {
  await page.setViewportSize(size)
  await page.goto(`/clients/${clientId}?tab=posts&compose=true`)
  const dialog = page.getByRole('dialog', { name: 'New Post' })
  await dialog.waitFor()
  await page.getByTestId('select-account').click()
  await page.getByRole('option', { name: /Instagram/ }).click()
  return dialog
}

/** Whether all of it can be seen without scrolling. */
const isInSight = (element: Locator) =>
  element.evaluate((node) => {
    const { top, bottom, left, width } = node.getBoundingClientRect()
    const { innerHeight } = window
    const seen = document.elementFromPoint(left + width / 2, (top + bottom) / 2)
    return top >= -1 && bottom <= innerHeight + 1 && (node === seen || node.contains(seen))
  })

for (const [name, size] of [
  ['a desktop', desktop],
  ['a phone', phone],
] as const) {
  test(`the date is in sight on ${name} without scrolling [P11.23]`, async () => {
    const dialog = await compose(size)
    await dialog.getByText('Choose date and time').click()
    await expect.poll(() => isInSight(dialog.getByLabel(/^Date and time/))).toBe(true)
  })
}

test('the next free slot is named', async () => {
  const dialog = await compose()
  await dialog.getByText(/^Next free slot: \w{3} 9:00 AM$/).waitFor()
  await dialog.getByTestId('other-accounts').getByText('Blue Cup twitter · X (Twitter)').click()
  await dialog.getByText('Each account gets its own next free slot.').waitFor()
  await dialog.getByLabel(/^Content/).fill('With @bluecup: autumn breads are back at https://bluecup.coffee #bread')
  await expect.poll(() => dialog.getByTestId('preview-link').allTextContents()).toEqual(['@bluecup', '#bread'])
  await holdsUp(page, 'composer')
})

test('an image that is dropped is converted for Instagram, and the JPEG is submitted [P11.24]', async () => {
  const dialog = await compose()
  const image = await sharp({ create: { width: 600, height: 600, channels: 4, background: '#336699' } })
    .png()
    .toBuffer()
  const data = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(bytes)], 'cup.png', { type: 'image/png' }))
      return transfer
    },
    [...image],
  )
  await dialog.dispatchEvent('dragover', { dataTransfer: data })
  await dialog.getByText('Drop the image to upload it.').waitFor()
  await dialog.dispatchEvent('drop', { dataTransfer: data })
  await dialog.getByText('Converted to JPEG for Instagram.').waitFor()
  await dialog.getByText(/^JPEG, 600 × 600/).waitFor()
  await dialog.getByLabel(/^Content/).fill('The first cold brew of the year.')
  await dialog.getByRole('button', { name: 'Submit for Review' }).click()
  await page.getByText('Post is waiting for review.').waitFor()
})

test('at 400 % zoom everything can be reached and used [P11.25]', async () => {
  // 1280 x 1024 at 400 %: WCAG 2.2, 1.4.10.
  const dialog = await compose({ width: 320, height: 256 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  for (const control of [
    dialog.getByLabel(/^Content/),
    dialog.getByText('Choose date and time'),
    dialog.getByTestId('button-upload-image'),
    dialog.getByRole('button', { name: 'Save as Draft' }),
    dialog.getByRole('button', { name: 'Schedule', exact: true }),
  ]) {
    // What loads meanwhile may move it.
    await expect(async () => {
      await control.scrollIntoViewIfNeeded()
      expect(await isInSight(control)).toBe(true)
    }).toPass(patience)
  }
  // At least half of the height shows what is written.
  await dialog.getByLabel(/^Content/).fill('Cold brew is back.')
  const body = await dialog.getByLabel(/^Content/).evaluate((field) => field.getBoundingClientRect().height)
  expect(body).toBeGreaterThan(100)
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await dialog.getByText('A post on Instagram needs an image. Add one first.', { exact: true }).waitFor()
  await expect.poll(() => isInSight(dialog.getByTestId('form-error'))).toBe(true)
  await dialog.getByRole('button', { name: 'Save as Draft' }).click()
  await page.getByText('Draft saved').waitFor()
})
