/**
 * For random schedules, time zones and crashes, every slot gets exactly one post.
 *
 * @module-tag sampled
 */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyRules, zones } from '../../features/schedules/test/helpers.ts'
import { liveMonths, type Months } from './test/months.ts'
import { sample, seedOr } from '../../../domain/test/sample.ts'

const runs = sample('PLANNER_RUNS', { test: 1, long: 10 })
const seed = seedOr(20_261_122)

/** Weeks before clock changes: in Europe, America and Australia, and for Ramadan in Morocco. */
const starts = ['2026-01-20', '2026-02-20', '2026-03-10', '2026-09-10', '2026-10-05', '2027-01-15'].map(
  (date) => `${date}T10:00:00.000Z`,
)

const months: fc.Arbitrary<Months> = fc.record({
  rules: anyRules,
  otherRules: anyRules,
  zone: fc.constantFrom(...zones),
  start: fc.constantFrom(...starts),
  planners: fc.constantFrom(1, 1, 2),
  seed: fc.nat(),
})

it(
  'schedules over sixty days: every wanted slot has exactly one post, although planners crash',
  { timeout: 60_000 + runs * 30_000 },
  async () => {
    const since = performance.now()
    let posts = 0
    let deaths = 0
    await fc.assert(
      fc.asyncProperty(months, async (each) => {
        const result = await liveMonths(each)
        posts += result.posts
        deaths += result.deaths
        expect(result.problems).toEqual([])
      }),
      { numRuns: runs, seed, endOnFailure: true },
    )
    if (runs > 10)
      console.log(JSON.stringify({ runs, posts, deaths, seconds: Math.round((performance.now() - since) / 1000) }))
    expect(posts).toBeGreaterThan(10 * runs)
    expect(deaths).toBeGreaterThan(0)
  },
)
