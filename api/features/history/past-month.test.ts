/** What a month's calendar as of an instant reads from the log, and what that costs its asker. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventStore } from '../../../domain/event-store/port.ts'
import * as a from '../../../domain/post/test/examples.ts'
import { Projector } from '../../../projections/core/projector.ts'
import { temporaryStores, type TestStores } from '../../../projections/core/test/helpers.ts'
import { projections, viewsOf } from '../../../projections/registry.ts'
import { Problem } from '../../http/problem.ts'
import { Past } from './past.ts'
import { postsAPoint, type Charge } from './read-cost.ts'

const months = 6
const inEachMonth = 60
const [early, late] = ['2026-01-02T10:00:00.000Z', '2026-01-03T10:00:00.000Z']

let stores: TestStores
let projector: Projector
let past: Past
/** The streams that were read. */
let reads: string[] = []

beforeAll(async () => {
  stores = await temporaryStores()
  const { log, events } = stores
  const writtenFor = (scheduledFor: string) => ({ ...a.written, data: { ...a.written.data, scheduledFor } })
  log.at = early
  const times = Array.from(
    { length: months * inEachMonth },
    (_, index) => `2026-0${1 + (index % months)}-15T09:00:00.000Z`,
  )
  await Promise.all(times.map((time, index) => log.write(`post-${index}`, writtenFor(time))))
  await log.write('post-moved', writtenFor('2026-02-10T09:00:00.000Z'))
  log.at = late
  await log.write('post-moved', { type: 'PostPlanned', data: { scheduledFor: '2026-07-10T09:00:00.000Z' } })
  projector = new Projector(projections, { ...stores, onError: (_, error) => Promise.reject(error) })
  await projector.start()
  const watched: Pick<EventStore, 'read'> = {
    read(stream, from) {
      reads.push(stream)
      return events.read(stream, from)
    },
  }
  past = new Past(watched as EventStore, viewsOf(stores.store, projector.live))
})
afterAll(async () => {
  await projector.stop()
  await stores.remove()
})

async function calendar(month: string, at: string, charge: Charge = async () => undefined): Promise<readonly string[]> {
  const span = { month, from: `${month}-01T00:00:00.000Z`, to: `${month}-31T00:00:00.000Z` }
  reads = []
  const scope = { agencyId: 'agency', clientId: null }
  return (await past.calendar(scope, at, span, undefined, ({ id }) => id, charge)).body
}

describe('A month as of an instant', () => {
  it('reads only the posts that were ever planned in it', async () => {
    expect(await calendar('2026-02', early)).toHaveLength(inEachMonth + 1)
    expect(reads).toHaveLength(inEachMonth + 1)
    expect(await calendar('2026-07', early)).toEqual([])
    expect(await calendar('2026-07', late)).toEqual(['moved'])
    expect(reads).toEqual(['post-moved'])
    // The moved post is read again, and not shown.
    expect(await calendar('2026-02', late)).toHaveLength(inEachMonth)
  })

  it('costs the more points, the more posts it reads', async () => {
    let points = 0
    const charge: Charge = async (more) => void (points += more)
    await calendar('2026-07', late, charge)
    expect(points).toBe(0)
    await calendar('2026-01', late, charge)
    expect(points).toBe(Math.floor(inEachMonth / postsAPoint))
  })

  it('stops when its asker has no points left [S99]', async () => {
    const refused = new Problem(429, 'too-many', 'Later.')
    await expect(calendar('2026-01', late, () => Promise.reject(refused))).rejects.toBe(refused)
    expect(reads.length).toBeLessThan(inEachMonth)
  })
})
