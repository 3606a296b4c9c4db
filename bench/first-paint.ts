/**
 * From the address to the first post on the calendar: a built server with demo data, a fresh profile each time, on
 * loopback and on a slower network, which the browser's own protocol simulates. With `COMPARE_WITH`, both builds take
 * turns.
 */
import { chromium, type Browser } from '@playwright/test'
import { ApiClient } from '../api/http/client.ts'
import { launchOptions } from '../e2e/chromium.ts'
import { builds, demoOwner, withServer, type Build } from './builds.ts'
import { ms, percentile, print } from './report.ts'

const runs = 9
const networks = [
  { name: 'loopback', maxMs: 600, conditions: null },
  { name: '9 Mbit/s, 60 ms', maxMs: 900, conditions: { latency: 60, bitsPerSecond: 9_000_000 } },
] as const
type Network = (typeof networks)[number]
const maxRatio = 0.55
const withinMs = 30_000

export async function firstPaint(): Promise<void> {
  const [current, compared] = builds()
  if (!current) return
  const browser = await chromium.launch(launchOptions)
  try {
    await withServer(current, 'demo', async (server) => {
      const measured = [await prepared(current, server.url)]
      if (compared)
        await withServer(compared, 'demo', async (other) =>
          report(browser, [...measured, await prepared(compared, other.url)]),
        )
      else await report(browser, measured)
    })
  } finally {
    await browser.close()
  }
}

interface Measured {
  readonly build: Build
  readonly url: string
  readonly cookie: string
}

async function prepared(build: Build, url: string): Promise<Measured> {
  const caller = new ApiClient(url)
  await caller.callOrThrow('login', { body: demoOwner })
  return { build, url, cookie: caller.cookie }
}

async function report(browser: Browser, all: readonly Measured[]): Promise<void> {
  for (const network of networks) {
    const samples = all.map(() => [] as number[])
    // The first of each warms the server; the builds take turns, so that the machine's moods meet both.
    for (let run = 0; run <= runs; run++)
      for (const [index, measured] of all.entries()) {
        const took = await firstTile(browser, measured, network)
        if (run > 0) samples[index]?.push(took)
      }
    const [own = Number.NaN, other] = samples.map((each) => percentile(each, 0.5))
    const verdict = own <= network.maxMs || (other !== undefined && own <= other * maxRatio) ? 'met' : 'missed'
    print(`First post on the calendar, ${network.name}, median of ${runs}`, [
      ...all.map(({ build }, index) => ({
        what: build.name,
        figure: `${ms(percentile(samples[index] ?? [], 0.5))} (${ms(Math.min(...(samples[index] ?? [])))} to ${ms(Math.max(...(samples[index] ?? [])))})`,
      })),
      ...(other === undefined ? [] : [{ what: 'ratio', figure: (own / other).toFixed(2) }]),
      { what: `goal: ${network.maxMs} ms, or a ratio of ${maxRatio}`, figure: verdict },
    ])
  }
}

/** Milliseconds from the start of the navigation to the frame that shows the first post. */
async function firstTile(browser: Browser, { url, cookie }: Measured, { conditions }: Network): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const [name = '', value = ''] = cookie.split(/=(.*)/s)
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    if (conditions) {
      const protocol = await context.newCDPSession(page)
      await protocol.send('Network.enable')
      const bytesPerSecond = conditions.bitsPerSecond / 8
      await protocol.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: conditions.latency,
        downloadThroughput: bytesPerSecond,
        uploadThroughput: bytesPerSecond,
      })
    }
    await page.addInitScript(watchTiles)
    await page.goto(`${url}/calendar`, { waitUntil: 'commit' })
    const shown = await page.waitForFunction(
      () => (window as { readonly firstTileAt?: number }).firstTileAt,
      undefined,
      { timeout: withinMs, polling: 50 },
    )
    return (await shown.jsonValue()) ?? Number.NaN
  } finally {
    await context.close()
  }
}

/** Runs in the page. */
function watchTiles(): void {
  const look = () => {
    if (document.querySelector('[data-testid=calendar-post]') === null) return void requestAnimationFrame(look)
    // The frame in which it was found is not painted yet.
    requestAnimationFrame(() => Object.assign(window, { firstTileAt: performance.now() }))
  }
  requestAnimationFrame(look)
}
