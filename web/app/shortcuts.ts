/** The keyboard shortcuts of every screen. A single key does nothing while text is typed or a dialog is open. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { chosenClient } from '../lib/chosen-client.ts'
import { allClients } from '../lib/all-clients.ts'
import { words } from './words.ts'

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

export const screens = {
  d: { to: '/', name: words.screens.dashboard },
  c: { to: '/clients', name: words.screens.clients },
  o: { to: '/content', name: words.screens.content },
  k: { to: '/calendar', name: words.screens.calendar },
  a: { to: '/analytics', name: words.screens.analytics },
  b: { to: '/billing', name: words.screens.billing },
  s: { to: '/settings', name: words.screens.settings },
} as const

const isScreenKey = (key: string): key is keyof typeof screens => Object.hasOwn(screens, key)

// A key by itself can be hit by accident, and speech input types many: they can be turned off, and stay off.
const store = 'shortcuts'
const listeners = new Set<() => void>()

export const shortcutsOn = {
  get: () => localStorage.getItem(store) !== 'off',
  set: (on: boolean) => {
    localStorage.setItem(store, on ? 'on' : 'off')
    for (const listener of listeners) listener()
  },
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useShortcutsOn = () => useSyncExternalStore(subscribe, shortcutsOn.get)

const typing =
  'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable=true], [role=listbox], [role=textbox]'
// A toast is an alertdialog too, but not a modal one.
const dialog = '[role=dialog], [role=alertdialog]:not([aria-modal=false])'

const isBusy = ({ target }: Event) =>
  (target instanceof Element && target.closest(typing) !== null) || document.querySelector(dialog) !== null

/** Keys that a screen gives to a button of its own. */
const ofScreen = ['j', 'k', 'x', 'a', 'r'] as const
const isOfScreen = (key: string): key is (typeof ofScreen)[number] => ofScreen.some((each) => each === key)

const marked = (key: '/' | 'n' | (typeof ofScreen)[number]) =>
  document.querySelector<HTMLElement>(`main [data-shortcut="${key}"]`)

/** How long a `g` waits for its letter, in milliseconds. */
const patience = 1500

export function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate()
  useEffect(() => {
    let leaderAt = 0
    const keyed = (key: string): boolean => {
      const follows = Date.now() - leaderAt < patience
      leaderAt = key === 'g' ? Date.now() : 0
      if (follows && isScreenKey(key))
        void navigate({ to: screens[key].to, search: chosenClient.searchOf(screens[key].to) })
      else if (key === '?') onHelp()
      else if (key === '/') marked('/')?.focus()
      else if (key === 'n') makeNew()
      else if (isOfScreen(key)) return pressed(key)
      else return false
      return true
    }
    const pressed = (key: (typeof ofScreen)[number]): boolean => {
      const button = marked(key)
      button?.click()
      return button !== null
    }
    // A screen that has nothing new of its own leads to where a post is written.
    const makeNew = () => {
      const button = marked('n')
      if (button) return button.click()
      const { pathname, search } = location
      const isOfPosts = pathname === '/content' || pathname === '/calendar'
      const id =
        /^\/clients\/([^/]+)/.exec(pathname)?.[1] ?? (isOfPosts ? new URLSearchParams(search).get('client') : null)
      if (id && id !== allClients)
        void navigate({ to: '/clients/$id', params: { id }, search: { tab: 'posts', compose: true } })
      // The client is chosen first.
      else if (isOfPosts) marked('/')?.click()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      if (!shortcutsOn.get() || isBusy(event)) return
      if (keyed(event.key.length === 1 ? event.key.toLowerCase() : event.key)) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate, onHelp])
}

/** Ctrl or Cmd and K, also while typing; not over a dialog, which may hold unsaved text. */
export function usePaletteKey(onOpen: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      if (document.querySelector(dialog) !== null) return
      event.preventDefault()
      onOpen()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onOpen])
}
