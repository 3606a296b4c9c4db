import { expect, it } from 'vitest'
import { RecentRecords } from './recent-records.ts'

const text = (length = 10) => JSON.stringify({ name: 'x'.repeat(length), inner: { list: [] } })
const keep = (recent: RecentRecords, id: string, length?: number) => recent.keep('users', id, text(length), 1)

it('Recent records are kept by table and id, until they are forgotten', () => {
  const recent = new RecentRecords()
  keep(recent, 'a')
  expect(recent.get('users', 'a')).toEqual({
    record: JSON.parse(text()),
    version: 1,
  })
  expect(recent.get('sessions', 'a')).toBeUndefined()
  recent.forget('users', 'a')
  expect(recent.get('users', 'a')).toBeUndefined()
})

it('Given more records than are kept, the oldest are forgotten', () => {
  const recent = new RecentRecords()
  for (let id = 0; id < 5_000; id++) keep(recent, String(id))
  expect(recent.size).toBe(2_000)
  expect(recent.get('users', '2999')).toBeUndefined()
  expect(recent.get('users', '3000')).toBeDefined()
})

it('A long record is not kept', () => {
  const recent = new RecentRecords()
  keep(recent, 'a', 2_001)
  expect(recent.size).toBe(0)
})

it('A kept record is frozen with all that is in it, because callers share it', () => {
  const recent = new RecentRecords()
  keep(recent, 'a')
  const { record } = recent.get('users', 'a') as {
    readonly record: { inner: { list: number[] } }
  }
  expect(() => record.inner.list.push(1)).toThrow(TypeError)
})
