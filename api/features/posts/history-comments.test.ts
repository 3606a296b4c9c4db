import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Comment } from '../../../domain/discussion/state.ts'
import { commentsBetween } from './history-comments.ts'

const at = (minute: number) => new Date(Date.UTC(2030, 2, 1, 8, minute)).toISOString()
const comments = (minutes: readonly number[]) => minutes.map((minute) => ({ postedAt: at(minute) }) as Comment)

it('Each comment is since one event and before the next one, also where both are of one instant', () => {
  const minutes = fc.array(fc.nat(9), { maxLength: 12 }).map((all) => all.toSorted((a, b) => a - b))
  fc.assert(
    fc.property(minutes, minutes, (said, events) => {
      const all = comments(said)
      const pages = [0, ...events].map((from, index, starts) => {
        const next = starts[index + 1]
        return commentsBetween(all, at(from), next === undefined ? null : at(next))
      })
      expect(pages.flat()).toEqual(all)
    }),
    { seed: 1 },
  )
})
