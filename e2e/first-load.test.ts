/** Before a screen shows, the browser loads only the scripts that the server's page and headers announce. */
import { expect, test, type Browser } from '@playwright/test'
import { brand, owner, type TestServer } from '../api/testing/server.ts'
import type { ApiClient } from '../api/http/client.ts'
import { quiet } from '../web/ui/quiet.ts'
import { actAs, closePages, phone, startProduct, visit } from './browser.ts'

let browser: Browser
let server: TestServer
let caller: ApiClient
let clientId: string

test.beforeAll(async ({ browser: shared }) => {
  browser = shared
  server = await startProduct()
  caller = await owner(server)
  clientId = (await brand(caller)).clientId
})
test.afterAll(async () => {
  await closePages(browser)
  await server.remove()
})

const scripts = (text: string) => new Set([...text.matchAll(/\/assets\/[^">]+\.js/g)].map(([path]) => path))

/** Keeps the moment at which the heading came. Runs in the page, before its scripts. */
function watchHeading(name: string) {
  const here = () => [...document.querySelectorAll('h1, h2, h3')].some(({ textContent }) => textContent.includes(name))
  const observer = new MutationObserver(() => {
    if (!here()) return
    performance.mark('heading')
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true, characterData: true })
}

/** The scripts whose loading began before the heading came. The idle preload of other screens begins after it. */
const scriptsBeforeHeading = () => {
  const cameAt = performance.getEntriesByName('heading')[0]?.startTime ?? 0
  return performance
    .getEntriesByType('resource')
    .filter(({ name, startTime }) => name.endsWith('.js') && startTime <= cameAt)
    .map(({ name }) => new URL(name).pathname)
}

const headingAt = () => performance.getEntriesByName('heading')[0]?.startTime ?? 0

/**
 * The scripts loaded before the heading showed, and the scripts that the page and its headers announce. On a machine so
 * busy that the idle preload begins first, the page is loaded again.
 */
async function load(path: string, heading: string, by?: ApiClient): ReturnType<typeof loadOnce> {
  const loaded = await loadOnce(path, heading, by)
  if ((await loaded.page.evaluate(headingAt)) < quiet) return loaded
  await loaded.close()
  return load(path, heading, by)
}

async function loadOnce(path: string, heading: string, by?: ApiClient) {
  const visited = await visit(browser, server, { viewport: phone, preloads: true })
  if (by) await actAs(visited, by, server.url)
  const { page } = visited
  await page.addInitScript(watchHeading, heading)
  const [answer] = await Promise.all([
    page.goto(path, { waitUntil: 'load' }),
    page.getByRole('heading', { name: heading }).first().waitFor(),
  ])
  const seen = new Set(await page.evaluate(scriptsBeforeHeading))
  const announced = scripts(`${await answer?.text()} ${await answer?.headerValue('link')}`)
  return { ...visited, seen: [...seen].sort(), announced: [...announced].sort() }
}

test("a visitor loads only the landing page's announced scripts", async () => {
  const { seen, announced, complaints, close } = await load('/', "Manage your clients' social media with AI")
  expect(seen).toEqual(announced)
  expect(complaints).toEqual([])
  await close()
})

test('the landing page has a title, a description, a canonical link, an image and robots.txt for search engines and link previews', async () => {
  const { page, close } = await load('/', "Manage your clients' social media with AI")
  const head = (selector: string, name: string) => page.locator(selector).getAttribute(name)
  expect(await page.title()).toBe('Social media for every client · SocialAI')
  expect(await head('meta[name=description]', 'content')).toMatch(/^.{50,160}$/)
  expect(await head('link[rel=canonical]', 'href')).toBe(`${server.url}/`)
  const image = await page.request.get((await head('meta[property="og:image"]', 'content')) ?? '')
  expect(image.headers()['content-type']).toBe('image/png')
  const robots = await (await page.request.get('/robots.txt')).text()
  expect(robots).toContain('Allow: /\n')
  await close()
})

test('the landing page stays scrolled to its top on a phone', async () => {
  const { page, close } = await load('/', "Manage your clients' social media with AI")
  const moved = await page.evaluate(async () => {
    for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame)
    return window.scrollY
  })
  expect(moved).toBe(0)
  await close()
})

for (const [path, heading] of [
  ['/', 'Dashboard'],
  ['/clients', 'Clients'],
  ['/content', 'Content Library'],
  ['/calendar', 'Content Calendar'],
  ['/analytics', 'Analytics'],
  ['/billing', 'Billing & Subscription'],
  ['/settings', 'Settings'],
] as const)
  test(`${path} loads only its announced scripts, and requests the user and the agency once`, async () => {
    const visited = await load(path, heading, caller)
    expect(visited.seen).toEqual(visited.announced)
    const asked = await visited.page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => /auth.user|api.agency/.test(name)).length,
    )
    expect(asked).toBe(2)
    await visited.close()
  })

test('the dashboard requests its lists once, as the page announces them in a browser that has shown the agency', async () => {
  const visited = await load('/', 'Dashboard', caller)
  const lists = () =>
    visited.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => `${(entry as PerformanceResourceTiming).initiatorType} ${new URL(entry.name).pathname}`)
        .filter((entry) => /api\/(clients|dashboard|attention)$/.test(entry))
        .sort(),
    )
  await expect.poll(lists).toEqual(['fetch /api/attention', 'fetch /api/clients', 'fetch /api/dashboard'])
  await visited.page.reload()
  await visited.page.getByRole('heading', { name: 'Dashboard' }).first().waitFor()
  await visited.page.waitForLoadState('networkidle')
  expect(await lists()).toEqual(['link /api/attention', 'link /api/clients', 'link /api/dashboard'])
  expect(visited.complaints).toEqual([])
  await visited.close()
})

test('the calendar requests its posts once, as the page announced them [P10.2]', async () => {
  const visited = await load('/calendar', 'Content Calendar', caller)
  await visited.page.locator('[data-testid=calendar-grid][aria-busy=false]').waitFor()
  const asked = await visited.page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/calendar'))
      .map((entry) => `${(entry as PerformanceResourceTiming).initiatorType} ${new URL(entry.name).search}`),
  )
  expect(asked).toEqual(['link ?view=month'])
  expect(visited.complaints).toEqual([])
  await visited.close()
})

test("a client's page loads only its announced scripts", async () => {
  const { seen, announced, close } = await load(`/clients/${clientId}`, 'Blue Cup', caller)
  expect(seen).toEqual(announced)
  await close()
})
