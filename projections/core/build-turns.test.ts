import { expect, it } from 'vitest'
import { BuildTurns } from './build-turns.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('Given a build under way, the next one begins once it has ended, even if it failed', async () => {
  const turns = new BuildTurns()
  const steps: string[] = []
  const build = (name: string, fails = false) =>
    turns.run(async () => {
      steps.push(`${name} begins`)
      await turn()
      steps.push(`${name} ends`)
      if (fails) throw new Error(name)
    })
  const all = await Promise.allSettled([build('posts'), build('calendar', true), build('streams')])
  expect(steps).toEqual([
    'posts begins',
    'posts ends',
    'calendar begins',
    'calendar ends',
    'streams begins',
    'streams ends',
  ])
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
