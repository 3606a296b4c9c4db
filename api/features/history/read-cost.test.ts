import { expect, it } from 'vitest'
import { lookedAPoint, postsAPoint, ReadCost } from './read-cost.ts'

it('a point is charged for each 25 posts of the past, and for each 1,000 that a search looked at', async () => {
  let points = 0
  const cost = new ReadCost(async (more) => void (points += more))
  for (let posts = 0; posts < 2 * postsAPoint; posts++) await cost.post()
  expect(points).toBe(2)
  for (const looked of [lookedAPoint - 1, 1, 200, 2 * lookedAPoint, lookedAPoint - 200]) await cost.looked(looked)
  expect(points).toBe(6)
})
