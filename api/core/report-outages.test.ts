import pino from 'pino'
import { beforeEach, expect, it } from 'vitest'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { reportOutages } from './report-outages.ts'

let now: number
let lines: { readonly view: string; readonly reason?: string; readonly err?: { readonly stack: string } }[]
let tell: (view: string, error: unknown) => void
beforeEach(() => {
  now = 0
  lines = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  tell = reportOutages(log, 'a view stands still', () => now)
})
const away = () => new StoreUnavailable("MongoDB can't be reached just now")

it('An outage that every view meets repeatedly is one line without a stack', () => {
  for (let round = 0; round < 5; round++, now += 10_000)
    for (const view of ['posts', 'clients', 'agency']) tell(view, away())
  expect(lines).toEqual([expect.objectContaining({ view: 'posts', reason: "MongoDB can't be reached just now" })])
  expect(lines[0]).not.toHaveProperty('err')
})

it('A later outage is reported again, and so is that of another store', () => {
  tell('posts', away())
  tell('posts', new StoreUnavailable("EventStoreDB can't be reached just now"))
  now += 60_000
  tell('posts', away())
  expect(lines).toHaveLength(3)
})

it('An error of a view itself is reported for each view, with its stack', () => {
  for (const view of ['posts', 'clients']) tell(view, new Error('an event that it can not take in'))
  expect(lines.map(({ view, err }) => [view, err?.stack.includes('outages.test')])).toEqual([
    ['posts', true],
    ['clients', true],
  ])
})
