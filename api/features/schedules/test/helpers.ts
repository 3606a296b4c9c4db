/** Schedules of every kind, and time zones with every kind of clock change. */
import * as fc from 'fast-check'
import { frequencies, type ScheduleRules } from '../../../../domain/client/commands.ts'

export const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  // Changes by half an hour.
  'Australia/Lord_Howe',
  // Changes twice a year, around Ramadan.
  'Africa/Casablanca',
  // Changes at midnight: the day begins at one o'clock.
  'Africa/Cairo',
  'America/Havana',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
]

const time = fc.oneof(
  fc.constantFrom('00:00', '00:30', '01:00', '01:30', '02:00', '02:15', '02:30', '03:00', '23:30'),
  fc.constantFrom('09:00', '12:15', '17:30'),
)
const day = fc.oneof(fc.constant('every' as const), fc.integer({ min: 0, max: 6 }))

export const anyRules: fc.Arbitrary<ScheduleRules> = fc.record({
  frequency: fc.constantFrom(...frequencies),
  postsPerWeek: fc.integer({ min: 1, max: 8 }),
  preferredTimes: fc.array(fc.record({ day, time }), { minLength: 1, maxLength: 3 }),
  contentTopics: fc.array(fc.constantFrom('News', 'Behind the scenes', 'Offers'), { maxLength: 3 }),
})
