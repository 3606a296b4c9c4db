/**
 * Stored script injection: every text field contains markup that would run a script, and every screen that shows it is
 * opened under the product's content security policy. The markup stays text everywhere.
 */
import { expect, test, type Page } from '@playwright/test'
import { ApiClient, connect } from '../api/http/client.ts'
import { later, MovableClock } from '../api/core/clock.ts'
import { actAs, startProduct, visit, type Visit } from './browser.ts'
import { publish, write } from './screens/posts.ts'
import { becomes } from './screens/stage.ts'

/** Closes every context it may stand in: an attribute, a comment, a script, a text. */
const hostile = (field: string) =>
  `${field}"'--></title></script><img src=x onerror=hit()><script>hit()</script><svg onload=hit()>`

let visited: Visit
let page: Page
let caller: ApiClient
let clientId = ''
let shown = ''
let token = ''
const hits: string[] = []

test.beforeAll(async ({ browser }) => {
  const clock = new MovableClock()
  const server = await startProduct({ clock })
  caller = new ApiClient(server.url)
  await caller.callOrThrow('register', {
    body: {
      email: 'mallory@example.com',
      password: 'correct horse',
      firstName: hostile('first').slice(0, 120),
      lastName: hostile('last').slice(0, 120),
    },
  })
  await caller.callOrThrow('openAgency', {
    body: { name: hostile('agency').slice(0, 120), email: 'mallory@example.com', timeZone: 'Europe/Berlin' },
  })
  const profile = {
    name: hostile('client'),
    description: hostile('description'),
    industry: hostile('industry'),
    targetAudience: hostile('audience'),
    toneOfVoice: hostile('tone'),
  }
  clientId = (await caller.callOrThrow('addClient', { body: profile })).id
  const { id: accountId } = await caller.callOrThrow('addSocialAccount', {
    params: { id: clientId },
    body: { platform: 'facebook', accountName: hostile('account') },
  })
  await connect(caller, accountId)
  shown = await write(caller, { clientId, accountId, content: hostile('pending'), status: 'pending' })
  const refused = await write(caller, { clientId, accountId, content: hostile('refused'), status: 'pending' })
  await caller.callOrThrow('changePost', {
    params: { id: refused },
    body: { status: 'rejected', reason: hostile('reason') },
  })
  await write(caller, {
    clientId,
    accountId,
    content: hostile('planned'),
    status: 'scheduled',
    scheduledFor: later(clock.now(), 600_000),
  })
  await publish(server, caller, { clientId, accountId, content: hostile('published') })
  const topics = {
    frequency: 'daily',
    preferredTimes: [{ day: 'every', time: '09:00' }],
    contentTopics: [hostile('topic')],
  }
  await caller.callOrThrow('addSchedule', { params: { id: clientId }, body: { socialAccountId: accountId, ...topics } })
  const link = await caller.callOrThrow('issueAuditorLink', {
    body: { label: hostile('label').slice(0, 120), expiresAt: later(clock.now(), 86_400_000) },
  })
  token = new URL(link.url).pathname

  visited = await visit(browser, server)
  page = visited.page
  await page.exposeFunction('hit', () => hits.push(page.url()))
  page.on('dialog', (dialog) => {
    hits.push(dialog.message())
    void dialog.dismiss()
  })
  await actAs(visited, caller, server.url)
})
test.afterAll(async () => {
  await visited.close()
  await visited.server.remove()
})

/** The parts of the markup that became elements of the page. */
const smuggled = () =>
  page.evaluate(() =>
    [...document.querySelectorAll('img[src="x"], svg[onload], [onerror], script:not([src])')].map(
      (element) => element.outerHTML,
    ),
  )

async function isOnlyText(...fields: readonly string[]): Promise<void> {
  for (const field of fields) {
    await expect(async () =>
      expect(await page.locator('body').innerText()).toContain(
        `${field}"'--></title></script><img src=x onerror=hit()>`,
      ),
    ).toPass({ timeout: 10_000 })
  }
  expect(await smuggled()).toEqual([])
  expect(hits).toEqual([])
  // A report of the content security policy means that it was the only defence left.
  expect(visited.complaints).toEqual([])
}

test('The test detects injected markup: as part of a page, only the content security policy blocks it, and reports it', async () => {
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate((markup) => document.body.insertAdjacentHTML('beforeend', markup), hostile('seen'))
  expect((await smuggled()).length).toBeGreaterThan(0)
  await becomes(() => visited.complaints.some((text) => text.includes('Content Security Policy')), true)
  expect(hits).toEqual([])
  await page.reload()
  ;(visited.complaints as string[]).length = 0
})

test.describe('Markup in every field is shown as text', () => {
  const screens: readonly (readonly [path: string, ...fields: string[]])[] = [
    ['/', 'client', 'industry'],
    ['/clients', 'client', 'description', 'audience', 'tone'],
    ['/clients/{client}', 'client', 'description', 'industry', 'audience', 'tone'],
    ['/clients/{client}?tab=accounts', 'account'],
    ['/clients/{client}?tab=schedule', 'topic'],
    ['/clients/{client}?tab=posts', 'pending', 'refused', 'published'],
    ['/content', 'client'],
    ['/content?client={client}&tab=all', 'pending', 'refused', 'published'],
    ['/calendar', 'planned'],
    ['/analytics'],
    ['/billing'],
    ['/audit', 'pending', 'label'],
    ['{link}', 'pending'],
  ]
  for (const [path, ...fields] of screens)
    test(path, async () => {
      await page.goto(path.replace('{client}', clientId).replace('{link}', token))
      await page.getByRole('heading').first().waitFor()
      await isOnlyText(...fields)
    })

  test('in form fields', async () => {
    await page.goto('/settings')
    await becomes(() => page.getByLabel('Agency Name').inputValue(), hostile('agency').slice(0, 120))
    await isOnlyText()
  })

  test("in a post and its history, with the reviewer's reason [S47]", async () => {
    await page.goto(`/content?client=${clientId}&tab=all`)
    await page.locator('[data-post-id]', { hasText: 'refused"' }).getByTestId('button-preview').click()
    await page.getByTestId('post-history').waitFor()
    await isOnlyText('refused', 'reason', 'first')
  })

  test('in the sandbox to which it was published', async () => {
    await page.goto('/sandbox')
    await page.locator('.accounts a').first().click()
    await isOnlyText('published')
  })
})

test.describe('A URL that does not start with http:// or https:// is refused', () => {
  for (const address of [
    'javascript:hit()',
    ' JaVaScRiPt:hit()',
    'java\nscript:hit()',
    'data:text/html,<script>hit()</script>',
    'data:image/svg+xml,<svg onload=hit()>',
    'vbscript:hit()',
    'blob:http://x/1',
    'file:///etc/passwd',
    '//evil.example/x.png',
    'https:evil',
  ] as const)
    test(`${JSON.stringify(address)} [S48]`, async () => {
      const fields = [
        caller.ask('reviseClient', { params: { id: clientId }, body: { logoUrl: address } }),
        caller.ask('changePost', { params: { id: shown }, body: { imageUrl: address } }),
        caller.ask('addSocialAccount', {
          params: { id: clientId },
          body: { platform: 'twitter', accountName: 'x', accountUrl: address },
        }),
      ]
      for (const { status, text } of await Promise.all(fields)) {
        expect(status).toBe(400)
        expect(text).toContain('Enter a web address that starts with http:// or https://')
      }
    })
})
