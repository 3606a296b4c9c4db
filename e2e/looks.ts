/** Checks for every screen: axe finds no violation in light and dark mode, and nothing is wider than a phone. */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { axeSource } from './axe.ts'
import { desktop, phone } from './browser.ts'

const shots = fileURLToPath(new URL('./shots/', import.meta.url))

/** The only rule whose result depends on the colour scheme: the same elements are shown in both. */
const coloursOnly = ['color-contrast']

/** Restores the page's width and colour scheme. `SHOTS` saves a screenshot of each state. */
export async function holdsUp(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport)
      await settled(page)
      const about = `${name}, ${colorScheme}, ${viewport.width}`
      await save(page, `${name}-${viewport.width}-${colorScheme}`)
      if (colorScheme === 'light') expect({ about, wider: await overflowOf(page) }).toEqual({ about, wider: 0 })
      expect(await violationsOf(page, about, colorScheme === 'dark' ? coloursOnly : null)).toEqual([])
    }
  }
}

/**
 * A shorter `holdsUp` for the many states of a screen: light and dark mode at the current width, then the width of a
 * phone.
 */
export async function looksRight(page: Page, name: string): Promise<void> {
  const wide = page.viewportSize() ?? desktop
  const isAnimated = await page.evaluate(() => matchMedia('(prefers-reduced-motion: no-preference)').matches)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settled(page)
    await save(page, `${name}-${colorScheme}`)
    const about = `${name}, ${colorScheme}`
    expect(await violationsOf(page, about, colorScheme === 'dark' ? coloursOnly : null)).toEqual([])
  }
  await page.setViewportSize(phone)
  await settled(page)
  expect({ name, wider: await overflowOf(page) }).toEqual({ name, wider: 0 })
  await page.setViewportSize(wide)
  await page.emulateMedia({ colorScheme: null, reducedMotion: isAnimated ? 'no-preference' : 'reduce' })
}

/**
 * How much wider than the window the page is, in pixels. Waits up to 2 s while it is wider: after a change of the
 * window's size, React renders the other layout a moment later.
 */
export async function overflowOf(page: Page): Promise<number> {
  const wider = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth
  await page.waitForFunction(fits, undefined, { timeout: 2_000 }).catch(() => {})
  return page.evaluate(wider)
}

interface Axe {
  run(
    context: Document,
    options: object,
  ): Promise<{
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
  }>
}

/**
 * One line for each rule that the page violates.
 *
 * @param rules the only rules to check, or null for all
 */
export async function violationsOf(
  page: Page,
  about: string,
  rules: readonly string[] | null = null,
): Promise<readonly string[]> {
  // A page that has axe keeps it until the next load. The library evaluates its source twice at each call.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const violations = await page.evaluate(async (only) => {
    const { axe } = window as unknown as { readonly axe: Axe }
    const results = await axe.run(document, {
      // Selectors of what holds would take longer than the checks.
      resultTypes: ['violations'],
      ...(only && { runOnly: { type: 'rule', values: [...only] } }),
    })
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
  }, rules)
  return violations.map((violation) => `${about}: ${violation}`)
}

async function save(page: Page, name: string): Promise<void> {
  if (process.env['SHOTS'] === undefined) return
  await mkdir(shots, { recursive: true })
  await page.screenshot({ path: `${shots}${name}.png` })
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
