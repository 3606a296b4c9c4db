import { expect, it } from 'vitest'
import { watchStore } from './store-health.ts'

it('A store that is down or silent is reported as not answering, until it answers', async () => {
  let answer = () => Promise.resolve('here')
  const watched = watchStore('The log', () => answer(), { everyMs: 5, withinMs: 20 })
  await expect.poll(() => watched.notReady()).toEqual([])
  answer = () => Promise.reject(new Error('away'))
  await expect.poll(() => watched.notReady()).toEqual(['The log does not answer'])
  answer = () => Promise.resolve('here')
  await expect.poll(() => watched.notReady()).toEqual([])
  answer = () => new Promise(() => undefined)
  await expect.poll(() => watched.notReady()).toEqual(['The log does not answer'])
  watched.stop()
})
