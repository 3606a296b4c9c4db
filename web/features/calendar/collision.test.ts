import { expect, it } from 'vitest'
import { collisionOf } from './collision.ts'

const zone = 'Europe/Berlin'
const post = (
  id: string,
  scheduledFor: string,
  parts: { clientId?: string; platform?: 'facebook' | 'linkedin' } = {},
) => ({
  id,
  clientId: 'blue-cup',
  platform: 'facebook' as const,
  scheduledFor,
  ...parts,
})
/** At 9:00 in Berlin. */
const moved = post('moved', '2031-03-04T08:00:00.000Z')

it.each([
  ['ten minutes later', post('other', '2031-03-10T08:10:00.000Z'), '9:10 AM'],
  ['29 minutes earlier', post('other', '2031-03-10T07:31:00.000Z'), '8:31 AM'],
  ['half an hour later', post('other', '2031-03-10T08:30:00.000Z'), null],
  ['of another client', post('other', '2031-03-10T08:10:00.000Z', { clientId: 'fjord' }), null],
  ['on another network', post('other', '2031-03-10T08:10:00.000Z', { platform: 'linkedin' }), null],
  ['itself', post('moved', '2031-03-10T08:00:00.000Z'), null],
])('a post %s on the day of a drop is named by its time where it is close [P10.8]', (_, other, time) => {
  expect(collisionOf(moved, [other], zone)).toBe(time)
})
