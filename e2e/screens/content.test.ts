/** The Content Library: the client selector, the tabs, the cards, and the actions on a post. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import { brand, owner } from '../../api/testing/server.ts'
import { formatDateTime, formatSoon } from '../../web/lib/dates.ts'
import { desktop, phone } from '../browser.ts'
import { looksRight } from '../looks.ts'
import { publish, write } from './posts.ts'
import { becomes, button, listen, openStage, toast, toastIs, type Stage } from './stage.ts'

const zone = 'Europe/Berlin'
const long = Array.from({ length: 40 }, (_, index) => `Sentence number ${index} about coffee.`).join(' ')

let stage: Stage
let caller: ApiClient
let page: Page
let mine: { readonly clientId: string; readonly accountId: string }
let ids: Record<'draft' | 'pending' | 'approved' | 'scheduled' | 'published' | 'rejected', string>

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server, zone)
  mine = await brand(caller)
  ids = {
    published: await publish(stage.server, caller, { ...mine, content: 'It is out' }),
    draft: await write(caller, { ...mine, content: long, imageUrl: `${stage.faults.url}/og.png` }),
    pending: await write(caller, { ...mine, content: 'It waits', status: 'pending' }),
    approved: await write(caller, { ...mine, content: 'It may go out', status: 'approved' }),
    scheduled: await write(caller, { ...mine, content: 'It will go out', status: 'scheduled' }),
    rejected: await write(caller, { ...mine, content: 'It must not', status: 'rejected' }),
  }
  page = await stage.enter(caller)
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

const open = async (tab = 'all') => {
  await page.goto(`/content?client=${mine.clientId}&tab=${tab}`)
  await cards().first().waitFor()
}
const cards = () => page.getByTestId('post-card')
const card = (id: string) => page.locator(`[data-post-id="${id}"]`)
const tabs = () => page.getByRole('tab').allTextContents()
const preview = () => page.getByRole('dialog', { name: 'Post Preview' })
const edit = () => page.getByRole('dialog', { name: 'Edit Post' })
const actions = (status: keyof typeof ids) => card(ids[status]).getByRole('button').allTextContents()

test.describe('the client selector', () => {
  test.describe.configure({ mode: 'serial' })
  test('says Select a client when no client is chosen, and the screen says Select a Client [2.73]', async () => {
    await caller.callOrThrow('addClient', { body: { name: 'Second brand' } })
    await page.goto('/content')
    await page.getByRole('heading', { level: 1, name: 'Content Library' }).waitFor()
    await page.getByRole('heading', { name: 'Select a Client' }).waitFor()
    expect(await page.getByTestId('select-client').textContent()).toBe('Select a client')
    await looksRight(page, 'content-choose')
  })

  test("lists the clients, and shows the chosen client's posts [2.74]", async () => {
    await page.getByTestId('select-client').click()
    await becomes(() => page.getByRole('option').allTextContents(), ['All clients', 'Blue Cup', 'Second brand'])
    await looksRight(page, 'content-selector')
    await page.getByRole('option', { name: 'Blue Cup' }).click()
    await cards().first().waitFor()
  })
})

test.describe('the tabs', () => {
  test.describe.configure({ mode: 'serial' })
  test('are five, and Pending and Approved have a count [2.75]', async () => {
    await open()
    await becomes(tabs, ['All Posts', 'Pending(1)', 'Approved(2)', 'Published', 'Drafts'])
  })

  for (const [name, shown] of [
    ['All Posts', ['approved', 'draft', 'pending', 'published', 'rejected', 'scheduled']],
    ['Pending', ['pending']],
    ['Approved', ['approved', 'scheduled']],
    ['Published', ['published']],
    ['Drafts', ['draft', 'rejected']],
  ] as const)
    test(`show by status: ${name} has ${JSON.stringify(shown)} [2.76]`, async () => {
      await page.getByRole('tab', { name }).click()
      await becomes(
        async () =>
          (await cards().evaluateAll((all) => all.map((each) => each.getAttribute('data-status')))).toSorted(),
        [...shown],
      )
    })
})

test.describe('the search', () => {
  test.describe.configure({ mode: 'serial' })
  const statuses = async () =>
    (await cards().evaluateAll((all) => all.map((each) => each.getAttribute('data-status')))).toSorted()

  test('finds posts by the beginnings of their words, in the chosen tab', async () => {
    await open()
    await page.getByTestId('input-search-posts').fill('OUT it')
    await becomes(statuses, ['approved', 'published', 'scheduled'])
    await page.waitForURL(/[?&]q=OUT/)
    await looksRight(page, 'content-search')
    await page.getByRole('tab', { name: 'Approved' }).click()
    await becomes(statuses, ['approved', 'scheduled'])
    await page.reload()
    await becomes(statuses, ['approved', 'scheduled'])
    expect(await page.getByTestId('input-search-posts').inputValue()).toBe('OUT it')
  })

  test('says when nothing matches, on the chosen network too', async () => {
    await page.getByTestId('select-platform').click()
    await page.getByRole('option', { name: 'LinkedIn' }).click()
    await page.getByText('No posts match “OUT it” on LinkedIn').waitFor()
    await looksRight(page, 'content-search-empty')
    await page.getByTestId('input-search-posts').fill('')
    await page.getByText('No posts on LinkedIn').waitFor()
  })
})

test.describe('a card', () => {
  test.beforeAll(() => open())

  test('names the network and the account [2.77]', async () => {
    expect(await card(ids.pending).locator('header').textContent()).toContain('FacebookBlue Cup')
  })

  for (const [status, label] of [
    ['draft', 'Draft'],
    ['pending', 'Pending Review'],
    ['approved', 'Approved'],
    ['scheduled', 'Scheduled'],
    ['published', 'Published'],
    ['rejected', 'Rejected'],
  ] as const)
    test(`has a badge: ${status} is shown as ${label} [2.78, 4.1]`, async () => {
      expect(await card(ids[status]).getByTestId(`status-${status}`).textContent()).toBe(label)
    })

  test('has a date line [2.79]', async () => {
    const { scheduledFor } = await caller.callOrThrow('getPost', { params: { id: ids.approved } })
    await card(ids.approved)
      .getByText(`Scheduled for ${formatSoon(scheduledFor ?? '', zone)}`, { exact: true })
      .waitFor()
    const { publishedAt } = await caller.callOrThrow('getPost', { params: { id: ids.published } })
    await card(ids.published)
      .getByText(`Published ${formatDateTime(publishedAt ?? '', zone)}`, { exact: true })
      .waitFor()
    const { createdAt } = await caller.callOrThrow('getPost', { params: { id: ids.draft } })
    await card(ids.draft)
      .getByText(`Created ${formatDateTime(createdAt, zone)}`, { exact: true })
      .waitFor()
  })

  test('clips a long text to 3 lines [2.80, 9.18]', async () => {
    const { lines, hidden } = await card(ids.draft)
      .getByTestId('post-content')
      .evaluate((element) => ({
        lines: element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight),
        hidden: element.scrollHeight > element.clientHeight,
      }))
    expect({ lines: Math.round(lines), hidden }).toEqual({ lines: 3, hidden: true })
  })

  test('shows its image if it has one [2.81]', async () => {
    expect(await card(ids.draft).locator('img').getAttribute('src')).toContain('/og.png')
    expect(await card(ids.pending).locator('img').count()).toBe(0)
    await looksRight(page, 'content')
  })

  test('offers Preview in any status, Edit for drafts and rejected posts, Schedule for drafts [2.82, 4.8]', async () => {
    expect(await actions('draft')).toEqual(['Preview', 'Edit', 'Schedule'])
    expect(await actions('rejected')).toEqual(['Preview', 'Edit'])
    expect(await actions('pending')).toEqual(['Preview', 'Approve', 'Reject'])
    for (const status of ['approved', 'scheduled', 'published'] as const)
      expect(await actions(status)).toEqual(['Preview'])
  })

  test('with an unknown status shows as a draft [4.2]', async () => {
    stage.faults.rewriteBody(`GET /api/clients/${mine.clientId}/posts`, (body) =>
      body.replace('"status":"pending"', '"status":"archived"'),
    )
    await open()
    expect(await card(ids.pending).getByTestId('status-draft').textContent()).toBe('Draft')
    expect(await card(ids.pending).getAttribute('data-status')).toBe('archived')
  })
})

test.describe('a list of long texts', () => {
  test('shows eight whole cards with three lines each at 1440 x 900, of one client and of all; on a phone each has its thumbnail [P9.9, P9.10]', async () => {
    const { clientId, accountId } = await brand(caller)
    for (let at = 0; at < 9; at++) {
      const imageUrl = `${stage.faults.url}/og.png`
      await write(caller, { clientId, accountId, content: long, status: 'draft', ...(at % 2 === 0 && { imageUrl }) })
    }
    for (const client of [clientId, 'all']) {
      await page.goto(`/content?client=${client}`)
      await cards().nth(8).waitFor()
      const boxes = await cards().evaluateAll((all) =>
        all.slice(0, 9).map((each) => {
          const text = each.querySelector('[data-testid=post-content]')
          const lines = text ? text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight) : 0
          return { bottom: each.getBoundingClientRect().bottom, lines: Math.round(lines) }
        }),
      )
      expect(boxes.map(({ lines }) => lines)).toEqual(Array(9).fill(3))
      expect(boxes.filter(({ bottom }) => bottom <= 900).length).toBeGreaterThanOrEqual(8)
      await looksRight(page, `content-dense-${client === 'all' ? 'all' : 'one'}`)
    }
    const wide = page.viewportSize() ?? desktop
    await page.setViewportSize(phone)
    const thumbnail = cards().first().locator('img')
    const [image, whole] = [await thumbnail.boundingBox(), await cards().first().boundingBox()]
    expect(image?.width).toBe(60)
    expect((image?.x ?? 0) + 60).toBeLessThanOrEqual((whole?.x ?? 0) + (whole?.width ?? 0))
    await page.setViewportSize(wide)
    await caller.callOrThrow('removeClient', { params: { id: clientId } })
  })
})

test.describe('the preview', () => {
  test.beforeAll(() => open())
  const openPreview = async (status: keyof typeof ids) => {
    await card(ids[status]).getByTestId('button-preview').click()
    await preview().getByTestId('post-history').waitFor()
  }
  const offered = async (...names: readonly string[]) =>
    Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [name, await preview().getByRole('button', { name, exact: true }).count()]),
      ),
    )

  test('shows network, status, time and text [2.83]', async () => {
    await openPreview('approved')
    const { scheduledFor } = await caller.callOrThrow('getPost', { params: { id: ids.approved } })
    const facts = await preview().getByRole('definition').allTextContents()
    expect(facts).toEqual(['Facebook', 'Approved', formatDateTime(scheduledFor ?? '', zone)])
    expect(await preview().getByTestId('preview-content').textContent()).toBe('It may go out')
    await looksRight(page, 'content-preview')
    await page.keyboard.press('Escape')
  })

  for (const [status, expected] of [
    ['draft', { Delete: 1, Reject: 0, Approve: 0, Schedule: 1 }],
    ['pending', { Delete: 1, Reject: 1, Approve: 1, Schedule: 0 }],
    ['approved', { Delete: 1, Reject: 0, Approve: 0, Schedule: 0 }],
    ['scheduled', { Delete: 1, Reject: 0, Approve: 0, Schedule: 0 }],
    ['published', { Delete: 1, Reject: 0, Approve: 0, Schedule: 0 }],
    ['rejected', { Delete: 1, Reject: 0, Approve: 0, Schedule: 0 }],
  ] as const)
    test(`of a post in status ${status} offers only the allowed actions [2.84]`, async () => {
      await openPreview(status)
      expect(await offered('Delete', 'Reject', 'Approve', 'Schedule')).toEqual(expected)
      await page.keyboard.press('Escape')
      await preview().waitFor({ state: 'detached' })
    })
})

test.describe('the editor', () => {
  const content = () => edit().getByLabel('Content')
  test.beforeAll(async () => {
    await open('draft')
    await card(ids.draft).getByTestId('button-edit').click()
    await edit().waitFor()
  })

  test('has the text, a count of its characters, Regenerate with AI, Cancel and Save Changes [2.85]', async () => {
    expect(await content().inputValue()).toBe(long)
    expect(await edit().getByTestId('limit-ring').textContent()).toContain(`${long.length.toLocaleString('en-US')} / `)
    for (const name of ['Regenerate with AI', 'Cancel', 'Save Changes'])
      await edit().getByRole('button', { name, exact: true }).waitFor()
    await looksRight(page, 'content-edit')
  })

  test('regenerates with the topic regenerate and the tone professional, and a toast says to review and save [7.24, 8.32, 9.15]', async () => {
    const asked = listen(page, 'POST /api/generate-content')
    await edit().getByTestId('button-regenerate').click()
    await toastIs(
      page,
      'default',
      'Content regenerated',
      'New content generated with AI. Review and save to update the post.',
    )
    expect(asked).toEqual([
      { clientId: mine.clientId, platform: 'facebook', topic: 'regenerate', tone: 'professional' },
    ])
    expect(await content().inputValue()).not.toBe(long)
    expect((await caller.callOrThrow('getPost', { params: { id: ids.draft } })).content).toBe(long)
    await looksRight(page, 'content-regenerated')
  })
})

test.describe('an action on a post', () => {
  const fresh = (status: 'draft' | 'pending', content: string) => write(caller, { ...mine, status, content })
  /** Its variant and its lines. It goes after five seconds. */
  const toldBy = async (title: string) => {
    await toast(page).getByText(title, { exact: true }).waitFor()
    const lines = (await toast(page).innerText()).split('\n').filter(Boolean)
    return [await toast(page).getAttribute('data-variant'), ...lines]
  }
  const inPreview = async (id: string, tab: string, testId: string) => {
    await open(tab)
    await card(id).getByTestId('button-preview').click()
    await preview().getByTestId(testId).click()
  }

  test('approving it shows a toast and sends only the status [4.3, 7.17, 8.26]', async () => {
    const id = await fresh('pending', 'To be approved')
    const sent = listen(page, `PATCH /api/posts/${id}`)
    await inPreview(id, 'pending', 'button-approve')
    const said = await toldBy('Post approved')
    const { status, scheduledFor } = await caller.callOrThrow('getPost', { params: { id } })
    expect([status, ...said]).toEqual([
      'approved',
      'default',
      'Post approved',
      'Post has been approved and will be published as scheduled.',
      `Scheduled for ${formatSoon(scheduledFor ?? '', zone)}.`,
    ])
    expect(sent).toEqual([{ status: 'approved' }])
    await becomes(tabs, ['All Posts', 'Pending(1)', 'Approved(3)', 'Published', 'Drafts'])
  })

  test('rejecting it shows a toast and moves it to the drafts [4.4, 7.18, 8.27]', async () => {
    const id = await fresh('pending', 'To be rejected')
    const sent = listen(page, `PATCH /api/posts/${id}`)
    await inPreview(id, 'pending', 'button-reject')
    await toastIs(page, 'default', 'Post rejected', 'Post has been rejected and moved to drafts.')
    expect(sent).toEqual([{ status: 'rejected' }])
    await page.getByRole('tab', { name: 'Drafts' }).click()
    await card(id).getByTestId('status-rejected').waitFor()
  })

  test('scheduling it from the card shows a toast [4.5, 7.19, 8.28]', async () => {
    const id = await fresh('draft', 'To be scheduled')
    const sent = listen(page, `PATCH /api/posts/${id}`)
    await open('draft')
    await card(id).getByTestId('button-schedule').click()
    const said = await toldBy('Post scheduled')
    // A toast under the pointer stays.
    await toast(page).hover()
    const { status, scheduledFor } = await caller.callOrThrow('getPost', { params: { id } })
    expect([status, ...said]).toEqual([
      'scheduled',
      'default',
      'Post scheduled',
      'Post has been scheduled for publishing.',
      `Scheduled for ${formatSoon(scheduledFor ?? '', zone)}.`,
    ])
    expect(sent).toEqual([{ status: 'scheduled' }])
    await looksRight(page, 'content-toast')
  })

  test('deleting it asks first, shows a toast and removes it permanently [4.6, 7.22, 8.30]', async () => {
    const id = await fresh('pending', 'To be deleted')
    await inPreview(id, 'pending', 'button-delete-post')
    const question = page.getByRole('alertdialog', { name: 'Delete this post?' })
    await question.waitFor()
    await looksRight(page, 'content-delete')
    await question.getByRole('button', { name: 'Delete' }).click()
    await toastIs(page, 'default', 'Post deleted', 'Post has been permanently deleted.')
    await card(id).waitFor({ state: 'detached' })
    expect(await caller.ask('getPost', { params: { id } })).toMatchObject({ status: 404 })
  })
})

test.describe('loading and errors', () => {
  test('the list looks right while it loads, when it could not be loaded, and when it is empty [2.90]', async () => {
    const route = `GET /api/clients/${mine.clientId}/posts`
    const release = stage.faults.hold(route)
    await page.goto(`/content?client=${mine.clientId}`)
    await page.getByTestId('skeleton-card').first().waitFor()
    await looksRight(page, 'content-loading')
    release()
    stage.faults.cut(route)
    await page.reload()
    await page.getByText('The posts could not be loaded').waitFor()
    await looksRight(page, 'content-error')
    stage.faults.mend()
    await button(page, 'Try again').click()
    await cards().first().waitFor()
    const { id } = await caller.callOrThrow('addClient', { body: { name: 'Quiet brand' } })
    await page.goto(`/content?client=${id}`)
    await page.getByText('No posts yet').waitFor()
    await looksRight(page, 'content-empty')
    expect(await toast(page).count()).toBe(0)
  })
})
