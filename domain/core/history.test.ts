import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { catalogue, history, UnknownEvent, type OldShape } from './history.ts'

/** A door that was opened by "Ann Lee", then by first and last name, now by a list of people. */
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
  ])('brings %s to the newest shape', (_, name, data) => {
    const fact = known.decode(name, data)
    expect(fact).toEqual({ type: 'DoorOpened', data: { people: ['Ann Lee'] } })
    expect(schemas.DoorOpened.parse(fact.data)).toEqual(fact.data)
  })

  it('writes the newest shape only', () => {
    expect(known.encode({ type: 'DoorOpened', data: { people: ['Ann Lee'] } }).name).toBe('DoorOpened.v3')
    expect(() => known.encode({ type: 'DoorOpened', data: { who: 'Ann Lee' } })).toThrow()
  })

  it('subscribes to every name that a type was ever stored under', () => {
    expect([...known.namesOf(['DoorOpened'])].sort()).toEqual(['DoorOpened', 'DoorOpened.v2', 'DoorOpened.v3'])
    expect(known.namesOf(['DoorShut'])).toEqual(['DoorShut'])
    expect(known.namesOf([])).toEqual([])
  })

  it('leaves the stored data untouched', () => {
    const data = Object.freeze({ who: 'Ann Lee' })
    known.decode('DoorOpened', data)
    expect(data).toEqual({ who: 'Ann Lee' })
  })
})

describe('A catalogue', () => {
  it('fails loudly on an unknown name, also one that an upcaster leads to', () => {
    const lost = catalogue([history({}, {}, { DoorOpened: first })])
    expect(() => lost.decode('DoorSlammed', {})).toThrow(UnknownEvent)
    expect(() => lost.decode('DoorOpened', { who: 'Ann Lee' })).toThrow('No code knows the event DoorOpened.v2')
  })

  it('refuses two histories with one stored name or one type', () => {
    expect(() => catalogue([doors, doors])).toThrow('Two histories claim the stored name DoorOpened.v3')
    const other = history({ DoorShut: z.strictObject({}) }, { DoorShut: 'DoorShut.v9' })
    expect(() => catalogue([doors, other])).toThrow('Two histories claim the event type DoorShut')
  })
})
