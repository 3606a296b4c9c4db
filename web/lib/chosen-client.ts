/** The chosen client, kept between Content and Calendar. */
import { useSyncExternalStore } from 'react'
import { allClients } from './all-clients.ts'

interface Chosen {
  readonly client?: string
  /** The calendar shows all clients. */
  readonly everybody?: true
  /** Content shows all clients. */
  readonly allPosts?: true
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
    if (chosen.client !== client || chosen.everybody || chosen.allPosts) set({ client })
  },
  /** On the calendar. */
  everybody: () => set({ ...chosen, everybody: true }),
  /** In Content: then the calendar shows all clients too. */
  allPosts: () => {
    if (!chosen.allPosts) set({ ...chosen, everybody: true, allPosts: true })
  },
  /** A removed client; all clients when none is chosen. */
  forget: (client?: string) => {
    if (client === undefined || chosen.client === client) set({})
  },
  /** The search parameters of a link to a screen. */
  searchOf: (path: string): { readonly client?: string } => {
    const { client, everybody = false, allPosts = false } = chosen
    if (path === '/content' && allPosts) return { client: allClients }
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
