import { expect, it } from 'vitest'
import { pause } from '../../projections/core/pause.ts'
import type { AppendedEvent } from '../core/command-handler.ts'
import { visibleWithin } from './visible.ts'

const appended: readonly AppendedEvent[] = [{ stream: 'post-1', type: 'PostWritten', revision: 0, position: '1' }]

it('All waits of a request share one time', async () => {
  const given: number[] = []
  const visible = visibleWithin(async (_, timeoutMs) => {
    given.push(timeoutMs)
    await pause(30)
    return true
  }, 50)
  for (let each = 0; each < 3; each++) expect(await visible(appended)).toBe(true)
  expect(given[0]).toBe(50)
  expect(given[1]).toBeLessThan(25)
  expect(given[2]).toBe(0)
})

it('After a wait in vain, a request waits no more', async () => {
  let waits = 0
  const visible = visibleWithin(async () => {
    waits += 1
    return false
  })
  for (let each = 0; each < 20; each++) expect(await visible(appended)).toBe(false)
  expect(waits).toBe(1)
})

it('A request that appended nothing waits for nothing', async () => {
  const visible = visibleWithin(async () => false)
  expect(await visible([])).toBe(true)
})
