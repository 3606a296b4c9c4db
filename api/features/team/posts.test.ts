/** Posts in a team: what each member may do, whose they are, and who did what. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from '../../http/client.ts'
import { allow } from '../../sandbox/test/serving.ts'
import { memberOf, tokenOf, type Guest } from '../../testing/members.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let boss: ApiClient
let mine: Awaited<ReturnType<typeof brand>>
let other: string
let writer: Guest
let manager: Guest
let stranger: Guest
let viewer: Guest

beforeAll(async () => {
  server = await testServer()
  boss = await owner(server)
  mine = await brand(boss)
  other = (await boss.callOrThrow('addClient', { body: { name: 'Red Pan' } })).id
  writer = await memberOf(server, boss, 'writer', [mine.clientId])
  manager = await memberOf(server, boss, 'manager', [mine.clientId])
  stranger = await memberOf(server, boss, 'manager', [other])
  viewer = await memberOf(server, boss, 'viewer', [mine.clientId])
})
afterAll(() => server.remove())

/** The name of a person who gave none: most members may not see the whole address. */
const nameIn = (email: string) => email.split('@')[0]
const write = (by: ApiClient, content: string, more: object = {}) =>
  by.callOrThrow('writePost', {
    params: { id: mine.clientId },
    body: { socialAccountId: mine.accountId, content, ...more },
  })
const change = (by: ApiClient, id: string, body: object) => by.ask('changePost', { params: { id }, body })
const as = (by: ApiClient, id: string) => by.callOrThrow('getPost', { params: { id } })

describe('a post', () => {
  it('goes from the writer to the right manager, and its history names both with their roles', async () => {
    const { id } = await write(writer.caller, 'Autumn breads', { status: 'pending' })
    expect((await stranger.caller.ask('getPost', { params: { id } })).status).toBe(404)
    expect((await change(stranger.caller, id, { status: 'approved' })).status).toBe(404)
    expect((await as(writer.caller, id)).can).toEqual(['return-to-draft', 'assign'])
    expect((await as(viewer.caller, id)).can).toEqual([])
    expect((await change(writer.caller, id, { status: 'approved' })).status).toBe(403)
    expect((await as(manager.caller, id)).can).toContain('approve')
    expect((await change(manager.caller, id, { status: 'approved' })).status).toBe(200)
    const body = { role: 'viewer', clients: 'all' }
    server.clock.advance(1_000)
    await boss.callOrThrow('changeMember', { params: { id: manager.memberId }, body })
    const history = await boss.callOrThrow('getPostHistory', { params: { id } })
    expect(history.map(({ type, actor: { name, role } }) => [type, name, role])).toEqual([
      ['PostWritten', nameIn(writer.email), 'writer'],
      ['PostSubmitted', nameIn(writer.email), 'writer'],
      // The role of then.
      ['PostApproved', nameIn(manager.email), 'manager'],
    ])
    const back = { role: 'manager', clients: [mine.clientId] }
    await boss.callOrThrow('changeMember', { params: { id: manager.memberId }, body: back })
  })

  it('has one list for each view of what a member may do', async () => {
    const { id } = await write(writer.caller, 'A draft')
    const card = async (by: ApiClient) =>
      (await by.tellAs('listAllPosts', 'card', {})).find((post) => post.id === id)?.can
    expect(await card(viewer.caller)).toEqual([])
    expect(await card(writer.caller)).toEqual(['edit', 'plan', 'submit', 'assign', 'delete'])
    expect(await card(stranger.caller)).toBeUndefined()
  })

  it('says the act that helps only to those who may do it', async () => {
    const { id } = await write(writer.caller, 'To be approved', { status: 'pending' })
    const said = async ({ caller }: Pick<Guest, 'caller'>) => {
      const { sentence, act } = await caller.callOrThrow('getPostDelivery', { params: { id } })
      return [sentence, act]
    }
    const sentence = 'This post waits for review.'
    expect(await Promise.all([manager, writer, viewer].map(said))).toEqual([
      [sentence, 'approve'],
      [sentence, null],
      [sentence, null],
    ])
    expect((await boss.ask('deletePost', { params: { id } })).status).toBe(204)
  })

  it('is scheduled by no writer, in whichever way', async () => {
    const refused = await writer.caller.ask('writePost', {
      params: { id: mine.clientId },
      body: { socialAccountId: mine.accountId, content: 'Now', status: 'scheduled' },
    })
    expect(refused.status).toBe(403)
    const { id } = await write(writer.caller, 'Later')
    expect((await change(writer.caller, id, { status: 'scheduled' })).status).toBe(403)
    expect((await writer.caller.ask('publishPost', { params: { id } })).status).toBe(403)
  })
})

describe('an assignment', () => {
  it('finds its posts, and ends with the membership', async () => {
    const leaver = await memberOf(server, boss, 'writer', [mine.clientId])
    const { id } = await write(manager.caller, 'For the writer')
    expect((await change(manager.caller, id, { assignedTo: stranger.memberId })).status).toBe(409)
    expect((await change(manager.caller, id, { assignedTo: leaver.memberId })).status).toBe(200)
    const { id: another } = await write(manager.caller, 'Also for the writer', {})
    expect((await change(manager.caller, another, { assignedTo: writer.memberId })).status).toBe(200)
    const mineOf = (by: ApiClient) => by.tellAll('listAllPosts', { query: { assigned: 'me' } })
    expect(await mineOf(leaver.caller)).toMatchObject([{ id, assignedTo: leaver.memberId }])
    expect(await mineOf(manager.caller)).toEqual([])
    expect(await boss.tellAll('listAllPosts', { query: { assigned: leaver.memberId } })).toHaveLength(1)
    const params = { id: leaver.memberId }
    expect(await boss.callOrThrow('removeMember', { params, body: { links: 'kept' } })).toMatchObject({ posts: 1 })
    expect(await as(boss, id)).toMatchObject({ assignedTo: null })
    // With the right to the client, an assignment ends too.
    const elsewhere = { role: 'writer', clients: [other] }
    await boss.callOrThrow('changeMember', { params: { id: writer.memberId }, body: elsewhere })
    expect(await as(boss, another)).toMatchObject({ assignedTo: null })
    const back = { role: 'writer', clients: [mine.clientId] }
    await boss.callOrThrow('changeMember', { params: { id: writer.memberId }, body: back })
  })
})

describe('an own post', () => {
  it('is approved by another member only, where the agency says so', async () => {
    await boss.callOrThrow('changeTeam', { body: { ownApproval: 'refused' } })
    const { id } = await write(manager.caller, 'My words', { status: 'pending' })
    expect((await as(manager.caller, id)).can).not.toContain('approve')
    const refused = await change(manager.caller, id, { status: 'approved' })
    expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('another member has to approve it') })
    const scheduled = await manager.caller.ask('writePost', {
      params: { id: mine.clientId },
      body: { socialAccountId: mine.accountId, content: 'Now', status: 'scheduled' },
    })
    expect(scheduled.status).toBe(409)
    expect((await as(boss, id)).can).toContain('approve')
    expect((await change(boss, id, { status: 'approved' })).status).toBe(200)
    await boss.callOrThrow('changeTeam', { body: { ownApproval: 'allowed' } })
  })
})

describe('a consent of a network', () => {
  it('connects nothing once the member may not connect any more', async () => {
    const leaver = await memberOf(server, boss, 'manager', [mine.clientId])
    const body = { platform: 'linkedin', accountName: 'Blue Cup' }
    const { id } = await leaver.caller.callOrThrow('addSocialAccount', { params: { id: mine.clientId }, body })
    const consent = (await leaver.caller.ask('connectSocialAccount', { params: { id } })).headers.get('location') ?? ''
    const lowered = { role: 'writer', clients: [mine.clientId] }
    await boss.callOrThrow('changeMember', { params: { id: leaver.memberId }, body: lowered })
    const state = new URL(consent).searchParams.get('state') ?? ''
    const query = { state, code: await allow(consent, ['Acme']) }
    const done = await leaver.caller.ask('oauthCallback', { params: { platform: 'linkedin' }, query })
    expect(done.headers.get('location')).toContain('connect=unknown-account')
    const accounts = await boss.callOrThrow('listSocialAccounts', { params: { id: mine.clientId } })
    expect(accounts.find((account) => account.id === id)).toMatchObject({ isConnected: false })
  })
})

describe('the audit', () => {
  it('finds the posts on which a person acted, among those of the member’s clients', async () => {
    const found = await boss.callOrThrow('searchAudit', { query: { person: writer.memberId } })
    expect(found.items.map(({ content }) => content).toSorted()).toEqual([
      'A draft',
      'Autumn breads',
      'Later',
      'To be approved',
    ])
    expect((await stranger.caller.callOrThrow('searchAudit', { query: { person: writer.memberId } })).items).toEqual([])
    const unknown = { query: { person: '0195a000-0000-7000-8000-00000000dead' } }
    expect((await boss.ask('searchAudit', unknown)).status).toBe(404)
  })
  it('offers people who left beside the members, whose posts it still finds', async () => {
    const leaver = await memberOf(server, boss, 'writer', [mine.clientId])
    await write(leaver.caller, 'Before leaving')
    await boss.callOrThrow('removeMember', { params: { id: leaver.memberId }, body: { links: 'kept' } })
    const { people } = await viewer.caller.callOrThrow('getAuditAbout')
    const name = leaver.email.split('@')[0]
    expect(people.find(({ id }) => id === leaver.memberId)).toEqual({ id: leaver.memberId, name, isFormer: true })
    expect(people.find(({ id }) => id === writer.memberId)).toMatchObject({ isFormer: false })
    const { items } = await boss.callOrThrow('searchAudit', { query: { person: leaver.memberId } })
    expect(items.map(({ content }) => content)).toEqual(['Before leaving'])
    // Back again, they are offered once.
    const { link } = await boss.callOrThrow('inviteMember', {
      body: { email: leaver.email, role: 'viewer', clients: 'all' },
    })
    await leaver.caller.callOrThrow('acceptInvitation', { body: { token: tokenOf(link) } })
    const again = (await boss.callOrThrow('getAuditAbout')).people.filter((each) => each.name === name)
    expect(again).toMatchObject([{ isFormer: false }])
  })
  it('is exported whole by owner and admins, and by client by a manager', async () => {
    expect((await manager.caller.ask('exportAudit', { query: {} })).status).toBe(403)
    const own = await manager.caller.ask('exportAudit', { query: { client: mine.clientId } })
    expect(own.status).toBe(200)
    expect(own.text).not.toContain('MemberJoined')
    expect((await stranger.caller.ask('exportAudit', { query: { client: mine.clientId } })).status).toBe(404)
    const whole = (await boss.ask('exportAudit', {})).text
    for (const type of ['Invited', 'Joined', 'RoleChanged', 'Removed'])
      expect(whole).toContain(`"name":"Member${type}"`)
    for (const type of ['PostAssigned', 'OwnApprovalSet']) expect(whole).toContain(`"name":"${type}"`)
    for (const { email } of [writer, manager, stranger, viewer]) expect(whole).not.toContain(email)
  })
})
