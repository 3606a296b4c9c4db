import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/post/test/examples.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { on, specification, type Happened } from '../core/test/specification.ts'
import { postMonthsProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(postMonthsProjection, () => stores.store)

const stream = `post-${a.postId}`
const writtenFor = (scheduledFor: string | null) => ({ ...a.written, data: { ...a.written.data, scheduledFor } })
const monthsOf = async (...events: readonly Happened[]) => (await given(...events).shows()).map((doc) => doc['month'])

describe('The months of a post', () => {
  it('are those that it was ever planned in, also after it was moved or deleted', async () => {
    const moved = {
      type: 'PostRescheduled',
      data: { scheduledFor: '2026-05-10T09:00:00.000Z', from: a.tomorrow },
    } as const
    const history = [writtenFor(a.tomorrow), a.submitted, a.approved, moved, a.deleted]
    expect(await given(...on(stream, ...history)).shows()).toEqual(
      ['2026-03', '2026-05'].map((month) => ({
        id: `${a.postId}:${month}`,
        postId: a.postId,
        agencyId: 'agency-1',
        clientId: 'client-1',
        month,
      })),
    )
  })
  it('are two at the turn of a month, because the time zone decides', async () => {
    expect(await monthsOf(...on(stream, writtenFor('2026-02-28T10:00:00.000Z')))).toEqual(['2026-02', '2026-03'])
    expect(await monthsOf(...on(stream, writtenFor('2026-03-01T11:59:59.000Z')))).toEqual(['2026-02', '2026-03'])
    expect(await monthsOf(...on(stream, writtenFor('2026-03-01T12:00:00.000Z')))).toEqual(['2026-03'])
  })
  it('are none without a time', async () => {
    expect(await monthsOf(...on(stream, writtenFor(null), a.submitted))).toEqual([])
  })
})
