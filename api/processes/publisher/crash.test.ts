/** @module-tag sampled */
import { expect, it } from 'vitest'
import { platforms } from '../../../domain/core/values.ts'
import { crashRounds } from './test/rounds.ts'
import { sample, seedOr } from '../../../domain/test/sample.ts'

const rounds = sample('CRASH_ROUNDS', { test: 1, long: 12 })
const seed = seedOr(20_261_121)
/** Runs only this round, to debug a failure. */
const only = process.env['CRASH_ROUND'] === undefined ? null : Number(process.env['CRASH_ROUND'])

it.each(platforms)(
  '%s: publishers that crash midway leave each post live exactly once, or visibly unknown',
  { timeout: 60_000 + rounds * 20_000 },
  async (platform) => {
    const since = performance.now()
    const { problems, ...figures } = await crashRounds(platform, rounds, seed, only)
    if (rounds > 12)
      console.log(JSON.stringify({ ...figures, seconds: Math.round((performance.now() - since) / 1000) }))
    expect(problems).toEqual([])
    expect(figures.deaths).toBeGreaterThan(0)
  },
)
