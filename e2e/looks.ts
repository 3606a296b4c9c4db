/** Checks for every screen: axe finds no violation in light and dark mode, and nothing is wider than a phone. */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { desktop, phone } from './browser.ts'

const shots = fileURLToPath(new URL('./shots/', import.meta.url))

/** Restores the page's width and colour scheme. `SHOTS` saves a screenshot of each state. */
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
 * A shorter `holdsUp` for the many states of a screen: light and dark mode at the current width, then the width of a
 * phone.
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
    // Without frames, axe needs no extra page for its results.
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
 * Waits until nothing has moved for some frames: a contrast measured during an animation is wrong, and one animation
 * may start another.
 */
const settled = (page: Page) =>
  page.evaluate(async () => {
    const isEndless = ({ effect }: Animation) => effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY
    for (let still = 0; still < 5; still++) {
      await new Promise(requestAnimationFrame)
      if (!document.getAnimations().every(isEndless)) still = 0
    }
  })
