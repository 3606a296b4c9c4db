import type { Locator } from 'playwright-core'

/** A double click at its fastest: the page has drawn nothing between the two. */
export const pressTwice = (button: Locator) =>
  button.evaluate((element) => {
    if (!(element instanceof HTMLElement)) return
    element.click()
    element.click()
  })
