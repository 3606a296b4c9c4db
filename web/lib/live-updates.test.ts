import { beforeEach, describe, expect, it } from 'vitest'
import type { ChangeCounts } from '../../api/contract/index.ts'
import { listPositions } from './list-positions.ts'
import { liveUpdatesLine, type Watched } from './live-updates.ts'

const posts: Watched = { kind: 'posts', clientId: 'blue-cup', lists: ['/posts'] }
const counts = (
  ...changed: readonly (readonly [kind: Watched['kind'], count: number, clientId?: string])[]
): ChangeCounts => ({
  missed: false,
  changed: changed.map(([kind, count, clientId = 'blue-cup']) => ({ kind, clientId, count })),
})
const missed: ChangeCounts = { missed: true, changed: [] }

describe('the live updates line of a list', () => {
  it('counts the changes since the list was read', () => {
    expect(liveUpdatesLine([posts], () => counts(['posts', 2]))).toBe('2 posts changed')
    expect(liveUpdatesLine([posts], () => counts(['posts', 1]))).toBe('1 post changed')
    expect(liveUpdatesLine([posts], () => counts())).toBeNull()
  })
  it('leaves out other clients and other kinds', () => {
    const others = counts(['posts', 3, 'red-cup'], ['accounts', 1])
    expect(liveUpdatesLine([posts], () => others)).toBeNull()
    expect(
      liveUpdatesLine([{ kind: 'posts', lists: ['/posts'] }], () => counts(['posts', 3, 'red-cup'], ['posts', 1])),
    ).toBe('4 posts changed')
  })
  it('is empty while the list has no counts', () => {
    expect(liveUpdatesLine([posts], () => undefined)).toBeNull()
  })
  it('names several kinds, and new figures', () => {
    const all = (['posts', 'clients', 'figures'] as const).map((kind): Watched => ({ kind, lists: ['/dashboard'] }))
    expect(liveUpdatesLine(all, () => counts(['posts', 1], ['clients', 1], ['figures', 1]))).toBe(
      '1 post and 1 client changed, new metrics',
    )
    expect(liveUpdatesLine(all, () => counts(['figures', 2]))).toBe('New metrics')
  })
  it('says that there may be changes when single changes were missed', () => {
    expect(liveUpdatesLine([posts], () => missed)).toBe('There may be changes')
  })
})

describe('a ring', () => {
  const change = (kind: Watched['kind'], clientId: string) => ({ kind, id: 'x', clientId, position: 'token' })
  let before: number
  beforeEach(() => {
    before = listPositions.rings()
  })

  it('is for a kind and its client, or for any client', () => {
    listPositions.ring({ missed: false, changes: [change('posts', 'one')] })
    expect([
      listPositions.lastRing('posts', 'one') > before,
      listPositions.lastRing('posts', undefined) > before,
    ]).toEqual([true, true])
    expect([
      listPositions.lastRing('posts', 'two') > before,
      listPositions.lastRing('clients', undefined) > before,
    ]).toEqual([false, false])
  })
  it('is for everything when changes were missed, or when too many are remembered', () => {
    listPositions.ring({ missed: true, changes: [] })
    expect(listPositions.lastRing('accounts', 'three')).toBe(before + 1)
    listPositions.ring({
      missed: false,
      changes: Array.from({ length: 600 }, (_, index) => change('posts', `client ${index}`)),
    })
    expect(listPositions.lastRing('figures', 'four')).toBe(before + 2)
  })
  it('is already contained in a list that was requested after it', () => {
    listPositions.ring({ missed: false, changes: [change('posts', 'five')] })
    listPositions.at('/five', 'token', listPositions.rings())
    expect(listPositions.lastRing('posts', 'five') > (listPositions.of('/five')?.rings ?? 0)).toBe(false)
    listPositions.ring({ missed: false, changes: [change('posts', 'five')] })
    expect(listPositions.lastRing('posts', 'five') > (listPositions.of('/five')?.rings ?? 0)).toBe(true)
  })
})
