/**
 * What holds for whatever is on the screen: axe finds nothing by day and by night, and nothing is wider than a phone.
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { desktop, phone } from './browser.ts'

const shots = fileURLToPath(new URL('./shots/', import.meta.url))

/** Leaves the page as wide and as light as it found it. `SHOTS` keeps a picture of each for people to look at. */
export async function holdsUp(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport)
      await settled(page)
      const about = `${name}, ${colorScheme}, ${viewport.width}`
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect({ about, wider }).toEqual({ about, wider: 0 })
      if (process.env['SHOTS'] !== undefined) {
        await mkdir(shots, { recursive: true })
        await page.screenshot({ path: `${shots}${name}-${viewport.width}-${colorScheme}.png` })
      }
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${about}: ${id}: ${nodes[0]?.html ?? ''}`)).toEqual([])
    }
  }
}

/**
 * As `holdsUp` with less to look at, for the many states of a screen: by day and by night at the width that it has,
 * then no wider than a phone.
 */
export async function looksRight(page: Page, name: string): Promise<void> {
  const wide = page.viewportSize() ?? desktop
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settled(page)
    if (process.env['SHOTS'] !== undefined) {
      await mkdir(shots, { recursive: true })
      await page.screenshot({ path: `${shots}${name}-${colorScheme}.png` })
    }
    // Without frames to look into it needs no page of its own for the results.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(violations.map(({ id, nodes }) => `${name}, ${colorScheme}: ${id}: ${nodes[0]?.html ?? ''}`)).toEqual([])
  }
  await page.setViewportSize(phone)
  await settled(page)
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect({ name, wider }).toEqual({ name, wider: 0 })
  await page.setViewportSize(wide)
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

/**
 * Until nothing has moved for some frames: a contrast measured in between is nobody's, and one movement may start
 * another.
 */
const settled = (page: Page) =>
  page.evaluate(async () => {
    const isEndless = ({ effect }: Animation) => effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY
    for (let still = 0; still < 5; still++) {
      await new Promise(requestAnimationFrame)
      if (!document.getAnimations().every(isEndless)) still = 0
    }
  })
