import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { policy } from '../../domain/client/test/examples.ts'
import { noApprovalPolicy } from '../../domain/core/approval-policy.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { approvalPoliciesProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(approvalPoliciesProjection, () => stores.store)

const set = { type: 'ApprovalPolicySet', data: policy }

describe("The clients' approval policies", () => {
  it('have the newest one of each client', async () => {
    const later = { ...set, data: { ...policy, ownApproval: 'agency' } }
    expect(await given(...on('client-1', set, later), ...on('client-2', set)).shows()).toEqual([
      { id: '1', agencyId: 'agency-1', ...later.data },
      { id: '2', agencyId: 'agency-1', ...policy },
    ])
  })

  it('lose one that has no steps, and that of a removed client', async () => {
    const removed = { type: 'ClientRemoved', data: { clientId: '2', name: 'Red Pan' } }
    const past = [...on('client-1', set, { ...set, data: noApprovalPolicy }), ...on('client-2', set)]
    expect(await given(...past, ...on('agency-1', removed)).shows()).toEqual([])
  })
})
