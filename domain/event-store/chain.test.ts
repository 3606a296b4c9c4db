import { describe, expect, it } from 'vitest'
import type { ChainedEvent } from '../core/event.ts'
import { flawIn, hashOf, chainHashes as addHashes, type ChainHead } from './chain.ts'
import { event } from './test/samples.ts'

const stream = 'post-1'
type Linked = ChainedEvent & { readonly revision: number }

/** Recomputes the hashes of events that may already have some. */
const chainOnto = (on: string, head: ChainHead, events: readonly ChainedEvent[]) =>
  addHashes(
    on,
    head,
    events.map(({ metadata: { hash: _, prevHash: _before, ...metadata }, ...rest }) => ({ ...rest, metadata })),
  )
const numbered = (events: readonly ChainedEvent[]): Linked[] =>
  events.map((chained, revision) => ({ ...chained, revision }))
const chained = (count: number) =>
  chainOnto(
    stream,
    { revision: -1, hash: null },
    Array.from({ length: count }, (_, n) => event('SampleTaken', { n, text: `No. ${n}` })),
  )
const chain = numbered(chained(5))

describe('A hash chain', () => {
  it('is valid after one append or several', () => {
    expect(flawIn(stream, chain)).toBeNull()
    expect(flawIn(stream, [])).toBeNull()
    const first = chained(2)
    const head = { revision: 1, hash: first.at(-1)?.metadata.hash ?? null }
    expect(flawIn(stream, numbered([...first, ...chainOnto(stream, head, [event(), event()])]))).toBeNull()
  })

  it('does not depend on the field order of a store', () => {
    const shuffled = chain.map(({ metadata: { hash, at, ...metadata }, data, name, revision }) => ({
      revision,
      metadata: { at, hash, ...metadata },
      data: Object.fromEntries(Object.entries(data).reverse()),
      name,
    }))
    expect(flawIn(stream, shuffled)).toBeNull()
  })

  const at = (index: number, change: (link: Linked) => Linked) =>
    chain.map((link, i) => (i === index ? change(link) : link))
  const changes: readonly (readonly [string, readonly Linked[], number, string])[] = [
    ['changed data', at(2, (link) => ({ ...link, data: { ...link.data, text: 'No. 2 ' } })), 2, 'changed'],
    ['a field too many', at(2, (link) => ({ ...link, data: { ...link.data, more: null } })), 2, 'changed'],
    ['another name', at(1, (link) => ({ ...link, name: 'SampleLost' })), 1, 'changed'],
    [
      'another actor',
      at(3, (link) => ({ ...link, metadata: { ...link.metadata, actor: { type: 'user', id: 'x' } } })),
      3,
      'changed',
    ],
    [
      'another time',
      at(0, (link) => ({ ...link, metadata: { ...link.metadata, at: '2026-01-31T09:00:00.001Z' } })),
      0,
      'changed',
    ],
    [
      'another hash',
      at(4, (link) => ({ ...link, metadata: { ...link.metadata, hash: 'f'.repeat(64) } })),
      4,
      'changed',
    ],
    ['a removed event', chain.filter((_, i) => i !== 2), 2, 'missing'],
    ['a removed event, the others moved up', numbered(chain.filter((_, i) => i !== 2)), 2, 'changed'],
    ['a removed first event', numbered(chain.slice(1)), 0, 'changed'],
    [
      'an inserted event',
      numbered([
        ...chain.slice(0, 2),
        ...chainOnto(stream, { revision: 1, hash: chain[1]?.metadata.hash ?? null }, [event()]),
        ...chain.slice(2),
      ]),
      3,
      'changed',
    ],
    [
      'an event that was chained to another one',
      numbered([
        ...chain.slice(0, 2),
        ...chainOnto(stream, { revision: 1, hash: chain[0]?.metadata.hash ?? null }, [event()]),
      ]),
      2,
      'inserted',
    ],
    [
      'an inserted event without a chained hash',
      numbered([...chain.slice(0, 2), event(), ...chain.slice(2)]),
      2,
      'changed',
    ],
    ['two events in another order', numbered([0, 2, 1, 3, 4].flatMap((i) => chain[i] ?? [])), 1, 'changed'],
    ['a doubled event', numbered([0, 1, 1, 2, 3, 4].flatMap((i) => chain[i] ?? [])), 2, 'changed'],
  ]
  it.each(changes)('reports %s', (_, events, revision, problem) => {
    expect(flawIn(stream, events)).toEqual({ revision, problem })
  })

  it('is not valid under another stream’s name', () => {
    expect(flawIn('post-2', chain)).toEqual({ revision: 0, problem: 'changed' })
  })

  it('that was recomputed from a changed event on differs from a previously saved head', () => {
    const forged = numbered(
      chainOnto(stream, { revision: -1, hash: null }, [event('SampleTaken', { n: 0 }), ...chain.slice(1)]),
    )
    expect(flawIn(stream, forged)).toBeNull()
    expect(forged.at(-1)?.metadata.hash).not.toBe(chain.at(-1)?.metadata.hash)
  })
})

it('A hash covers stream, revision, name, data and metadata, but not the position or the store’s time', () => {
  const { metadata, ...rest } = { ...chain[0], ...event('SampleTaken', { n: 1 }) }
  const { hash: _, ...open } = metadata
  const base = hashOf(stream, 0, { ...rest, metadata: open })
  expect(base).toMatch(/^[0-9a-f]{64}$/)
  expect(hashOf('post-2', 0, { ...rest, metadata: open })).not.toBe(base)
  expect(hashOf(stream, 1, { ...rest, metadata: open })).not.toBe(base)
  expect(hashOf(stream, 0, { ...rest, metadata: { ...open, prevHash: base } })).not.toBe(base)
  const stored = { ...rest, metadata: open, position: '7', storedAt: 'later' }
  expect(hashOf(stream, 0, stored)).toBe(base)
})
