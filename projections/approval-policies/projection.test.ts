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

const opened = { type: 'AgencyOpened', data: { ownerId: 'owner', name: 'North Star', timeZone: 'Europe/Berlin' } }
const set = { type: 'ApprovalPolicySet', data: policy }

describe("The approval policies of an agency's clients", () => {
  it('are a document from the opening on', async () => {
    expect(await given(...on('agency-1', opened)).shows()).toEqual([{ id: 'agency-1', policies: {} }])
  })

  it('have the newest one of each client', async () => {
    const later = { ...set, data: { ...policy, ownApproval: 'agency' } }
    const past = [...on('agency-1', opened), ...on('client-1', set, later), ...on('client-2', set)]
    expect(await given(...past).shows()).toEqual([{ id: 'agency-1', policies: { 1: later.data, 2: policy } }])
  })

  it('lose one that has no steps, and that of a removed client', async () => {
    const removed = { type: 'ClientRemoved', data: { clientId: '2', name: 'Red Pan' } }
    const past = [...on('client-1', set, { ...set, data: noApprovalPolicy }), ...on('client-2', set)]
    expect(await given(...past, ...on('agency-1', removed)).shows()).toEqual([{ id: 'agency-1', policies: {} }])
  })
})
