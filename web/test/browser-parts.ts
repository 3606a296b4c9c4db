/** Parts of a browser that jsdom leaves out. The page has no layout, so the observers report nothing. */
import { FetchedEventSource } from './event-source.ts'

class SilentObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): [] {
    return []
  }
}

/** A desktop with a mouse: no media query matches. */
const matchMedia = (media: string) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  })

const css = { escape: (text: string) => text.replaceAll(/[^\w-]/g, (character) => `\\${character}`) }

Object.assign(globalThis, {
  CSS: css,
  matchMedia,
  IntersectionObserver: SilentObserver,
  ResizeObserver: SilentObserver,
  EventSource: FetchedEventSource,
  scrollTo: () => undefined,
})
Element.prototype.scrollIntoView = () => undefined
