import pino from 'pino'
import { expect, it } from 'vitest'
import { SettingRefused } from '../../domain/event-store/port.ts'
import { watchStore } from './store-health.ts'

it('A store that is down or silent is reported as not answering, until it answers', async () => {
  let answer = () => Promise.resolve('here')
  const watched = watchStore('The log', () => answer(), pino({ level: 'silent' }), { everyMs: 5, withinMs: 20 })
  await expect.poll(() => watched.notReady()).toEqual([])
  answer = () => Promise.reject(new Error('away'))
  await expect.poll(() => watched.notReady()).toEqual(['The log does not answer'])
  answer = () => Promise.resolve('here')
  await expect.poll(() => watched.notReady()).toEqual([])
  answer = () => new Promise(() => undefined)
  await expect.poll(() => watched.notReady()).toEqual(['The log does not answer'])
  watched.stop()
})

it('A setting that the store refuses is reported in its words, and logged once', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line) => void lines.push(line) })
  let count = 0
  const ask = () => {
    count++
    return Promise.reject(new SettingRefused('The certificate is not accepted'))
  }
  const watched = watchStore('The log', ask, log, { everyMs: 5, withinMs: 20 })
  await expect.poll(() => count).toBeGreaterThan(3)
  expect(watched.notReady()).toEqual(['The certificate is not accepted'])
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { reason: 'The certificate is not accepted', msg: "The log can't be used" },
  ])
  watched.stop()
})
