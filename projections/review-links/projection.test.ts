import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReviewLinkEvent } from '../../domain/review-link/events.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { reviewLinksProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(reviewLinksProjection, () => stores.store)

const issued: ReviewLinkEvent = {
  type: 'ReviewLinkIssued',
  data: {
    clientId: 'client-1',
    contacts: ['contact-1'],
    anyone: false,
    scope: { kind: 'pending' },
    may: ['approve'],
    lock: 'none',
    expiresAt: '2026-04-02T10:00:00.000Z',
  },
}
const used: ReviewLinkEvent = { type: 'ReviewLinkUsed', data: { usedAt: '2026-03-03T10:00:00.000Z' } }
const revoked: ReviewLinkEvent = { type: 'ReviewLinkRevoked', data: {} }

describe('The review links', () => {
  it('show their terms and their last use', async () => {
    expect(await given(...on('reviewlink-1', issued, used)).shows()).toMatchObject([
      {
        id: '1',
        agencyId: 'agency-1',
        clientId: 'client-1',
        contacts: ['contact-1'],
        revokedAt: null,
        lastUsedAt: '2026-03-03T10:00:00.000Z',
      },
    ])
  })
  it('show when they were revoked', async () => {
    expect(await given(...on('reviewlink-1', issued, revoked)).shows()).toMatchObject([
      { revokedAt: expect.any(String), lastUsedAt: null },
    ])
  })
})
