import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/agency/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { clientsProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(clientsProjection, () => stores.store)

const stream = `agency-${a.agencyId}`
const second = { type: 'ClientAdded', data: { clientId: 'client-2', profile: { ...a.profile, name: 'Red Cup' } } }
const bold = {
  type: 'ClientProfileRevised',
  data: { clientId: a.clientId, profile: { ...a.profile, toneOfVoice: 'bold', industry: null } },
}

describe('The clients', () => {
  it('are one document each, although one stream contains them all', async () => {
    expect(await given(...on(stream, a.opened, a.trialStarted, a.clientAdded, second)).shows()).toEqual([
      { id: a.clientId, agencyId: 'agency-1', ...a.profile, createdAt: a.now },
      { id: 'client-2', agencyId: 'agency-1', ...a.profile, name: 'Red Cup', createdAt: a.now },
    ])
  })
  it('show their latest profile', async () => {
    expect(await given(...on(stream, a.clientAdded, bold)).shows()).toEqual([
      { id: a.clientId, agencyId: 'agency-1', ...a.profile, toneOfVoice: 'bold', industry: null, createdAt: a.now },
    ])
  })
  it('disappear when removed, and the others stay', async () => {
    const past = given(...on(stream, a.clientAdded, second, a.clientRemoved))
    expect(await past.shows()).toMatchObject([{ id: 'client-2' }])
    expect(await past.tombstones()).toEqual([a.clientId])
  })
  it('do not reappear when a revision arrives late', async () => {
    expect(await given(...on(stream, a.clientAdded, a.clientRemoved, bold)).shows()).toEqual([])
  })
})
