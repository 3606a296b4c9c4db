import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/client/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { schedulesProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(schedulesProjection, () => stores.store)

const stream = 'client-client-1'
const { scheduleId, accountId } = a
const added = {
  id: scheduleId,
  agencyId: 'agency-1',
  clientId: 'client-1',
  socialAccountId: accountId,
  ...a.rules,
  isActive: true,
  revision: 0,
  createdAt: a.context.now,
}
const revised = { type: 'PostingScheduleRevised', data: { scheduleId, accountId, ...a.rules, postsPerWeek: 5 } }

describe('The posting schedules', () => {
  it('are listed with their client and account once they are added', async () => {
    expect(await given(...on(stream, a.added, a.scheduleAdded)).shows()).toEqual([added])
  })
  it('count the changes of their rules', async () => {
    expect(await given(...on(stream, a.scheduleAdded, revised)).shows()).toEqual([
      { ...added, postsPerWeek: 5, revision: 1 },
    ])
  })
  it('are paused and resumed', async () => {
    const resumed = { type: 'PostingScheduleResumed', data: { scheduleId, accountId } }
    expect(await given(...on(stream, a.scheduleAdded, a.paused)).shows()).toMatchObject([{ isActive: false }])
    expect(await given(...on(stream, a.scheduleAdded, a.paused, resumed)).shows()).toEqual([added])
  })
  it('are deleted when they are removed', async () => {
    const past = given(
      ...on(stream, a.scheduleAdded, { type: 'PostingScheduleRemoved', data: { scheduleId, accountId } }),
    )
    expect(await past.shows()).toEqual([])
    expect(await past.tombstones()).toEqual([scheduleId])
  })
})
