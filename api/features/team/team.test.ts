import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { ApiClient } from '../../http/client.ts'
import { guestEmail, guestPassword, memberOf, tokenOf } from '../../testing/members.ts'
import { owner, signedUp, testServer, type TestServer } from '../../testing/server.ts'
import { letter, tokenIn } from '../auth/test/letters.ts'

let server: TestServer
let caller: ApiClient
let clientId: string
let otherId: string

beforeAll(async () => {
  // The clock moves: no trial may be found to be over meanwhile.
  server = await testServer({ PUBLISH_POLL_MS: '3600000' })
  caller = await owner(server)
  clientId = (await caller.callOrThrow('addClient', { body: { name: 'Blue Cup' } })).id
  otherId = (await caller.callOrThrow('addClient', { body: { name: 'Red Pan' } })).id
})
afterAll(() => server.remove())

const invite = (role: string, clients: 'all' | string[] = 'all', email = guestEmail()) =>
  caller.callOrThrow('inviteMember', { body: { email, role, clients } })
const typeOf = async (asked: Promise<{ status: number; text: string }>) => {
  const { status, text } = await asked
  return { status, type: status < 400 ? null : (JSON.parse(text) as { type: string }).type }
}
const asProblem = { headers: { Accept: 'application/problem+json' } }
const look = (token: string, by = new ApiClient(server.url)) =>
  by.ask('lookAtInvitation', { body: { token }, ...asProblem })
const over = { status: 404, type: '/problems/invitation-over' }

describe('an invitation', () => {
  it('has a letter, which opens for its address once, and is no mail without SMTP', async () => {
    const email = guestEmail()
    const invited = await invite('writer', [clientId], email)
    expect(invited).toMatchObject({ email, role: 'writer', clients: [clientId], mailed: false, isOver: false })
    const token = tokenIn(await letter(server, email, /Join North Star/))
    expect(token).not.toBe(tokenOf(invited.link))
    expect(JSON.parse((await look(token)).text)).toMatchObject({
      agencyName: 'North Star',
      email,
      role: 'writer',
      hasAccount: false,
      signedInAs: 'nobody',
    })
    const guest = new ApiClient(server.url)
    await guest.callOrThrow('registerByInvitation', { body: { token, password: guestPassword, firstName: 'Ada' } })
    expect((await guest.callOrThrow('getAgency')).me).toMatchObject({ role: 'writer', clients: [clientId] })
    expect(await guest.callOrThrow('listClients')).toMatchObject([{ id: clientId }])
    expect(await typeOf(look(token))).toEqual(over)
    const { members, mails } = await caller.callOrThrow('getTeam')
    expect(mails).toBe(false)
    expect(members.find((member) => member.email === email)).toMatchObject({ name: 'Ada', role: 'writer', isMe: false })
  })

  it('says what became of its letter', async () => {
    const email = guestEmail()
    const invited = await invite('viewer', 'all', email)
    expect(invited.letter).toBe('queued')
    await letter(server, email, /Join North Star/)
    const said = async () =>
      (await caller.callOrThrow('getTeam')).invitations.find(({ id }) => id === invited.id)?.letter
    await expect.poll(said, patience).toBe('sent')
    await caller.callOrThrow('withdrawInvitation', { params: { id: invited.id } })
    expect(await said()).toBeUndefined()
  })

  it('by a copied link says nothing about accounts', async () => {
    const { link } = await invite('viewer')
    expect(JSON.parse((await look(tokenOf(link))).text)).toMatchObject({ hasAccount: null })
  })

  it('is accepted by its address alone; another person changes nothing [S152]', async () => {
    const stranger = await signedUp(server)
    const person = await signedUp(server)
    const { email } = await person.callOrThrow('getUser')
    const token = tokenOf((await invite('manager', [otherId], email)).link)
    expect(JSON.parse((await look(token, stranger)).text)).toMatchObject({ signedInAs: 'another' })
    expect(await typeOf(stranger.ask('acceptInvitation', { body: { token }, ...asProblem }))).toEqual({
      status: 403,
      type: '/problems/invitation-for-another',
    })
    expect(await person.callOrThrow('acceptInvitation', { body: { token } })).toMatchObject({
      name: 'North Star',
      role: 'manager',
      isCurrent: true,
    })
    // Repeated, it is a success; by then it is over for all others.
    expect((await person.ask('acceptInvitation', { body: { token } })).status).toBe(200)
    expect(await typeOf(look(token))).toEqual(over)
  })

  it('ends with the next one of the same address, when withdrawn, and after seven days [S153]', async () => {
    const email = guestEmail()
    const first = await invite('viewer', 'all', email)
    const second = await invite('writer', 'all', email)
    expect(await typeOf(look(tokenOf(first.link)))).toEqual(over)
    expect((await look(tokenOf(second.link))).status).toBe(200)
    const again = await caller.callOrThrow('resendInvitation', { params: { id: second.id } })
    expect(await typeOf(look(tokenOf(second.link)))).toEqual(over)
    expect((await caller.callOrThrow('getTeam')).invitations.filter((each) => each.email === email)).toHaveLength(1)
    await caller.callOrThrow('withdrawInvitation', { params: { id: again.id } })
    expect(await typeOf(look(tokenOf(again.link)))).toEqual(over)
    const late = await invite('viewer')
    server.clock.advance(7 * 86_400_000 - 1)
    expect((await look(tokenOf(late.link))).status).toBe(404)
    server.clock.advance(-7 * 86_400_000 + 1)
  })

  it('to a member is refused, and so is a wrong role, client or address', async () => {
    const { email } = await caller.callOrThrow('getUser')
    const refused = (body: object) => typeOf(caller.ask('inviteMember', { body, ...asProblem }))
    expect(await refused({ email, role: 'viewer', clients: 'all' })).toMatchObject({ status: 409 })
    const to = guestEmail()
    expect(await refused({ email: to, role: 'admin', clients: [clientId] })).toMatchObject({ status: 409 })
    expect(await refused({ email: to, role: 'owner', clients: 'all' })).toMatchObject({ status: 400 })
    expect(await refused({ email: to, role: 'viewer', clients: [] })).toMatchObject({ status: 400 })
    expect(await refused({ email: 'nobody', role: 'viewer', clients: 'all' })).toMatchObject({ status: 400 })
    const unknown = ['0195a000-0000-7000-8000-00000000dead']
    expect(await refused({ email: to, role: 'viewer', clients: unknown })).toMatchObject({ status: 404 })
  })
})

describe('an hour', () => {
  it('is one of twenty an hour of an agency, also after a restart [S155]', { tags: 'long' }, async () => {
    const busy = await owner(server)
    const invited = () =>
      typeOf(busy.ask('inviteMember', { body: { email: guestEmail(), role: 'viewer', clients: 'all' }, ...asProblem }))
    const first = await Promise.all(Array.from({ length: 22 }, invited))
    expect(first.filter(({ status }) => status === 201)).toHaveLength(20)
    const often = { status: 429, type: '/problems/invited-often' }
    expect(first.filter(({ status }) => status !== 201)).toEqual([often, often])
    // A withdrawn one was sent all the same.
    const [{ id } = { id: '' }] = (await busy.callOrThrow('getTeam')).invitations
    await busy.callOrThrow('withdrawInvitation', { params: { id } })
    expect(await invited()).toEqual(often)
    const { headers } = await busy.ask('inviteMember', {
      body: { email: guestEmail(), role: 'viewer', clients: 'all' },
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000)
    server.clock.advance(3_600_000)
    expect(await invited()).toMatchObject({ status: 201 })
  })
})

describe('a member', () => {
  it('works with another role and other clients from the next request on', async () => {
    const boss = await owner(server)
    const brand = await boss.callOrThrow('addClient', { body: { name: 'Green Tea' } })
    const guest = await memberOf(server, boss, 'writer', [brand.id])
    const body = { role: 'viewer', clients: 'all' }
    expect(await boss.callOrThrow('changeMember', { params: { id: guest.memberId }, body })).toMatchObject(body)
    expect((await guest.caller.callOrThrow('getAgency')).me).toMatchObject(body)
    const post = { socialAccountId: brand.id, content: 'Mine' }
    expect((await guest.caller.ask('writePost', { params: { id: brand.id }, body: post })).status).toBe(403)
  })

  it('who is removed is told so until a page begins anew, and is then without an agency [S154]', async () => {
    const boss = await owner(server)
    const guest = await memberOf(server, boss, 'admin')
    const expiresAt = new Date(Date.parse(server.clock.now()) + 86_400_000).toISOString()
    const issued = await guest.caller.callOrThrow('issueAuditorLink', { body: { label: 'Audit', expiresAt } })
    await guest.caller.callOrThrow('inviteMember', { body: { email: guestEmail(), role: 'viewer', clients: 'all' } })
    const params = { id: guest.memberId }
    const ends = { invitations: 1, posts: 0, links: [{ id: issued.id, label: 'Audit' }] }
    expect(await boss.callOrThrow('getMemberRemoval', { params })).toEqual(ends)
    expect(await boss.callOrThrow('removeMember', { params, body: { links: 'revoked' } })).toEqual(ends)
    expect(await boss.callOrThrow('listAuditorLinks')).toMatchObject([{ state: 'revoked' }])
    expect((await boss.callOrThrow('getTeam')).invitations).toEqual([])
    const next = () => typeOf(guest.caller.ask('listClients', asProblem))
    const ended = { status: 403, type: '/problems/no-longer-member' }
    expect([await next(), await next()]).toEqual([ended, ended])
    const newPage = () => typeOf(guest.caller.ask('getAgency', asProblem))
    expect(await newPage()).toEqual(ended)
    expect(await newPage()).toMatchObject({ status: 404 })
    expect(await next()).toEqual({ status: 403, type: '/problems/no-agency' })
  })

  it('loses the links that they issued while they were being removed [S195]', async () => {
    const boss = await owner(server)
    const expiresAt = new Date(Date.parse(server.clock.now()) + 86_400_000).toISOString()
    for (let round = 0; round < 3; round++) {
      const guest = await memberOf(server, boss, 'admin')
      const issue = (label: string) => guest.caller.ask('issueAuditorLink', { body: { label, expiresAt } })
      const ask = { params: { id: guest.memberId }, body: { links: 'revoked' } }
      const removing = boss.callOrThrow('removeMember', ask)
      const issued = await Promise.all(['a', 'b', 'c', 'd'].map(issue))
      const { links } = await removing
      const told = issued
        .filter(({ status }) => status === 201)
        .map(({ text }) => (JSON.parse(text) as { id: string }).id)
      expect(links.map(({ id }) => id)).toEqual(expect.arrayContaining(told))
      const states = (await boss.callOrThrow('listAuditorLinks')).map(({ state }) => state)
      expect(states.filter((state) => state !== 'revoked')).toEqual([])
    }
  })

  it('ends their live updates by leaving', async () => {
    const boss = await owner(server)
    const guest = await memberOf(server, boss, 'viewer')
    const stream = await fetch(`${server.url}/api/news`, { headers: { Cookie: guest.caller.cookie } })
    expect(stream.status).toBe(200)
    expect((await guest.caller.ask('leaveTeam')).status).toBe(204)
    // The server ends the stream; without that, the text would never be complete.
    await stream.text()
    expect(await typeOf(guest.caller.ask('getAgency', asProblem))).toMatchObject({ status: 404 })
    expect((await boss.ask('leaveTeam')).status).toBe(409)
  })

  it('below an admin invites, changes and removes no person', async () => {
    const boss = await owner(server)
    const manager = await memberOf(server, boss, 'manager')
    const viewer = await memberOf(server, boss, 'viewer')
    const params = { id: viewer.memberId }
    const body = { email: guestEmail(), role: 'viewer', clients: 'all' }
    expect((await manager.caller.ask('inviteMember', { body })).status).toBe(403)
    expect((await manager.caller.ask('removeMember', { params, body: { links: 'kept' } })).status).toBe(403)
    const team = await manager.caller.callOrThrow('getTeam')
    expect(team.members.filter(({ email }) => email !== null)).toMatchObject([{ isMe: true }])
    expect(team.invitations).toEqual([])
  })
})

describe('ownership', () => {
  it('moves to the member who accepts it; the former owner may open another agency', async () => {
    const boss = await owner(server)
    const heir = await memberOf(server, boss, 'admin')
    const { id } = await boss.callOrThrow('getAgency')
    const former = (await boss.callOrThrow('getAgency')).me.memberId
    expect((await heir.caller.ask('acceptOwnership')).status).toBe(409)
    expect(await boss.callOrThrow('offerOwnership', { body: { memberId: heir.memberId } })).toMatchObject({
      ownershipOfferedTo: heir.memberId,
    })
    await heir.caller.callOrThrow('acceptOwnership')
    expect(await heir.caller.callOrThrow('getAgency')).toMatchObject({ id, me: { role: 'owner' } })
    expect(await boss.callOrThrow('getAgency')).toMatchObject({ id, me: { memberId: former, role: 'admin' } })
    expect((await boss.ask('openCheckout')).status).toBe(403)

    const opened = await boss.callOrThrow('openAgency', { body: { name: 'South Star', email: 'a@example.com' } })
    expect(opened).toMatchObject({ name: 'South Star', me: { role: 'owner' } })
    expect(opened.id).not.toBe(id)
    expect((await boss.ask('openAgency', { body: { name: 'More', email: 'a@example.com' } })).status).toBe(409)
    // An owner of one agency takes no other.
    await heir.caller.callOrThrow('offerOwnership', { body: { memberId: former } })
    await boss.callOrThrow('chooseAgency', { body: { agencyId: id } })
    expect(await typeOf(boss.ask('acceptOwnership', asProblem))).toEqual({
      status: 409,
      type: '/problems/owns-another-agency',
    })
  })
})

describe('a person in two agencies', () => {
  it('chooses where a session works', async () => {
    const [one, two] = [await owner(server), await owner(server)]
    const { email } = await one.callOrThrow('getUser')
    const token = tokenOf(
      (await two.callOrThrow('inviteMember', { body: { email, role: 'viewer', clients: 'all' } })).link,
    )
    const own = (await one.callOrThrow('getAgency')).id
    const { agencyId } = await one.callOrThrow('acceptInvitation', { body: { token } })
    expect(await one.callOrThrow('listAgencies')).toMatchObject([
      { agencyId: own, role: 'owner', isCurrent: false },
      { agencyId, role: 'viewer', isCurrent: true },
    ])
    expect((await one.ask('addClient', { body: { name: 'No' } })).status).toBe(403)
    await one.callOrThrow('chooseAgency', { body: { agencyId: own } })
    expect((await one.callOrThrow('getAgency')).id).toBe(own)
    const foreign = (await caller.callOrThrow('getAgency')).id
    expect((await one.ask('chooseAgency', { body: { agencyId: foreign } })).status).toBe(404)
  })
})

describe('a page of one agency', () => {
  it('changes nothing of another one, to which another tab has moved the session [S194]', async () => {
    const [one, two] = [await owner(server), await owner(server)]
    const { email } = await one.callOrThrow('getUser')
    const { link } = await two.callOrThrow('inviteMember', { body: { email, role: 'admin', clients: 'all' } })
    const shown = (await one.callOrThrow('getAgency')).id
    const { agencyId } = await one.callOrThrow('acceptInvitation', { body: { token: tokenOf(link) } })
    const add = (id: string) =>
      one.ask('addClient', { body: { name: 'Blue Cup' }, headers: { ...asProblem.headers, 'X-Agency': id } })
    const refused = await add(shown)
    expect(await typeOf(Promise.resolve(refused))).toEqual({ status: 409, type: '/problems/another-agency' })
    expect(refused.headers.get('x-membership')).toBe('another')
    expect(await two.callOrThrow('listClients')).toEqual([])
    expect((await add(agencyId)).status).toBe(201)
    // Reads show what the session works in, and clients of the API name no agency.
    expect((await one.ask('listClients', { headers: { 'X-Agency': shown } })).status).toBe(200)
    expect((await one.ask('addClient', { body: { name: 'Red Pan' } })).status).toBe(201)
  })
})

it('the setting on own approvals is for owner and admins', async () => {
  expect(await caller.callOrThrow('changeTeam', { body: { ownApproval: 'refused' } })).toMatchObject({
    ownApproval: 'refused',
  })
  expect(await caller.callOrThrow('getAgency')).toMatchObject({ ownApproval: 'refused' })
  const viewer = await memberOf(server, caller, 'viewer')
  expect((await viewer.caller.ask('changeTeam', { body: { ownApproval: 'allowed' } })).status).toBe(403)
})
