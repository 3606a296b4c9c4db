/** Whose posts somebody is at, kept while they go between Content and Calendar. */
import { useSyncExternalStore } from 'react'

interface Chosen {
  readonly client?: string
  /** The calendar shows everybody's, which Content can't. */
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
  /** One that is gone; everything, when nobody in particular. */
  forget: (client?: string) => {
    if (client === undefined || chosen.client === client) set({})
  },
  /** What a link to a screen carries. */
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

/** Draws links anew once somebody else is chosen. */
export function useChosenClient(): typeof chosenClient {
  useSyncExternalStore(subscribe, () => chosen)
  return chosenClient
}
