/** An owner with a client and an account: how the tests of approval begin, and what their screens keep to. */
import { expect, type Browser, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { brand, owner } from '../api/testing/server.ts'
import { desktop, phone, shot } from './browser.ts'
import { overflowOf, violationsOf } from './looks.ts'
import { openStage, type Stage } from './screens/stage.ts'

export interface Office {
  readonly stage: Stage
  readonly boss: ApiClient
  /** The owner's page. */
  readonly office: Page
  readonly cup: { readonly clientId: string; readonly accountId: string }
}

export async function openOffice(browser: Browser): Promise<Office> {
  const stage = await openStage(browser)
  const boss = await owner(stage.server)
  return { stage, boss, cup: await brand(boss), office: await stage.enter(boss) }
}

/** No part is wider than the window of a small phone, and none of axe's rules is violated, on light and dark. */
export async function holdsUpEverywhere(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? phone
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 360, height: 740 })
    expect({ name, wider: await overflowOf(page) }).toEqual({ name, wider: 0 })
    expect(await violationsOf(page, `${name}, ${colorScheme}`)).toEqual([])
    for (const size of [phone, desktop]) {
      await page.setViewportSize(size)
      await shot(page, `${name}-${size.width}-${colorScheme}`)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(before)
}
