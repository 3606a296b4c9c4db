import { expect, test } from '@playwright/test'
import { seedOr } from '../domain/test/sample.ts'
import { killLoop } from './kill/loop.ts'

const rounds = Number(process.env['KILL_ROUNDS'] ?? 4)
const seed = seedOr(20_261_121)

test(`${rounds} kills at random moments lose no acknowledged write, publish nothing twice, and leave read models that match the log`, async () => {
  test.setTimeout(120_000 + rounds * 20_000)
  const { problems, ...figures } = await killLoop({ rounds, seed })
  console.log(figures)
  expect(problems).toEqual([])
  expect(figures.acknowledged).toBeGreaterThan(rounds)
  expect(figures.published).toBeGreaterThan(0)
})
