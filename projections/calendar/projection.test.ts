import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/post/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { planOf } from '../core/test/query-plan.ts'
import { pages } from '../read-store/sql.ts'
import { calendarProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(calendarProjection, () => stores.store)

const stream = `post-${a.postId}`
const revised = { type: 'PostContentRevised', data: { content: 'Shorter', generationId: null } }

describe('The calendar', () => {
  it('shows a post at its planned time', async () => {
    const rescheduled = { type: 'PostRescheduled', data: { scheduledFor: a.nextWeek, from: a.tomorrow } }
    expect(await given(...on(stream, ...a.pasts.scheduled, rescheduled)).shows()).toEqual([
      {
        id: a.postId,
        agencyId: 'agency-1',
        clientId: a.clientId,
        socialAccountId: a.accountId,
        platform: 'facebook',
        excerpt: a.write.content,
        truncated: false,
        imageUrl: null,
        status: 'scheduled',
        delivery: 'none',
        heldBecause: null,
        scheduledFor: a.nextWeek,
        assignedTo: null,
        textBy: 'owner',
        imageBy: null,
        round: null,
      },
    ])
  })

  it.each([
    [
      'planned',
      [a.written, { type: 'PostPlanned', data: { scheduledFor: a.nextWeek } }],
      { status: 'draft', scheduledFor: a.nextWeek },
    ],
    ['approved', a.pasts.approved, { status: 'approved', scheduledFor: a.tomorrow }],
    ['rejected', a.pasts.rejected, { status: 'rejected', scheduledFor: null }],
    ['edited', [...a.pasts.rejected, revised], { status: 'draft', excerpt: 'Shorter' }],
    ['claimed', a.pasts.claimed, { delivery: 'claimed' }],
    ['turned down', a.pasts['turned down'], { delivery: 'rejected', scheduledFor: a.tomorrow }],
    ['unknown', a.pasts.unknown, { delivery: 'unknown' }],
    ['failed', a.pasts.failed, { delivery: 'failed' }],
    ['held', a.pasts.held, { delivery: 'held', heldBecause: 'overdue' }],
    [
      'released',
      [...a.pasts.held, { type: 'PostReleased', data: { scheduledFor: a.nextWeek } }],
      { delivery: 'none', heldBecause: null, scheduledFor: a.nextWeek },
    ],
    ['published', a.pasts.published, { status: 'published', delivery: 'none' }],
    [
      'back to draft',
      [...a.pasts.scheduled, { type: 'PostReturnedToDraft', data: { from: 'scheduled' } }],
      { status: 'draft', scheduledFor: a.tomorrow },
    ],
  ] as const)('shows a post that is %s', async (_, past, expected) => {
    expect(await given(...on(stream, ...past)).shows()).toMatchObject([expected])
  })

  it('removes a deleted post for good', async () => {
    const past = given(...on(stream, ...a.pasts.claimed, a.deleted, a.published))
    expect(await past.shows()).toEqual([])
    expect(await past.tombstones()).toEqual([a.postId])
  })

  it.each(Object.entries(a.pasts))(
    'shows a post that is %s as approved or scheduled if a delivery stands',
    async (_, past) => {
      for (const { status, delivery } of await given(...on(stream, ...past)).shows())
        if (delivery !== 'none') expect(['approved', 'scheduled']).toContain(status)
    },
  )
})

describe("The calendar's indexes in SQLite", () => {
  const status = { in: ['approved', 'scheduled'] }
  const sort = { field: 'scheduledFor', order: 'asc' } as const

  it.each([
    ['the next posts that go out', { agencyId: 'a', status, delivery: { in: ['none', 'rejected'] } }, a.tomorrow],
    ['posts whose delivery needs a person', { agencyId: 'a', status, delivery: 'failed', clientId: 'c' }, ''],
  ] as const)('serve %s in order of their times', async (_, where, from) => {
    const query = { where: { ...where, scheduledFor: { gte: from } }, sort }
    const plan = await planOf(calendarProjection, pages('c_calendar_v7', query, null, 10))
    const searches = plan.match(/SEARCH c_calendar_v7 .*/g) ?? []
    expect(searches.length).toBeGreaterThan(1)
    for (const search of searches)
      expect(search).toContain(
        'calendar_v7.agencyId.delivery.status.scheduledFor (<expr>=? AND <expr>=? AND <expr>=? AND',
      )
  })
})
