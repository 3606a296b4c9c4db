/** Import from a spreadsheet: each row is checked before the import, and a file sent twice is imported once. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { brand, owner } from '../api/testing/server.ts'
import { phone } from './browser.ts'
import { looksRight } from './looks.ts'
import { becomes, button, openStage, toastIs, type Stage } from './screens/stage.ts'

let stage: Stage
let caller: ApiClient
let page: Page
let clientId: string

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server)
  ;({ clientId } = await brand(caller))
  page = await stage.enter(caller)
})
test.afterAll(() => stage.close())

const dialog = () => page.getByRole('dialog', { name: 'Import posts' })
const count = async () => (await caller.tellAll('listPosts', { params: { id: clientId } })).length
const route = () => `POST /api/clients/${clientId}/posts/import`

async function open(): Promise<void> {
  await page.goto(`/clients/${clientId}?tab=posts`)
  await page.getByTestId('button-import-posts').click()
  await dialog().waitFor()
}
const choose = (...lines: readonly string[]) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name: 'march.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
const many = (howMany: number, name: string) => [
  'content,platform',
  ...Array.from({ length: howMany }, (_, at) => `${name} ${at},facebook`),
]
const start = () => page.getByTestId('button-start-import')

test.describe('A CSV file', () => {
  test.describe.configure({ mode: 'serial' })
  test('says on a phone which columns are needed, beside the button that waits for them [P16.5]', async () => {
    await open()
    await choose('Notes,Copy,Where', `for Ada,${'A long first text of a post. '.repeat(4)},facebook`)
    const desktop = page.viewportSize() ?? phone
    await page.setViewportSize(phone)
    const needed = page.getByTestId('columns-needed')
    await expect(needed).toBeInViewport({ ratio: 1 })
    await page.getByTestId('select-column-content').click()
    await page.getByRole('option', { name: 'Copy', exact: true }).click()
    const example = page.getByText(/^First value: A long first text/)
    await example.waitFor()
    expect((await example.boundingBox())?.height).toBeGreaterThan(30)
    await expect(needed).toBeInViewport({ ratio: 1 })
    await page.getByTestId('select-column-platform').click()
    await page.getByRole('option', { name: 'Where', exact: true }).click()
    await needed.waitFor({ state: 'detached' })
    await page.setViewportSize(desktop)
    await page.keyboard.press('Escape')
  })

  test('with unknown columns names those that are ignored, and asks which is which [P16.2]', async () => {
    await open()
    await choose('Notes,Copy,Where', 'for Ada,Chosen by hand,facebook')
    await page.getByText('Ignored columns: “Notes”, “Copy”, “Where”').waitFor()
    expect(await page.getByTestId('button-check-rows').isDisabled()).toBe(true)
    await looksRight(page, 'import-columns')
    for (const [column, name] of [
      ['content', 'Copy'],
      ['platform', 'Where'],
    ] as const) {
      await page.getByTestId(`select-column-${column}`).click()
      await page.getByRole('option', { name, exact: true }).click()
    }
    await page.getByText('First value: Chosen by hand').waitFor()
    await page.getByTestId('button-check-rows').click()
    await becomes(() => start().textContent(), 'Import 1 post')
    expect(await page.getByTestId('ignored-columns').textContent()).toBe('Ignored columns: “Notes”')
    await page.getByTestId('button-change-columns').click()
    await page.getByTestId('button-check-rows').waitFor()
    await button(page, 'Choose another file').click()
  })

  test("is shown row by row with each row's error before it is imported", async () => {
    await open()
    await looksRight(page, 'import-choose')
    await choose(
      'content,platform,date',
      'Good morning,facebook,2099-03-01',
      'Good evening,facebook,',
      'Nobody there,myspace,',
    )
    await becomes(() => start().textContent(), 'Import 2 posts')
    expect(
      await page.getByTestId('import-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-verdict'))),
    ).toEqual(['ready', 'ready', 'refused'])
    await dialog().getByText('“myspace” is not a network. Use facebook, instagram, x or linkedin.').waitFor()
    await looksRight(page, 'import-checked')
    expect(await count()).toBe(0)
    await page.getByTestId('import-refused').click()
    await becomes(() => page.getByTestId('import-row').count(), 1)
    await start().click()
    await page.getByTestId('import-written').getByText('2').waitFor()
    await looksRight(page, 'import-ended')
    await button(page, 'Done').click()
    await becomes(() => page.getByTestId('post-card').count(), 2)
  })

  test('that is imported again says that nothing is new, and adds nothing', async () => {
    await open()
    await choose(
      'content,platform,date',
      'Good morning,facebook,2099-03-01',
      'Good evening,facebook,',
      'Nobody there,myspace,',
    )
    await page.getByTestId('import-known').getByText('2').waitFor()
    expect(await start().textContent()).toBe('Nothing to Import')
    expect(await start().isDisabled()).toBe(true)
    expect(await count()).toBe(2)
  })

  test('is imported as posts for review when this option is chosen', async () => {
    await open()
    await choose('content,platform', 'For review,facebook', `${'x'.repeat(64_000)},facebook`)
    await becomes(() => start().textContent(), 'Import 2 posts')
    await page.getByText('Posts pending review').click()
    await becomes(() => start().textContent(), 'Import 1 post')
    await start().click()
    await button(page, 'Done').click()
    const posts = await caller.tellAll('listPosts', { params: { id: clientId } })
    expect(posts.find(({ content }) => content === 'For review')?.status).toBe('pending')
  })

  test('of many rows shows its progress, and can be stopped and resumed', async () => {
    const before = await count()
    await open()
    await choose(...many(120, 'Row'))
    await becomes(() => start().textContent(), 'Import 120 posts')
    const release = stage.faults.hold(route())
    await start().click()
    await becomes(() => page.getByRole('progressbar').getAttribute('aria-valuetext'), '0 of 120 rows')
    await looksRight(page, 'import-progress')
    await button(page, 'Stop').click()
    release()
    await button(page, 'Continue').waitFor()
    expect(await count()).toBe(before + 50)
    await button(page, 'Continue').click()
    await button(page, 'Done').click()
    expect(await count()).toBe(before + 120)
  })

  test('is imported once when the button is pressed twice', async () => {
    const before = await count()
    await open()
    await choose(...many(120, 'Twice'))
    await becomes(() => start().textContent(), 'Import 120 posts')
    await start().dblclick()
    await page.getByTestId('import-written').getByText('120').waitFor()
    expect(await count()).toBe(before + 120)
    await button(page, 'Done').click()
  })

  test('says how far it came when the connection breaks, and resumes without losing rows', async () => {
    const before = await count()
    await open()
    await choose(...many(60, 'Interrupted'))
    await becomes(() => start().textContent(), 'Import 60 posts')
    stage.faults.cut(route())
    await start().click()
    await page.getByRole('alert').getByText('The import stopped after 0 of 60 rows.').waitFor()
    stage.faults.mend()
    await button(page, 'Continue').click()
    await button(page, 'Done').click()
    expect(await count()).toBe(before + 60)
  })

  test('stops being imported when its dialog is closed, and a toast says so', async () => {
    await open()
    await choose(...many(60, 'Closed'))
    await becomes(() => start().textContent(), 'Import 60 posts')
    const release = stage.faults.hold(route())
    await start().click()
    await page.getByRole('progressbar').waitFor()
    await page.keyboard.press('Escape')
    await toastIs(
      page,
      'default',
      'Import stopped',
      'Imported posts are kept. Import the same file again to continue: no post is written twice.',
    )
    release()
  })

  for (const [name, lines, sentence] of [
    ['is empty', [''], 'This file is empty. The first line names the columns, each further line is a post.'],
    [
      'has nothing but columns',
      ['content,platform'],
      'There are no posts in this file. The first line names the columns, each further line is a post.',
    ],
  ] as const)
    test(`that ${name} is refused with an explanation, and another file can be chosen`, async () => {
      await open()
      await choose(...lines)
      await page.getByRole('alert').getByText(sentence).waitFor()
      await choose('content,platform', 'A better file,facebook')
      await becomes(() => start().textContent(), 'Import 1 post')
    })

  test('that is offered as an example is read without changes', async () => {
    const body = new Blob(
      [await readFile(fileURLToPath(new URL('../web/public/example-posts.csv', import.meta.url)))],
      { type: 'text/csv' },
    )
    const { rows } = await caller.callOrThrow('importPosts', {
      params: { id: clientId },
      query: { dryRun: 'true' },
      body,
    })
    expect(rows.map(({ verdict, sentence }) => [verdict, sentence])).toEqual([
      ['ready', null],
      ['refused', 'This client has no account on X (Twitter).'],
      ['refused', 'This client has no account on Instagram.'],
      ['refused', 'This client has no account on LinkedIn.'],
    ])
  })
})
