import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/client/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { socialAccountsProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(socialAccountsProjection, () => stores.store)

const stream = 'client-client-1'
const added = {
  id: a.accountId,
  agencyId: 'agency-1',
  clientId: 'client-1',
  platform: 'facebook',
  accountName: 'Blue Cup Coffee',
  accountUrl: null,
  isConnected: false,
  network: null,
  endsAt: null,
  lostBecause: null,
  pausedUntil: null,
  pausedBecause: null,
  createdAt: a.context.now,
}
const gone = (because: 'asked' | 'client-removed') => ({
  type: 'SocialAccountDisconnected',
  data: { accountId: a.accountId, platform: 'facebook', because },
})

describe('The social accounts', () => {
  it('are listed with their client once they are added', async () => {
    expect(await given(...on(stream, a.added)).shows()).toEqual([added])
  })
  it('show where they publish once they are connected', async () => {
    expect(await given(...on(stream, a.added, a.connected)).shows()).toEqual([
      { ...added, isConnected: true, network: 'sandbox' },
    ])
  })
  it('show why a connection was lost, until it is connected again', async () => {
    expect(await given(...on(stream, a.added, a.connected, a.lost)).shows()).toMatchObject([
      { isConnected: false, lostBecause: 'The password was changed.' },
    ])
    expect(await given(...on(stream, a.added, a.connected, a.lost, a.connected)).shows()).toMatchObject([
      { isConnected: true, lostBecause: null },
    ])
  })
  it('show when they have to be connected again', async () => {
    const renewed = {
      type: 'SocialAccountConnectionRenewed',
      data: { accountId: a.accountId, platform: 'facebook', endsAt: a.context.now },
    }
    expect(await given(...on(stream, a.added, a.connected, renewed)).shows()).toMatchObject([{ endsAt: a.context.now }])
  })
  it('show that the network asked for a pause', async () => {
    expect(await given(...on(stream, a.added, a.connected, a.resting)).shows()).toMatchObject([
      { pausedUntil: '2026-03-02T10:15:00.000Z', pausedBecause: 'Too many posts.' },
    ])
  })
  it('stay when they are disconnected, so that their posts still show a name', async () => {
    expect(await given(...on(stream, a.added, a.connected, gone('asked'))).shows()).toEqual([added])
    expect(await given(...on(stream, a.added, a.connected, gone('asked'), a.connected)).shows()).toMatchObject([
      { isConnected: true },
    ])
  })
  it.each([
    ['connected', [a.added, a.connected]],
    ['never connected', [a.added]],
  ] as const)('are deleted with their client when they were %s', async (_, past) => {
    const left = given(...on(stream, ...past, gone('client-removed')))
    expect(await left.shows()).toEqual([])
    expect(await left.tombstones()).toEqual([a.accountId])
  })
})
