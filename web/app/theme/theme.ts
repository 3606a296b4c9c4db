/**
 * The chosen colour theme, remembered on the device. In a cookie: the server writes it into the page
 * (`api/http/theme.ts`), so that the first paint has it without an inline script.
 */
import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const name = 'theme'
const maxAgeSeconds = 400 * 86_400
/** The browser's own bars, as in `index.html`. */
const barColor = { light: '#f7f8fa', dark: '#111319' } as const
const listeners = new Set<() => void>()

function readTheme(): Theme {
  const kept = document.cookie
    .split('; ')
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1)
  return themes.find((each) => each === kept) ?? 'system'
}

/** Puts the remembered theme on the page. */
export function applyTheme(): void {
  const theme = readTheme()
  const root = document.documentElement
  const isChosen = theme !== 'system'
  if (isChosen) root.dataset['theme'] = theme
  else delete root.dataset['theme']
  const meta = (selector: string, content: string) =>
    document.querySelector<HTMLMetaElement>(`meta${selector}`)?.setAttribute('content', content)
  meta('[name=color-scheme]', isChosen ? theme : 'light dark')
  for (const scheme of ['light', 'dark'] as const)
    meta(`[name=theme-color][media*=${scheme}]`, barColor[isChosen ? theme : scheme])
  for (const listener of listeners) listener()
}

export function keepTheme(theme: Theme): void {
  const life = theme === 'system' ? 0 : maxAgeSeconds
  document.cookie = `${name}=${theme}; Path=/; Max-Age=${life}; SameSite=Lax`
  applyTheme()
}

/** Takes over what another tab chose, once this one is looked at again. */
export function followTheme(): void {
  applyTheme()
  document.addEventListener('visibilitychange', applyTheme)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme)
