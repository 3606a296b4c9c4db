/**
 * The colour theme that a person chose, written into the page: the first paint has it, and the content security policy
 * needs no inline script. `web/app/theme/theme.ts` sets the cookie.
 */
import { readCookie } from './cookies.ts'

export const pageThemes = ['system', 'light', 'dark'] as const
export type PageTheme = (typeof pageThemes)[number]

/** @param header the request's Cookie header */
export const themeOf = (header: string | undefined): PageTheme =>
  pageThemes.find((theme) => theme === readCookie(header, 'theme')) ?? 'system'

export function withTheme(html: string, theme: PageTheme): string {
  if (theme === 'system') return html
  const bar = themeColor(html, theme)
  return html
    .replace('<html lang="en"', `<html lang="en" data-theme="${theme}"`)
    .replace('name="color-scheme" content="light dark"', `name="color-scheme" content="${theme}"`)
    .replaceAll(/(name="theme-color"[^>]{0,80}content=")[^"]{1,20}"/g, `$1${bar}"`)
}

/** The colour that the page has for the browser's own bars in a scheme. */
const themeColor = (html: string, theme: 'light' | 'dark'): string =>
  new RegExp(`prefers-color-scheme: ${theme}\\)" content="([^"]{1,20})"`).exec(html)?.[1] ?? ''
