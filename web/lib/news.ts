/** What changed since a list was last fetched, in a few words. Nothing is fetched because of it: that is for the reader to say. */
import { useSyncExternalStore } from 'react'
import type { Change, NewsKind, NewsMessage } from '../../api/contract/index.ts'
import { heard } from './heard.ts'

/** What a screen shows: of one client, or of all, from these addresses. */
export interface Watched {
  readonly kind: NewsKind
  readonly clientId?: string | undefined
  readonly lists: readonly string[]
}

const mostKept = 2_000
let latest = new Map<string, Change>()
/** Up to here something may have changed that was not told one by one. */
let missed = ''
const listeners = new Set<() => void>()

export function tellNews(message: NewsMessage, position: string): void {
  for (const change of message.changes) latest.set(`${change.kind} ${change.id}`, change)
  if (message.missed || latest.size > mostKept) {
    missed = position
    latest = new Map()
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  const stop = heard.subscribe(listener)
  return () => {
    stop()
    listeners.delete(listener)
  }
}

/** Null while there is no news, and while this tab acts: what comes of that it fetches itself. */
export function useNews(watched: readonly Watched[]): string | null {
  return useSyncExternalStore(subscribe, () => (heard.isActing() ? null : newsLine(watched, [...latest.values()], missed, heard.of)))
}

const names: Readonly<Record<Exclude<NewsKind, 'figures'>, readonly [one: string, more: string]>> = {
  posts: ['post', 'posts'],
  clients: ['client', 'clients'],
  accounts: ['account', 'accounts'],
}

export function newsLine(watched: readonly Watched[], changes: readonly Change[], missed: string, readAt: (address: string) => string | undefined): string | null {
  const counted: string[] = []
  let figures = false
  for (const { kind, clientId, lists } of watched) {
    const read = lists.map(readAt)
    // A list that is not here yet has nothing to be behind of.
    if (!read.every((at) => at !== undefined)) continue
    const since = read.sort()[0] ?? ''
    if (missed > since) return 'There may be changes'
    const count = changes.filter((change) => change.kind === kind && change.position > since && (clientId === undefined || change.clientId === clientId)).length
    if (count === 0) continue
    if (kind === 'figures') figures = true
    else counted.push(`${count.toLocaleString('en-US')} ${names[kind][count === 1 ? 0 : 1]}`)
  }
  if (counted.length === 0) return figures ? 'New figures' : null
  const things = counted.length === 1 ? counted[0] : `${counted.slice(0, -1).join(', ')} and ${counted.at(-1)}`
  return `${things} changed${figures ? ', new figures' : ''}`
}
