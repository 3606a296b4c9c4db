import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { catalogue, history, UnknownEvent, type OldShape } from './history.ts'

/** An event that first stored "Ann Lee", then first and last name, and now a list of people. */
const schemas = { DoorOpened: z.strictObject({ people: z.array(z.string()) }), DoorShut: z.strictObject({}) }
const names = { DoorOpened: 'DoorOpened.v3', DoorShut: 'DoorShut' } as const
const first: OldShape = {
  schema: z.strictObject({ who: z.string() }),
  next: 'DoorOpened.v2',
  upcast: ({ who }) => {
    const [first = '', last = ''] = String(who).split(' ')
    return { first, last }
  },
}
const second: OldShape = {
  schema: z.strictObject({ first: z.string(), last: z.string() }),
  next: 'DoorOpened.v3',
  upcast: ({ first, last }) => ({ people: [`${String(first)} ${String(last)}`] }),
}
const doors = history(schemas, names, { DoorOpened: first, 'DoorOpened.v2': second })

describe('A history with two old shapes', () => {
  const known = catalogue([doors])

  it.each([
    ['the first, through both steps', 'DoorOpened', { who: 'Ann Lee' }],
    ['the second, through one', 'DoorOpened.v2', { first: 'Ann', last: 'Lee' }],
    ['the newest, as it is', 'DoorOpened.v3', { people: ['Ann Lee'] }],
  ])('upcasts %s to the newest shape', (_, name, data) => {
    const fact = known.decode(name, data)
    expect(fact).toEqual({ type: 'DoorOpened', data: { people: ['Ann Lee'] } })
    expect(schemas.DoorOpened.parse(fact.data)).toEqual(fact.data)
  })

  it('writes only the newest shape', () => {
    expect(known.encode({ type: 'DoorOpened', data: { people: ['Ann Lee'] } }).name).toBe('DoorOpened.v3')
    expect(() => known.encode({ type: 'DoorOpened', data: { who: 'Ann Lee' } })).toThrow()
  })

  it('lists every name that a type was ever stored under', () => {
    expect([...known.namesOf(['DoorOpened'])].sort()).toEqual(['DoorOpened', 'DoorOpened.v2', 'DoorOpened.v3'])
    expect(known.namesOf(['DoorShut'])).toEqual(['DoorShut'])
    expect(known.namesOf([])).toEqual([])
  })

  it('leaves the stored data unchanged', () => {
    const data = Object.freeze({ who: 'Ann Lee' })
    known.decode('DoorOpened', data)
    expect(data).toEqual({ who: 'Ann Lee' })
  })
})

describe('A catalogue', () => {
  it('throws for an unknown name, including one that an upcaster leads to', () => {
    const lost = catalogue([history({}, {}, { DoorOpened: first })])
    expect(() => lost.decode('DoorSlammed', {})).toThrow(UnknownEvent)
    expect(() => lost.decode('DoorOpened', { who: 'Ann Lee' })).toThrow('No code knows the event DoorOpened.v2')
  })

  it('rejects two histories that share a stored name or a type', () => {
    expect(() => catalogue([doors, doors])).toThrow('Two histories claim the stored name DoorOpened.v3')
    const other = history({ DoorShut: z.strictObject({}) }, { DoorShut: 'DoorShut.v9' })
    expect(() => catalogue([doors, other])).toThrow('Two histories claim the event type DoorShut')
  })
})
