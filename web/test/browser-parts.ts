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
const none = { display: '', visibility: '' }
Element.prototype.scrollIntoView = () => undefined
/**
 * The page has only the styles of its attributes. Without this function React Aria computes the style of each element
 * that gets the focus and of all around it, which jsdom does slowly.
 */
Element.prototype.checkVisibility = function (this: Element) {
  return this.isConnected && this.closest('[hidden]') === null && isShown(this)
}

function isShown(element: Element, inherited = ''): boolean {
  const { display, visibility } = element instanceof HTMLElement || element instanceof SVGElement ? element.style : none
  if (display === 'none') return false
  const nearest = inherited || visibility
  return element.parentElement ? isShown(element.parentElement, nearest) : nearest === '' || nearest === 'visible'
}
