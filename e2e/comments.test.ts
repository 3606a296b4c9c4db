/** Comments in a browser: of members and of a client's people, by mouse, by touch and by keyboard alone. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import { later } from '../api/core/clock.ts'
import { phone, visit, type Visit } from './browser.ts'
import { holdsUpEverywhere, openOffice, type Office } from './office.ts'
import { becomes } from './screens/stage.ts'

let stage: Office['stage']
let boss: Office['boss']
let office: Office['office']
let cup: Office['cup']
let imageUrl: string
test.beforeAll(async ({ browser }) => {
  ;({ stage, boss, cup, office } = await openOffice(browser))
  const create = { width: 800, height: 420, channels: 3, background: '#b5835a' } as const
  const image = await sharp({ create }).jpeg().toBuffer()
  const body = new Blob([new Uint8Array(image)], { type: 'image/jpeg' })
  imageUrl = (await boss.callOrThrow('uploadImage', { body })).url
})
test.afterAll(() => stage.close())

async function submitted(content: string): Promise<string> {
  const body = { socialAccountId: cup.accountId, content, imageUrl, status: 'pending' } as const
  return (await boss.callOrThrow('writePost', { params: { id: cup.clientId }, body })).id
}

const commentsOf = async (id: string) => (await boss.callOrThrow('listComments', { params: { id } })).comments

/** Selects words of the read-only text by the keyboard, as a finger's long press selects them. */
async function selectWords(text: Locator, from: number, to: number): Promise<void> {
  await text.focus()
  await text.press('Control+Home')
  for (let at = 0; at < from; at++) await text.press('ArrowRight')
  for (let at = from; at < to; at++) await text.press('Shift+ArrowRight')
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('Not in sight')
  return box
}

async function preview(id: string): Promise<Locator> {
  await office.goto(`/clients/${cup.clientId}?tab=posts`)
  await office.locator(`[data-post-id="${id}"]`).getByTestId('button-preview').click()
  const panel = office.getByRole('dialog').getByTestId('comments')
  await panel.getByTestId('comment-form').waitFor()
  return panel
}

test('A member comments on a selection and on a point, replies, edits and removes', async () => {
  const id = await submitted('Autumn breads are back at nine')
  const panel = await preview(id)
  await panel.getByTestId('button-choose-place').click()
  const text = panel.getByLabel('Select a part of the text')
  // By the mouse: a double click selects a word. The button takes the focus, and the selection stays.
  const box = await boxOf(text)
  await text.dblclick({ position: { x: 24, y: Math.min(18, box.height / 2) } })
  await panel.getByTestId('button-comment-on-selection').click()
  await expect(panel.getByTestId('comment-place')).toHaveText(/^About “Autumn ?”$/)
  await panel.getByLabel('Write a comment').fill('Rather: Winter')
  await panel.getByTestId('button-send-comment').click()
  await panel.getByTestId('comment-about').getByText('About “Autumn').waitFor()

  await panel.getByTestId('button-choose-place').click()
  const image = panel.getByTestId('pinned-image')
  await becomes(() => image.locator('img').evaluate((each: HTMLImageElement) => each.naturalHeight > 0), true)
  const size = await boxOf(image)
  await image.click({ position: { x: size.width / 4, y: size.height / 2 } })
  await panel.getByLabel('Write a comment').fill('Darker here')
  await panel.getByText('Client', { exact: true }).click()
  await holdsUpEverywhere(office, 'comments-member')
  await panel.getByTestId('button-send-comment').click()
  await panel.getByTestId('comment-about').getByText('Point 1').waitFor()
  const [onText, onImage] = await commentsOf(id)
  expect(onText?.anchor).toMatchObject({ kind: 'range', from: 0 })
  expect(onImage).toMatchObject({
    audience: 'client',
    anchor: { kind: 'point', x: expect.closeTo(0.25, 2), y: expect.closeTo(0.5, 2) },
  })

  await panel
    .getByTestId('thread')
    .first()
    .getByRole('button', { name: /^Reply to/ })
    .click()
  await panel.getByLabel('Write a reply').fill('Or: Cold')
  await panel.getByTestId('reply-form').getByTestId('button-send-comment').click()
  const reply = panel.getByTestId('comment').filter({ hasText: 'Or: Cold' })
  await reply.getByRole('button', { name: /^Edit/ }).click()
  await panel.getByLabel('Edit', { exact: true }).fill('Or: Crisp')
  await panel.getByTestId('button-save-comment').click()
  const edited = panel.getByTestId('comment').filter({ hasText: 'Or: Crisp' })
  await edited.getByRole('button', { name: /^Remove/ }).click()
  await office.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await panel.getByText('This comment was removed.').waitFor()
  // The history has that there were comments.
  await expect(office.getByTestId('history-comment')).toHaveCount(3)
})

test('A member comments on a selection and on a point by the keyboard alone', async () => {
  const id = await submitted('Rye and spelt')
  const panel = await preview(id)
  await panel.getByTestId('button-choose-place').press('Enter')
  await selectWords(panel.getByLabel('Select a part of the text'), 8, 13)
  await office.keyboard.press('Tab')
  await office.keyboard.press('Enter')
  await expect(panel.getByTestId('comment-place')).toHaveText('About “spelt”')
  await office.keyboard.press('Tab')
  await office.keyboard.press('Enter')
  await office.keyboard.press('ArrowRight')
  await expect(panel.getByTestId('comment-place')).toHaveText('About a point of the image')
  await panel.getByLabel('Write a comment').focus()
  await office.keyboard.type('Lighter')
  await panel.getByTestId('button-send-comment').press('Enter')
  await becomes(async () => {
    const [comment] = await commentsOf(id)
    return comment?.anchor?.kind === 'point' ? [comment.anchor.x, comment.anchor.y] : null
  }, [0.55, 0.5])
})

test.describe('A client, on a phone', () => {
  test.describe.configure({ mode: 'serial' })
  let client: Visit
  let page: Page
  let id: string
  test.beforeAll(async ({ browser }) => {
    id = await submitted('Cinnamon rolls on Sunday')
    const { url } = await boss.callOrThrow('issueReviewLink', {
      params: { id: cup.clientId },
      body: {
        anyone: true,
        expiresAt: later(stage.server.clock.now(), 86_400_000),
        may: ['approve', 'comment', 'suggest'],
        scope: { kind: 'posts', postIds: [id] },
      },
    })
    client = await visit(browser, stage.server, { viewport: phone })
    page = client.page
    await page.goto(url ?? '')
    await page.getByTestId('post-to-review').waitFor()
  })
  test.afterAll(async () => {
    await client.close()
    expect(client.complaints).toEqual([])
  })
  const talk = () => page.getByTestId('review-comments')

  test('comments on selected words and on a point, edits and removes', async () => {
    await expect(talk().getByTestId('button-comments')).toHaveText('Comments')
    await talk().getByTestId('button-comments').click()
    await talk().getByLabel('Your name').fill('Nora')
    await talk().getByTestId('button-choose-place').click()
    await talk().getByTestId('button-comment-on-selection').click()
    await talk().getByText('Select the words that your comment is about first.').waitFor()
    await holdsUpEverywhere(page, 'comments-client-choose')
    await selectWords(talk().getByLabel('Select a part of the text'), 0, 8)
    await talk().getByTestId('button-comment-on-selection').click()
    await expect(talk().getByTestId('comment-place')).toHaveText('About “Cinnamon”')
    await talk()
      .getByLabel(/^Write to /)
      .fill('Or cardamom')
    await talk().getByTestId('button-send-comment').click()
    await talk().getByText('About “Cinnamon”').waitFor()
    await expect(talk().getByTestId('button-comments')).toHaveText('Comments (1)')

    await talk().getByTestId('button-choose-place').click()
    const image = talk().getByTestId('pinned-image')
    const size = await boxOf(image)
    await image.click({ position: { x: size.width * 0.75, y: size.height / 2 } })
    await talk()
      .getByLabel(/^Write to /)
      .fill('More icing')
    await talk().getByTestId('button-send-comment').click()
    await talk().getByText('About point 1 of the image').waitFor()
    await talk().getByTestId('comment-points').getByText('1', { exact: true }).waitFor()
    await holdsUpEverywhere(page, 'comments-client')

    await talk().getByRole('button', { name: 'Edit your comment: More icing' }).click()
    await talk().getByLabel('Edit your comment', { exact: true }).fill('Much more icing')
    await talk().getByTestId('button-save-own').click()
    await talk().getByText('Much more icing').waitFor()
    await talk().getByRole('button', { name: 'Remove your comment: Or cardamom' }).click()
    await expect(talk().getByRole('button', { name: 'Keep it' })).toBeFocused()
    await holdsUpEverywhere(page, 'comments-client-remove')
    await talk().getByTestId('button-remove-own').click()
    await talk().getByText('This comment was removed.').waitFor()
    expect((await commentsOf(id)).map(({ state, text }) => [state, text])).toEqual([
      ['removed', null],
      ['shown', 'Much more icing'],
    ])
  })

  test('suggests a text by the keyboard alone, which the agency takes over', async () => {
    await talk().getByTestId('button-suggest-change').press('Enter')
    const field = talk().getByLabel('Your text')
    await expect(field).toBeFocused()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' at nine')
    await holdsUpEverywhere(page, 'comments-client-suggest')
    await page.keyboard.press('Tab')
    await page.keyboard.type('So that people know')
    await talk().getByTestId('button-send-suggestion').press('Enter')
    const suggestion = talk().getByTestId('review-suggestion')
    await suggestion.getByText('waits for the agency').waitFor()
    await expect(talk().getByTestId('button-comments')).toBeFocused()
    await holdsUpEverywhere(page, 'comments-client-suggested')

    const panel = await preview(id)
    await panel.getByTestId('suggestion').waitFor()
    await panel.getByTestId('button-take-over').click()
    await becomes(
      async () => (await boss.callOrThrow('getPost', { params: { id } })).content,
      'Cinnamon rolls on Sunday at nine',
    )
    await page.reload()
    await page.getByTestId('post-changes').getByText('Changed since you last saw it').waitFor()
    await talk().getByTestId('button-comments').click()
    await suggestion.getByText('taken over').waitFor()
    await holdsUpEverywhere(page, 'comments-client-taken')
  })
})
