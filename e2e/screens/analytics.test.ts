/** Analytics: the empty and loading states, and the sums and charts of the figures. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import type { AnalyticsRecord } from '../../api/contract/index.ts'
import { owner } from '../../api/testing/server.ts'
import { looksRight } from '../looks.ts'
import { pressTwice } from '../press-twice.ts'
import { becomes, button, listen, openStage, toastIs, type Stage } from './stage.ts'

let stage: Stage
let caller: ApiClient
let page: Page
let records: AnalyticsRecord[]

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  caller = await owner(stage.server)
  for (const name of ['Blue Cup', 'Fjord', 'Lumen']) await caller.callOrThrow('addClient', { body: { name } })
  page = await stage.enter(caller)
  await page.goto('/analytics')
})
test.afterEach(() => stage.faults.mend())
test.afterAll(() => stage.close())

const tiles = ['Views', 'Likes', 'Comments', 'Shares', 'Engagement'] as const
type Figure = 'views' | 'likes' | 'comments' | 'shares' | 'engagement'
const figureOf = (name: string) => name.toLowerCase() as Figure
const sum = (of: readonly AnalyticsRecord[], figure: Figure) => of.reduce((all, record) => all + record[figure], 0)
const tile = (name: string) => page.getByTestId(`tile-${name.toLowerCase()}`)
const chart = (name: string) => page.getByTestId(`chart-${name}`)
const symbols = (of: Locator) =>
  of.locator('[role=graphics-symbol]').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))
const loaded = () => tile('views').waitFor()

async function choose(name: string) {
  await page.getByTestId('select-client').click()
  await page.getByRole('option', { name, exact: true }).click()
}

test.describe('without figures', () => {
  test('shows the heading and the subtitle [2.105]', async () => {
    await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor()
    await page.getByText('Track performance across all your clients', { exact: true }).waitFor()
  })

  test('says that there are no data yet, when they will come, and offers sample data [2.117]', async () => {
    await page.getByRole('heading', { name: 'No Analytics Data' }).waitFor()
    await page
      .getByText('Analytics data will appear here once your posts are published and start receiving engagement', {
        exact: true,
      })
      .waitFor()
    await button(page, 'Generate Sample Data').waitFor()
    await looksRight(page, 'analytics-empty')
  })

  test("creates sample data: a pending button, then a toast with the server's message and a refetched list [2.118, 7.27, 8.34]", async () => {
    const lists = listen(page, 'GET /api/analytics')
    const asked = listen(page, 'POST /api/seed-analytics')
    const release = stage.faults.hold('POST /api/seed-analytics')
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/seed-analytics'))
    await pressTwice(button(page, 'Generate Sample Data'))
    await page.getByRole('button', { name: 'Generating...' }).waitFor()
    expect(lists).toEqual([])
    release()
    const { message } = (await (await answered).json()) as { message: string }
    await toastIs(page, 'default', 'Analytics Data Created', message)
    await loaded()
    expect(lists.length).toBe(1)
    expect(asked.length).toBe(1)
    records = await caller.callOrThrow('listAnalytics')
  })
})

test.describe('for all clients', () => {
  for (const name of tiles)
    test(`Total ${name} is the sum, with thousands separators [2.107]`, async () => {
      expect(await tile(name).textContent()).toBe(
        `Total ${name}${sum(records, figureOf(name)).toLocaleString('en-US')}`,
      )
    })

  test('sample figures are labelled as such, also beside measured ones', async () => {
    const asOf = page.getByTestId('figures-as-of')
    expect(await asOf.textContent()).toBe('Sample metrics')
    stage.faults.rewriteBody('GET /api/analytics', (told) => {
      const [first, ...others] = JSON.parse(told) as AnalyticsRecord[]
      return JSON.stringify([{ ...first, sample: false, measuredAt: '2026-03-03T08:00:00.000Z' }, ...others])
    })
    await page.goto('/analytics')
    await becomes(() => asOf.textContent(), 'Metrics as of Mar 3, 2026 at 9:00 AM · with sample metrics')
    stage.faults.mend()
    await page.goto('/analytics')
    await loaded()
  })

  test("separators follow the browser's locale [2.109]", async () => {
    const german = await stage.enter(caller, { locale: 'de-DE' })
    await german.goto('/analytics')
    const text = sum(records, 'views').toLocaleString('de-DE')
    expect(text).toContain('.')
    await becomes(() => german.getByTestId('tile-views').textContent(), `Total Views${text}`)
    await german.context().close()
  })

  test('three charts are 300 px high [2.110, 9.19]', async () => {
    await chart('performance-by-client').locator('svg').first().waitFor()
    expect(await page.locator('figure h2').allTextContents()).toEqual([
      'Performance by Platform',
      'Engagement Distribution',
      'Performance by Client',
    ])
    for (const name of ['performance-by-platform', 'engagement-distribution', 'performance-by-client']) {
      expect((await chart(name).locator('svg').first().boundingBox())?.height).toBe(300)
    }
    await looksRight(page, 'analytics')
  })

  test('the bars show views and engagement per network, with capitalised names [2.111]', async () => {
    const platforms = [...new Set(records.map(({ postPlatform }) => postPlatform))]
    const names = { facebook: 'Facebook', instagram: 'Instagram', twitter: 'Twitter', linkedin: 'LinkedIn' }
    expect(await symbols(chart('performance-by-platform'))).toEqual(
      platforms.map((platform) => {
        const own = records.filter(({ postPlatform }) => postPlatform === platform)
        return `${names[platform]}: ${sum(own, 'views').toLocaleString('en-US')} views, ${sum(own, 'engagement').toLocaleString('en-US')} engagement`
      }),
    )
    expect(await chart('performance-by-platform').locator('[data-chart=band]').count()).toBe(1)
  })

  test("the pie shows engagement per network, labelled with name and whole percent, in the networks' colours; the shares sum to 100 [2.112]", async () => {
    const slices = chart('engagement-distribution').locator('[role=graphics-symbol]')
    const all = sum(records, 'engagement')
    const told = () =>
      slices.evaluateAll((each) =>
        each.map((slice) => [
          slice.querySelector('text')?.textContent,
          getComputedStyle(slice.querySelector('path') ?? slice).fill,
        ]),
      )
    const colors = {
      facebook: ['Facebook', 'rgb(24, 119, 242)'],
      instagram: ['Instagram', 'rgb(228, 64, 95)'],
      twitter: ['Twitter', 'rgb(29, 161, 242)'],
      linkedin: ['LinkedIn', 'rgb(10, 102, 194)'],
    }
    const platforms = [...new Set(records.map(({ postPlatform }) => postPlatform))]
    // A slice has its label and its colour a moment after it is drawn.
    const isDrawn = ([label, fill]: readonly unknown[]) =>
      label && Object.values(colors).some(([, own]) => own === fill)
    await becomes(async () => (await told()).filter(isDrawn).length, platforms.length)
    const shown = await told()
    for (const platform of platforms) {
      const [name = '', color] = colors[platform]
      const own = records.filter(({ postPlatform }) => postPlatform === platform)
      const label = shown.find(([, fill]) => fill === color)?.[0] ?? ''
      expect(label).toMatch(new RegExp(`^${name} \\d+%$`))
      // Whole percents that sum to 100: each is next to its exact share.
      expect(Math.abs(parseInt(label.slice(name.length), 10) - (sum(own, 'engagement') / all) * 100)).toBeLessThan(1)
    }
    expect(shown.reduce((total, [label]) => total + parseInt(label?.split(' ')[1] ?? '', 10), 0)).toBe(100)
  })

  test('the lines show views and engagement per client [2.114]', async () => {
    const names = [...new Set(records.map(({ clientName }) => clientName))]
    expect(await symbols(chart('performance-by-client'))).toEqual(
      names.map((name) => {
        const own = records.filter(({ clientName }) => clientName === name)
        return `${name}: ${sum(own, 'views').toLocaleString('en-US')} views, ${sum(own, 'engagement').toLocaleString('en-US')} engagement`
      }),
    )
  })
})

test.describe('for one client', () => {
  test('the filter lists All Clients and each client once [2.106]', async () => {
    await page.getByTestId('select-client').click()
    await becomes(
      async () => (await page.getByRole('option').allTextContents()).toSorted(),
      ['All Clients', 'Blue Cup', 'Fjord', 'Lumen'],
    )
    await page.keyboard.press('Escape')
  })

  test('the tiles show its sums, and there is no chart by client [2.108, 2.115]', async () => {
    await choose('Fjord')
    const own = records.filter(({ clientName }) => clientName === 'Fjord')
    await becomes(() => tile('views').textContent(), `Total Views${sum(own, 'views').toLocaleString('en-US')}`)
    for (const name of tiles)
      expect(await tile(name).textContent()).toBe(`Total ${name}${sum(own, figureOf(name)).toLocaleString('en-US')}`)
    expect(await chart('performance-by-client').count()).toBe(0)
    expect(await chart('performance-by-platform').count()).toBe(1)
    await looksRight(page, 'analytics-one-client')
  })
})

test.describe('networks other than the four', () => {
  test('have capitalised names and the chart colours in turn [2.113]', async () => {
    const others = ['tiktok', 'threads', 'pinterest', 'mastodon', 'bluesky']
    stage.faults.rewriteBody('GET /api/analytics', (told) => {
      const [first] = JSON.parse(told) as AnalyticsRecord[]
      return JSON.stringify(others.map((postPlatform) => ({ ...first, postPlatform, engagement: 20, views: 100 })))
    })
    await page.goto('/analytics')
    await chart('engagement-distribution').locator('path').first().waitFor()
    const slices = chart('engagement-distribution').locator('[role=graphics-symbol]')
    const labels = (await slices.locator('text').allTextContents()).toSorted()
    expect(labels).toEqual(['Bluesky 20%', 'Mastodon 20%', 'Pinterest 20%', 'Threads 20%', 'Tiktok 20%'])
    const fills = await slices.locator('path').evaluateAll((paths) => paths.map((path) => path.getAttribute('fill')))
    expect(new Set(fills)).toEqual(new Set([1, 2, 3, 4].map((number) => `var(--color-chart-${number})`)))
  })
})

test.describe('loading and errors', () => {
  test('four placeholder tiles show while the figures load [2.116]', async () => {
    const release = stage.faults.hold('GET /api/analytics')
    await page.goto('/analytics')
    await becomes(() => page.getByTestId('skeleton-tile').count(), 4)
    await looksRight(page, 'analytics-loading')
    release()
    await loaded()
  })

  test('figures that could not be loaded show an error, and can be loaded again [2.119]', async () => {
    stage.faults.cut('GET /api/analytics')
    await page.goto('/analytics')
    await page.getByText('The metrics could not be loaded').waitFor()
    await looksRight(page, 'analytics-error')
    stage.faults.mend()
    await button(page, 'Try again').click()
    await loaded()
  })
})
