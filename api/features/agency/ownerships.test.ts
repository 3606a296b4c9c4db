/** A person owns one agency at a time, whatever requests meet. */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { ApiClient } from '../../http/client.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records, RecordTable } from '../../records/port.ts'
import { guestPassword, memberOf, tokenOf } from '../../testing/members.ts'
import { owner, signedUp, testServer, type TestServer } from '../../testing/server.ts'
import { claimMs, Ownerships, ownershipsTable, type OwnershipClaim } from './ownerships.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.remove())

const asProblem = { headers: { Accept: 'application/problem+json' } }
const open = (by: ApiClient) =>
  by.ask('openAgency', { body: { name: 'Own Star', email: 'own@example.com' }, ...asProblem })
const accept = (by: ApiClient) => by.ask('acceptOwnership', asProblem)
const statuses = async (...asked: readonly Promise<{ status: number }>[]) =>
  (await Promise.all(asked)).map(({ status }) => status).toSorted()
const idOf = async (by: ApiClient) => (await by.callOrThrow('getAgency')).id
const userOf = async (by: ApiClient) => (await by.callOrThrow('getUser')).id
const ownedBy = async (by: ApiClient) =>
  (await by.callOrThrow('listAgencies')).filter(({ role }) => role === 'owner').length

/** A member to whom the agency is offered. */
async function heirOf(boss: ApiClient) {
  const heir = await memberOf(server, boss, 'admin')
  await boss.callOrThrow('offerOwnership', { body: { memberId: heir.memberId } })
  return heir
}

describe('a person', () => {
  it('who accepts an agency while they open another owns one of them [S190]', { tags: 'long' }, async () => {
    for (let n = 0; n < 5; n++) {
      const { caller } = await heirOf(await owner(server))
      const [done = 0, refused] = await statuses(accept(caller), open(caller))
      expect([done < 300, refused, await ownedBy(caller)]).toEqual([true, 409, 1])
    }
  })

  it('who accepts two agencies at once owns one of them [S190]', async () => {
    const [one, two] = [await owner(server), await owner(server)]
    const { caller: first, email } = await heirOf(one)
    const { link } = await two.callOrThrow('inviteMember', { body: { email, role: 'admin', clients: 'all' } })
    const second = new ApiClient(server.url)
    await second.callOrThrow('login', { body: { email, password: guestPassword } })
    await second.callOrThrow('acceptInvitation', { body: { token: tokenOf(link) } })
    const { memberId } = (await second.callOrThrow('getAgency')).me
    await two.callOrThrow('offerOwnership', { body: { memberId } })
    // The joining ended the first session: the address was not confirmed.
    await first.callOrThrow('login', { body: { email, password: guestPassword } })
    await first.callOrThrow('chooseAgency', { body: { agencyId: await idOf(one) } })
    expect(await statuses(accept(first), accept(second))).toEqual([200, 409])
    expect(await ownedBy(first)).toBe(1)
  })

  it('who sends one request twice at once is served, and owns one agency', async () => {
    const { caller } = await heirOf(await owner(server))
    expect(await statuses(accept(caller), accept(caller))).toEqual([200, 200])
    const newcomer = await signedUp(server)
    expect(await statuses(open(newcomer), open(newcomer))).toEqual([201, 409])
  })

  it('who owned an agency before can open and accept another at once', async () => {
    const boss = await owner(server)
    const heir = await heirOf(boss)
    const former = (await boss.callOrThrow('getAgency')).me.memberId
    await heir.caller.callOrThrow('acceptOwnership')
    await heir.caller.callOrThrow('offerOwnership', { body: { memberId: former } })
    await boss.callOrThrow('acceptOwnership')
    expect((await open(heir.caller)).status).toBe(201)
    expect([await ownedBy(boss), await ownedBy(heir.caller)]).toEqual([1, 1])
  })
})

describe('a claim', () => {
  let folder: string
  let records: Records
  let table: RecordTable<OwnershipClaim>
  beforeEach(async () => {
    folder = await temporaryFolder('ownerships')
    records = await openEmbeddedRecords(join(folder, 'records.db'))
    table = await records.table(ownershipsTable)
  })
  afterEach(async () => {
    await records.close()
    await removeFolder(folder)
  })
  /** One process of several on the same records. */
  const process = (shown: readonly string[] = []) =>
    Ownerships.open(records, { commands: server.commands, clock: server.clock, shownOwned: async () => shown })
  const claimOf = async (userId: string) => (await table.get(userId))?.record ?? null
  const underWay = { type: 'ownership-under-way', status: 409 }

  it('keeps other processes from making the person an owner, until its lease is over', async () => {
    const userId = await userOf(await signedUp(server))
    const [killed, other] = [await process(), await process()]
    await killed.claim(userId, 'one')
    await expect(other.claim(userId, 'two')).rejects.toMatchObject(underWay)
    server.clock.advance(claimMs)
    expect(await other.claim(userId, 'two')).not.toBeNull()
    await expect(killed.claim(userId, 'one')).rejects.toMatchObject(underWay)
  })

  it('of a process that was killed after its append is judged by the agency', async () => {
    const boss = await owner(server)
    const [userId, agencyId] = [await userOf(boss), await idOf(boss)]
    const heir = await heirOf(boss)
    await heir.caller.callOrThrow('acceptOwnership')
    const [heirId, late] = [await userOf(heir.caller), await process()]
    // As the process left it; without a claim, only a view would know.
    await late.claim(heirId, agencyId)
    server.clock.advance(claimMs)
    expect(await late.claim(heirId, 'two')).toBeNull()
    // The former owner's claim, too: by the agency they own none.
    await late.claim(userId, agencyId)
    server.clock.advance(claimMs)
    expect(await late.claim(userId, 'two')).not.toBeNull()
  })

  it('is won by one of many processes at once', async () => {
    const userId = await userOf(await signedUp(server))
    const processes = await Promise.all(Array.from({ length: 6 }, () => process()))
    const claims = await Promise.allSettled(processes.map((each, n) => each.claim(userId, `agency-${n}`)))
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is settled by success, taken back by a refusal, and kept by a failure', async () => {
    const userId = await userOf(await signedUp(server))
    const ownerships = await process()
    const run = (agencyId: string, outcome: object | Error) =>
      ownerships.owning(userId, agencyId, async (ownsAnother) => {
        // A second try to append renews the claim.
        expect([await ownsAnother(), await ownsAnother()]).toEqual([false, false])
        if (outcome instanceof Error) throw outcome
        return outcome
      })
    await run('one', { refused: { reason: 'ownership-not-offered' } })
    expect(await claimOf(userId)).toBeNull()
    await run('one', { appended: 1 })
    expect(await claimOf(userId)).toMatchObject({ agencyId: 'one', until: null })
    await run('two', { refused: { reason: 'ownership-not-offered' } })
    expect(await claimOf(userId)).toMatchObject({ agencyId: 'one', until: null })
    await expect(run('two', new Error('away'))).rejects.toThrow('away')
    expect(await claimOf(userId)).toMatchObject({ agencyId: 'two', until: expect.any(String) })
  })

  it('is refused to an owner of before there were claims', async () => {
    const boss = await owner(server)
    expect(await (await process()).claim(await userOf(boss), 'two')).toBeNull()
    const heir = await heirOf(boss)
    await heir.caller.callOrThrow('acceptOwnership')
    const [heirId, agencyId] = [await userOf(heir.caller), await idOf(heir.caller)]
    expect(await (await process([agencyId])).claim(heirId, 'two')).toBeNull()
    // What a view shows too long is no ownership.
    expect(await (await process([agencyId])).claim(await userOf(boss), 'two')).not.toBeNull()
  })
})
