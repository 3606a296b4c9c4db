/** Publishing: connecting an account, writing for each network, and every way in which publishing can fail. */
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import type { Platform } from '../api/contract/index.ts'
import { gif, jpeg } from '../api/features/media/test/helpers.ts'
import { owner } from '../api/testing/server.ts'
import { closePages, visit, type Visit } from './browser.ts'
import { holdsUp } from './looks.ts'
import { startWithFacebook, type LiveFacebook } from './network.ts'

const minute = 60_000

let browser: Browser
let network: LiveFacebook
let caller: ApiClient
let visited: Visit
let page: Page
let clientId: string

test.beforeAll(async ({ browser: shared }) => {
  browser = shared
  network = await startWithFacebook()
  caller = await owner(network.product)
  clientId = (await caller.callOrThrow('addClient', { body: { name: 'Blue Cup', industry: 'Coffee' } })).id
  visited = await visit(browser, network.product)
  page = visited.page
  const [name = '', value = ''] = caller.cookie.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url: network.product.url }])
})
test.afterAll(async () => {
  await closePages(browser)
  await network.close()
})

const add = (platform: Platform, accountName: string) =>
  caller.callOrThrow('addSocialAccount', { params: { id: clientId }, body: { platform, accountName } })
const openAccounts = () => page.goto(`/clients/${clientId}?tab=accounts`)
const card = (accountName: string): Locator => page.getByTestId('account-card').filter({ hasText: accountName })
const toConsent = (accountName: string) =>
  card(accountName)
    .getByRole('link', { name: /^(Connect|Reconnect)$/ })
    .click()

/** Connects to the profile of that name; only the sandbox's consent page suggests one. */
async function connectInBrowser(accountName: string): Promise<void> {
  await openAccounts()
  await toConsent(accountName)
  await page.getByLabel('Profiles to share').fill(accountName)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText(`${accountName} is ready to publish.`).waitFor()
}

async function schedule(socialAccountId: string, content: string, inMs: number): Promise<string> {
  const post = await caller.callOrThrow('writePost', { params: { id: clientId }, body: { socialAccountId, content } })
  const scheduledFor = new Date(Date.parse(network.product.clock.now()) + inMs).toISOString()
  await caller.callOrThrow('changePost', { params: { id: post.id }, body: { status: 'scheduled', scheduledFor } })
  return post.id
}

const stateOf = async (id: string) => {
  const { status, delivery } = await caller.callOrThrow('getPost', { params: { id } })
  return status === 'published' ? status : delivery
}
const becomes = (id: string, state: string) =>
  expect(async () => expect(await stateOf(id)).toBe(state)).toPass({ timeout: 20_000, intervals: [50] })

const postCard = (id: string): Locator => page.locator(`[data-post-id="${id}"]`)

async function openPost(id: string): Promise<Locator> {
  await page.goto(`/content?client=${clientId}`)
  await postCard(id).getByTestId('button-preview').click()
  const why = page.getByTestId('why-not')
  await why.getByTestId('delivery-note').waitFor()
  return why
}

async function compose(account: RegExp): Promise<void> {
  await page.goto(`/clients/${clientId}?tab=posts&compose=true`)
  await page.getByTestId('select-account').click()
  await page.getByRole('option', { name: account }).click()
}
const content = () => page.getByRole('textbox', { name: /^Content/ })

test.describe('connecting an account', () => {
  test('a consent for several profiles lets the user choose one', async () => {
    await add('facebook', 'Blue Cup Hamburg')
    await openAccounts()
    await card('Blue Cup Hamburg').waitFor()
    await holdsUp(page, 'p01-not-connected')
    await toConsent('Blue Cup Hamburg')
    await page
      .getByLabel('Profiles to share')
      .fill('Blue Cup Berlin\nBlue Cup Hamburg\nBlue Cup Rösterei und Kaffeehausgesellschaft am Englischen Garten')
    await holdsUp(page, 'p02-consent')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('dialog', { name: 'Choose a profile' }).waitFor()
    await page.getByRole('radio', { name: 'Blue Cup Hamburg' }).waitFor({ state: 'attached' })
    await holdsUp(page, 'p03-choose')
    await page.getByText('Blue Cup Hamburg', { exact: true }).last().click()
    await page.getByTestId('button-choose-profile').click()
    await page.getByText('Blue Cup Hamburg is ready to publish.').waitFor()
    await card('Blue Cup Hamburg').getByText('Connected', { exact: true }).waitFor()
  })

  test('a network with credentials shows no sandbox label', async () => {
    expect(await card('Blue Cup Hamburg').getByText('Sandbox', { exact: true }).count()).toBe(0)
  })

  test('cancelling on the consent page leads back to an account that is not connected', async () => {
    await add('linkedin', 'Blue Cup People')
    await openAccounts()
    await toConsent('Blue Cup People')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByText('Access was not allowed, so the account is not connected.').waitFor()
    await card('Blue Cup People').getByText('Not connected', { exact: true }).waitFor()
  })

  test('the sandbox replaces a network without credentials, with a label', async () => {
    await add('instagram', 'bluecup')
    await connectInBrowser('bluecup')
    await card('bluecup').getByText('Sandbox', { exact: true }).waitFor()
    await add('twitter', 'bluecup_x')
    await connectInBrowser('bluecup_x')
    await holdsUp(page, 'p04-accounts')
  })
})

test.describe('writing for a network', () => {
  test.describe.configure({ mode: 'serial' })
  test('an Instagram post without an image can only be saved as a draft', async () => {
    await compose(/bluecup · Instagram/)
    await content().fill('The first cold brew of the year.')
    await page
      .getByText('A post on Instagram needs an image. Add one first. Until then the post can wait as a draft.')
      .waitFor()
    await page.getByRole('button', { name: 'Submit for Review' }).click()
    await expect
      .poll(() => page.getByTestId('form-error').textContent())
      .toBe('A post on Instagram needs an image. Add one first.')
    await holdsUp(page, 'p05-needs-an-image')
    await page.getByRole('button', { name: 'Save as Draft' }).click()
    await page.getByText('Draft saved').waitFor()
  })

  test('an image that the network refuses shows an error beneath it; an accepted image is submitted', async () => {
    await compose(/bluecup · Instagram/)
    await content().fill('The first cold brew of the year, now with a picture.')
    const files = page.locator('input[type="file"]')
    await files.setInputFiles({ name: 'brew.gif', mimeType: 'image/gif', buffer: gif(1080, 1080) })
    await page.getByText('Instagram takes JPEG images only. This one is a GIF.').waitFor()
    await holdsUp(page, 'p06-wrong-image')
    await files.setInputFiles({ name: 'brew.jpg', mimeType: 'image/jpeg', buffer: jpeg(1080, 1080) })
    await page.getByTestId('image-facts').getByText('JPEG, 1080 × 1080').waitFor()
    expect(await page.getByText('Instagram takes JPEG images only.').count()).toBe(0)
    await page.getByRole('button', { name: 'Submit for Review' }).click()
    await page.getByText('Post is waiting for review.').waitFor()
  })

  test('the price for X is shown before scheduling, and is higher with a link', async () => {
    await compose(/bluecup_x/)
    const price = page.getByTestId('post-price')
    await content().fill('Cold brew is back.')
    await expect
      .poll(() => price.textContent())
      .toBe('X (Twitter) charges $0.015 for this post. The sandbox charges nothing.')
    await content().fill('Cold brew is back: https://bluecup.coffee/brew')
    await expect
      .poll(() => price.textContent())
      .toBe('X (Twitter) charges $0.20 for this post, because it has a link. The sandbox charges nothing.')
    await holdsUp(page, 'p07-price')
  })

  test('a text that is too long for the network shows an error while it is typed', async () => {
    await content().fill('x'.repeat(290))
    await page.getByText('X (Twitter) takes at most 280 characters. This post has 290.').waitFor()
    await page.getByTestId('limit-ring').getByText('290 / 280').waitFor()
    await holdsUp(page, 'p08-too-long')
    await content().fill('Cold brew is back.')
    await page.getByRole('button', { name: 'Save as Draft' }).click()
    await page.getByText('Draft saved').waitFor()
  })

  test('the price is also shown where a draft is scheduled', async () => {
    const draft = page.getByTestId('post-card').filter({ hasText: 'Cold brew is back.' })
    await draft.getByText('X (Twitter) charges $0.015 for this post. The sandbox charges nothing.').waitFor()
    await draft.getByTestId('button-preview').click()
    await expect
      .poll(() => page.getByTestId('post-price').textContent())
      .toBe('X (Twitter) charges $0.015 for this post. The sandbox charges nothing.')
    await holdsUp(page, 'p09-draft-price')
    await page.getByTestId('button-schedule-post').click()
    await page.getByText('Post has been scheduled for publishing.').waitFor()
  })
})

test.describe('revoked access to a network', () => {
  test.describe.configure({ mode: 'serial' })
  let accountId: string
  let failed: string
  let behind: string

  test.beforeAll(async () => {
    accountId = (await add('facebook', 'Blue Cup Berlin')).id
    await connectInBrowser('Blue Cup Berlin')
    failed = await schedule(accountId, 'Our autumn roast is here.', 10 * minute)
    behind = await schedule(accountId, 'Meet the farmers behind it.', 180 * minute)
    await network.revoke('Blue Cup Berlin')
    network.product.clock.advance(11 * minute)
    await becomes(failed, 'failed')
  })

  test('the failed post explains the cause and offers to connect the account', async () => {
    const why = await openPost(failed)
    expect(await why.getByTestId('delivery-note').textContent()).toMatch(/Facebook.*Connect the account again/)
    await why.getByRole('link', { name: 'Connect the account' }).waitFor()
    await why.getByTestId('attempt').getByText('Attempt 1: Failed').waitFor()
    await holdsUp(page, 'p10-lost')
  })

  test('the list marks every post of the account', async () => {
    await page.goto(`/content?client=${clientId}&tab=approved`)
    await postCard(failed).getByText('Publishing failed').waitFor()
    await postCard(behind).getByText('The account has lost its connection').waitFor()
    await holdsUp(page, 'p11-list-lost')
  })

  test('the account shows that its connection is lost, and how many posts are affected', async () => {
    await openAccounts()
    await card('Blue Cup Berlin').getByText('Connection lost', { exact: true }).waitFor()
    expect(await card('Blue Cup Berlin').getByTestId('connection-health').textContent()).toMatch(
      /\d (?:scheduled |approved )?posts? /,
    )
    await holdsUp(page, 'p12-account-lost')
  })

  test('the dashboard shows a warning with a link to the account', async () => {
    await page.goto('/')
    await page.getByTestId('card-connections').getByText('Blue Cup Berlin').waitFor()
    await holdsUp(page, 'p13-dashboard')
    await page.getByTestId('card-connections').getByRole('link').click()
    await card('Blue Cup Berlin').waitFor()
  })

  test('the post is published after reconnecting and retrying, with a link to it', async () => {
    await connectInBrowser('Blue Cup Berlin')
    await openPost(failed)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Post is on its way once more.').waitFor()
    await becomes(failed, 'published')
    const why = await openPost(failed)
    await holdsUp(page, 'p14-live')
    const opened = page.context().waitForEvent('page')
    await why.getByRole('link').first().click()
    const feed = await opened
    await feed.getByText('Our autumn roast is here.').waitFor()
    await holdsUp(feed, 'p15-feed')
    await feed.close()
    await page.goto('/')
    await page.getByTestId('stat-total-clients').or(page.getByText('Total Clients')).first().waitFor()
    expect(await page.getByTestId('card-connections').count()).toBe(0)
  })
})

test.describe('a network that limits requests', () => {
  test.describe.configure({ mode: 'serial' })
  const ids: string[] = []

  test.beforeAll(async () => {
    const { id } = await add('facebook', 'Blue Cup Munich')
    await connectInBrowser('Blue Cup Munich')
    for (const [index, text] of ['First of the morning', 'Second of the morning', 'Third of the morning'].entries()) {
      ids.push(await schedule(id, text, (5 + index) * minute))
    }
    await network.plan('Blue Cup Munich', { kind: 'rate-limited', retryAfterSeconds: 3_600 })
    network.product.clock.advance(8 * minute)
    await becomes(ids[0] ?? '', 'rejected')
  })

  test('the rejected post shows the reason and the time of the next attempt', async () => {
    const why = await openPost(ids[0] ?? '')
    expect(await why.getByTestId('delivery-note').textContent()).toMatch(
      /Next try .* at \d+:\d\d [AP]M.*Facebook asks us to slow down/,
    )
    await why.getByTestId('attempt').getByText('Attempt 1: Rejected, another try follows').waitFor()
    await holdsUp(page, 'p16-turned-down')
  })

  test('the posts behind it show why and until when they wait, in the list as well', async () => {
    for (const id of ids.slice(1)) {
      const why = await openPost(id)
      expect(await why.getByTestId('delivery-note').textContent()).toMatch(
        /Waits until .* at \d+:\d\d [AP]M.*Facebook asked us to slow down/,
      )
    }
    await page.goto(`/content?client=${clientId}&tab=approved`)
    for (const id of ids.slice(1))
      await postCard(id)
        .getByText(/^Waits until .* at \d+:\d\d [AP]M/)
        .waitFor()
    await holdsUp(page, 'p17-list-paused')
  })

  test('the account shows the pause as well', async () => {
    await openAccounts()
    await card('Blue Cup Munich')
      .getByTestId('connection-pause')
      .getByText(/asks us to slow down/)
      .waitFor()
    await holdsUp(page, 'p18-account-paused')
  })

  test('the posts are published in their order after the pause', async () => {
    network.product.clock.advance(61 * minute)
    for (const id of ids) await becomes(id, 'published')
    const at = await Promise.all(
      ids.map(async (id) => (await caller.callOrThrow('getPost', { params: { id } })).publishedAt ?? ''),
    )
    expect(at).toEqual(at.toSorted())
  })
})

test.describe('an unknown publishing outcome', () => {
  test.describe.configure({ mode: 'serial' })
  const ids: string[] = []

  test.beforeAll(async () => {
    const { id } = await add('facebook', 'Blue Cup Cologne')
    await connectInBrowser('Blue Cup Cologne')
    await network.plan('Blue Cup Cologne', { kind: 'error-before', times: 2 })
    await network.plan('Blue Cup Cologne', { kind: 'error-before', step: 'lookup', times: 500 })
    for (const [index, text] of ['Is this one live?', 'And this one?'].entries())
      ids.push(await schedule(id, text, (5 + index) * minute))
    network.product.clock.advance(7 * minute)
    for (const each of ids) await becomes(each, 'unknown')
  })

  test('the post says when it is sent again, shows what was looked for, and warns within the first hour', async () => {
    const why = await openPost(ids[0] ?? '')
    expect(await why.getByTestId('delivery-note').textContent()).toMatch(/sent again only if/)
    await why.getByTestId('attempt').getByText('Attempt 1: Outcome unknown').waitFor()
    await why
      .getByTestId('evidence')
      .getByText(/The attempt began/)
      .waitFor()
    await why.getByTestId('early-warning').waitFor()
    await holdsUp(page, 'p19-unknown')
  })

  test('the answer "Mark as Live" counts the post as published under the given link', async () => {
    await page.getByLabel('URL of the live post').fill('https://www.facebook.com/bluecup/posts/1')
    await page.getByRole('button', { name: 'Mark as Live', exact: true }).click()
    await page.getByText('Post counts as published.').waitFor()
    await becomes(ids[0] ?? '', 'published')
    const why = await openPost(ids[0] ?? '')
    expect(await why.getByRole('link').first().getAttribute('href')).toBe('https://www.facebook.com/bluecup/posts/1')
  })

  test('the answer "Mark as Not Live" sends the post once more', async () => {
    await openPost(ids[1] ?? '')
    await network.mend()
    await page.getByRole('button', { name: 'Mark as Not Live' }).click()
    await page.getByText('Post will be published at the next attempt.').waitFor()
    await becomes(ids[1] ?? '', 'published')
    const why = await openPost(ids[1] ?? '')
    await why.getByTestId('attempt').getByText('Attempt 2: Live').waitFor()
    await why.getByTestId('attempt').getByText('Attempt 1: Not live').waitFor()
    await why.getByRole('link', { name: 'View on Facebook' }).waitFor()
    await holdsUp(page, 'p20-live-at-last')
  })

  test("the browser's console has no errors", () => {
    expect(visited.complaints).toEqual([])
  })
})
