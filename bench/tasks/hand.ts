/** A person's hand on a page: what it presses is counted. Thinking takes no time here. */
import type { Locator, Page } from '@playwright/test'

const maxPresses = 400

export class Hand {
  clicks = 0
  keys = 0
  constructor(readonly page: Page) {}

  async click(what: Locator): Promise<void> {
    this.clicks += 1
    await what.click()
  }

  /** Chords count each of their keys: `Control+k` is two. */
  async press(keys: string): Promise<void> {
    this.keys += keys.split('+').length
    await this.page.keyboard.press(keys)
  }

  /** Each character is a key. */
  async type(text: string): Promise<void> {
    this.keys += text.length
    await this.page.keyboard.type(text)
  }

  async fill(field: Locator, text: string): Promise<void> {
    await this.click(field)
    await this.type(text)
  }

  /** Chooses a file in the system's dialog: one click opens it, and one chooses. */
  async chooseFile(button: Locator, file: string): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser')
    await this.click(button)
    await (await chooser).setFiles(file)
    this.clicks += 1
  }

  /** @throws Error when the key does not lead there */
  async pressUntil(keys: string, isThere: () => Promise<boolean>): Promise<void> {
    for (let count = 0; count < maxPresses; count++) {
      if (await isThere()) return
      await this.press(keys)
    }
    throw new Error(`${keys} did not lead there`)
  }
}

export const isFocused = (what: Locator) => async (): Promise<boolean> =>
  (await what.count()) > 0 && (await what.first().evaluate((element) => element === document.activeElement))
