/**
 * Clicks, keys and seconds of a person's daily tasks, in Chromium on a built server. `COMPARE_WITH` names a second
 * checkout, whose screens may have other ways.
 */
import { chromium, type Browser } from '@playwright/test'
import { launchOptions } from '../e2e/chromium.ts'
import { builds, withServer, type Build } from './builds.ts'
import { Hand } from './tasks/hand.ts'
import { seed, type Seeded } from './tasks/seed.ts'
import { allTasks, type Task } from './tasks/steps.ts'

interface Counted {
  readonly clicks: number
  readonly keys: number
  readonly seconds: number
}

const withinMs = 20_000

export async function tasks(): Promise<void> {
  const browser = await chromium.launch(launchOptions)
  try {
    for (const build of builds())
      await withServer(build, 'empty', async ({ url }) => {
        const seeded = await seed(url)
        console.log(`\n${build.name}`)
        row('task', 'clicks', 'keys', 'seconds')
        for (const task of allTasks) {
          const counted = await count(browser, build, url, seeded, task)
          row(
            task.name,
            ...(counted
              ? [String(counted.clicks), String(counted.keys), counted.seconds.toFixed(1)]
              : ['failed', '', '']),
          )
        }
      })
  } finally {
    await browser.close()
  }
}

const row = (task: string, ...cells: readonly string[]) =>
  console.log(`  ${task.padEnd(36)} ${cells.map((cell) => cell.padStart(8)).join(' ')}`)

/** Null for a task that could not be carried out. */
async function count(
  browser: Browser,
  { isCompared }: Build,
  url: string,
  seeded: Seeded,
  { name, begin, run }: Task,
): Promise<Counted | null> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-US',
    baseURL: url,
  })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(withinMs)
    const hand = new Hand(page)
    if (begin) {
      const [key = '', value = ''] = seeded.caller.cookie.split(/=(.*)/s)
      await context.addCookies([{ name: key, value, url }])
      await begin(hand, seeded)
    } else {
      await page.goto('/')
      await page.getByRole('button', { name: 'Create Account' }).waitFor()
    }
    const began = performance.now()
    await run(hand, isCompared)
    return { clicks: hand.clicks, keys: hand.keys, seconds: (performance.now() - began) / 1000 }
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    return null
  } finally {
    await context.close()
  }
}
