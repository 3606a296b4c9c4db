import { expect, it } from 'vitest'
import { RecentRecords } from './recent-records.ts'

const record = (length = 10) => ({ text: 'x'.repeat(length), version: 1 })

it('Recent records are kept by table and id, until they are forgotten', () => {
  const recent = new RecentRecords()
  recent.keep('users', 'a', record())
  expect(recent.get('users', 'a')).toEqual(record())
  expect(recent.get('sessions', 'a')).toBeUndefined()
  recent.forget('users', 'a')
  expect(recent.get('users', 'a')).toBeUndefined()
})

it('Given more records than are kept, the oldest are forgotten', () => {
  const recent = new RecentRecords()
  for (let id = 0; id < 5_000; id++) recent.keep('users', String(id), record())
  expect(recent.size).toBe(2_000)
  expect(recent.get('users', '2999')).toBeUndefined()
  expect(recent.get('users', '3000')).toBeDefined()
})

it('A long record is not kept', () => {
  const recent = new RecentRecords()
  recent.keep('users', 'a', record(2_001))
  expect(recent.size).toBe(0)
})
