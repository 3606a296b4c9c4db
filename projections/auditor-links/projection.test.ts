import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditorLinkEvent } from '../../domain/auditor-link/events.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { auditorLinksProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(auditorLinksProjection, () => stores.store)

const issued: AuditorLinkEvent = {
  type: 'AuditorLinkIssued',
  data: { label: 'Yearly audit', scope: { kind: 'agency' }, expiresAt: '2026-04-02T10:00:00.000Z' },
}
const used: AuditorLinkEvent = { type: 'AuditorLinkUsed', data: { usedAt: '2026-03-03T10:00:00.000Z' } }
const revoked: AuditorLinkEvent = { type: 'AuditorLinkRevoked', data: {} }

describe("The auditors' links", () => {
  it('show the recipient, the expiry and the number of uses', async () => {
    expect(await given(...on('auditorlink-1', issued, used, used)).shows()).toMatchObject([
      {
        id: '1',
        agencyId: 'agency-1',
        label: 'Yearly audit',
        scope: { kind: 'agency' },
        revokedAt: null,
        lastUsedAt: '2026-03-03T10:00:00.000Z',
        uses: 2,
      },
    ])
  })
  it('show when they were revoked', async () => {
    expect(await given(...on('auditorlink-1', issued, revoked)).shows()).toMatchObject([
      { revokedAt: expect.any(String), uses: 0 },
    ])
  })
})
