/**
 * Says in a few words what changed since a list was fetched. The stream only notifies; the server counts the changes,
 * because it alone can compare positions. A notification never refetches a list: the user does.
 */
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import type { ChangeCounts, ChangeKind } from '../../api/contract/index.ts'
import { call } from './call.ts'
import { listPositions } from './list-positions.ts'

/** The lists that a screen shows, of one client or of all, by their addresses. */
export interface Watched {
  readonly kind: ChangeKind
  readonly clientId?: string | undefined
  readonly lists: readonly string[]
}

/** Of many changes in a row one question is asked. */
const betweenQuestionsMs = 1_000
const beforeQuestionMs = 50
const maxPositions = 8
let askedAt = 0

/** Null while there is no news, and while this tab acts: what comes of that it fetches itself. */
export function useLiveUpdates(watched: readonly Watched[]): string | null {
  const read = useSyncExternalStore(listPositions.subscribe, () => watched.map(positionsOf).join(' '))
  const rings = useSyncExternalStore(listPositions.subscribe, () =>
    listPositions.isActing() ? 0 : lastRingOf(watched),
  )
  const [answer, setAnswer] = useState<Answer>({ read: '', line: null })
  const ask = useEffectEvent(() => lineOf(watched))
  useEffect(() => {
    if (rings === 0) return
    let isGone = false
    const timer = setTimeout(
      () => {
        askedAt = performance.now()
        void ask().then((line) => isGone || setAnswer({ read, line }))
      },
      Math.max(beforeQuestionMs, askedAt + betweenQuestionsMs - performance.now()),
    )
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [read, rings])
  return rings === 0 || answer.read !== read ? null : answer.line
}

interface Answer {
  /** The positions that it is about. */
  readonly read: string
  readonly line: string | null
}

/** Joined as the server takes them; empty while one of the lists is not here yet. */
function positionsOf({ lists }: Watched): string {
  const positions = lists.map((address) => listPositions.of(address)?.position)
  return positions.includes(undefined) ? '' : [...new Set(positions)].slice(0, maxPositions).join('.')
}

/** The last ring that may be news to one of the lists; 0 for none. */
const lastRingOf = (watched: readonly Watched[]): number =>
  Math.max(0, ...watched.map((part) => (isRung(part) ? listPositions.lastRing(part.kind, part.clientId) : 0)))

function isRung({ kind, clientId, lists }: Watched): boolean {
  const read = lists.map((address) => listPositions.of(address)?.rings)
  // A list that is not here yet has nothing to be behind of.
  return (
    !read.includes(undefined) &&
    listPositions.lastRing(kind, clientId) > Math.min(...read.flatMap((rings) => rings ?? []))
  )
}

async function lineOf(watched: readonly Watched[]): Promise<string | null> {
  const rung = watched.filter(isRung)
  const questions = [...new Set(rung.map(positionsOf))]
  const counts = new Map(
    await Promise.all(
      questions.map(
        async (since) => [since, await call('GET /api/news/count', { query: { since } }).catch(unknown)] as const,
      ),
    ),
  )
  return liveUpdatesLine(rung, (part) => counts.get(positionsOf(part)))
}

/** A notification came, and the count can't be fetched right now. */
const unknown = (): ChangeCounts => ({ missed: true, changed: [] })

const names: Readonly<Record<Exclude<ChangeKind, 'figures'>, readonly [one: string, more: string]>> = {
  posts: ['post', 'posts'],
  clients: ['client', 'clients'],
  accounts: ['account', 'accounts'],
}

/** @param countsOf what changed since the lists of a part were read; undefined where that is not known */
export function liveUpdatesLine(
  watched: readonly Watched[],
  countsOf: (part: Watched) => ChangeCounts | undefined,
): string | null {
  const counted: string[] = []
  let figures = false
  for (const part of watched) {
    const { missed = false, changed = [] } = countsOf(part) ?? {}
    if (missed) return 'There may be changes'
    const count = changed
      .filter(({ kind, clientId }) => kind === part.kind && (part.clientId === undefined || part.clientId === clientId))
      .reduce((sum, each) => sum + each.count, 0)
    if (count === 0) continue
    if (part.kind === 'figures') figures = true
    else counted.push(`${count.toLocaleString('en-US')} ${names[part.kind][count === 1 ? 0 : 1]}`)
  }
  if (counted.length === 0) return figures ? 'New metrics' : null
  const things = counted.length === 1 ? counted[0] : `${counted.slice(0, -1).join(', ')} and ${counted.at(-1)}`
  return `${things} changed${figures ? ', new metrics' : ''}`
}
