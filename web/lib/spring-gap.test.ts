import { expect, it } from 'vitest'
import { gapSentence } from './spring-gap.ts'
import { instantAt } from './wall-clock.ts'

const zone = 'Europe/Berlin'

it('a time in the spring gap gets a sentence with the new time', async () => {
  expect(gapSentence('02:30', await instantAt('2027-03-28', '02:30', zone), zone)).toBe(
    'Clocks go forward that day, so 2:30 AM became 3:00 AM.',
  )
})

it.each(['01:59', '03:00', '12:30'])('%s exists on that day and gets no sentence', async (clock) => {
  expect(gapSentence(clock, await instantAt('2027-03-28', clock, zone), zone)).toBeNull()
})
