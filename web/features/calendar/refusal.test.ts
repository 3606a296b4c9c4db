import { describe, expect, it } from 'vitest'
import type { CalendarTile } from '../../../api/contract/index.ts'
import { refusalOf } from './refusal.ts'

const zone = 'Europe/Berlin'
const now = '2026-03-04T10:00:00.000Z'
const entry = (time: string, can: CalendarTile['can'] = ['reschedule']) => ({
  can,
  scheduledFor: `2026-03-10T${time}:00.000Z`,
})
const good = { zone, blocked: null }

describe('a day of the calendar', () => {
  it.each([
    ['2026-03-03', '12:00', 'In the past'],
    ['2026-03-04', '08:00', '9:00 AM has passed'],
    ['2026-03-04', '10:00', '11:00 AM has passed'],
    ['2026-03-04', '10:01', null],
    ['2026-03-05', '08:00', null],
  ])('%s, of a post for %s UTC: %s', (day, time, refusal) => {
    expect(refusalOf(entry(time), day, now, good)).toBe(refusal)
  })
  it('refuses held posts while payment is due, and accepts others', () => {
    const blocked = { zone, blocked: 'Your free trial has ended.' }
    expect(refusalOf(entry('12:00', ['reschedule', 'release']), '2026-03-05', now, blocked)).toBe('Payment needed')
    expect(refusalOf(entry('12:00'), '2026-03-05', now, blocked)).toBeNull()
    expect(refusalOf(entry('12:00', ['reschedule', 'release']), '2026-03-05', now, good)).toBeNull()
  })
})
