/** The chosen client, kept between Content and Calendar. */
import { useSyncExternalStore } from 'react'

interface Chosen {
  readonly client?: string
  /** The calendar can show all clients; Content shows one. */
  readonly everybody?: true
}

const store = 'chosen-client'
const listeners = new Set<() => void>()
let chosen: Chosen = read()

function read(): Chosen {
  try {
    return JSON.parse(sessionStorage.getItem(store) ?? '{}') as Chosen
  } catch {
    return {}
  }
}

function set(next: Chosen): void {
  chosen = next
  sessionStorage.setItem(store, JSON.stringify(next))
  for (const listener of listeners) listener()
}

export const chosenClient = {
  keep: (client: string) => {
    if (chosen.client !== client || chosen.everybody) set({ client })
  },
  /** On the calendar. */
  everybody: () => set({ ...chosen, everybody: true }),
  /** A removed client; all clients when none is chosen. */
  forget: (client?: string) => {
    if (client === undefined || chosen.client === client) set({})
  },
  /** The search parameters of a link to a screen. */
  searchOf: (path: string): { readonly client?: string } => {
    const { client, everybody = false } = chosen
    const carries = path === '/content' || (path === '/calendar' && !everybody)
    return client !== undefined && carries ? { client } : {}
  },
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Renders links again when another client is chosen. */
export function useChosenClient(): typeof chosenClient {
  useSyncExternalStore(subscribe, () => chosen)
  return chosenClient
}
