import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/agency/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { membersProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(membersProjection, () => stores.store)

const stream = `agency-${a.agencyId}`
const ada = { memberId: 'ada', userId: a.userOf('ada') }

describe('The members', () => {
  it('begin with the owner', async () => {
    expect(await given(...on(stream, a.opened)).shows()).toEqual([
      {
        id: `${a.agencyId}.${a.ownerId}`,
        memberId: a.ownerId,
        agencyId: a.agencyId,
        userId: a.ownerId,
        role: 'owner',
        clients: 'all',
        invitationId: null,
        roles: [{ from: a.now, role: 'owner' }],
        joinedAt: a.now,
        isMember: true,
        endedAt: null,
      },
    ])
  })
  it('show their role and clients of today', async () => {
    const changed = { type: 'MemberRoleChanged', data: { ...ada, role: 'writer', clients: [a.clientId] } }
    expect(await given(...on(stream, a.opened, ...a.withMember('ada', 'manager'), changed)).shows()).toMatchObject([
      { role: 'owner' },
      {
        memberId: 'ada',
        role: 'writer',
        clients: [a.clientId],
        invitationId: a.invitationOf('ada'),
        isMember: true,
        roles: [{ role: 'manager' }, { role: 'writer' }],
      },
    ])
  })
  it('stay as former members, with their last role', async () => {
    const left = { type: 'MemberLeft', data: ada }
    expect(await given(...on(stream, a.opened, ...a.withMember('ada', 'manager'), left)).shows()).toMatchObject([
      { isMember: true },
      { memberId: 'ada', role: 'manager', isMember: false, endedAt: a.now },
    ])
  })
  it('swap roles when the ownership moves', async () => {
    const moved = { type: 'OwnershipTransferred', data: { ...ada, fromMemberId: a.ownerId, fromUserId: a.ownerId } }
    expect(await given(...on(stream, a.opened, ...a.withMember('ada', 'manager'), moved)).shows()).toMatchObject([
      { memberId: a.ownerId, role: 'admin' },
      { memberId: 'ada', role: 'owner', clients: 'all' },
    ])
  })
})
