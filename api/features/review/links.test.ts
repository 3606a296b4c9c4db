import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../domain/test/folder.ts'
import { openFiles } from '../../composition/embedded.ts'
import { later } from '../../core/clock.ts'
import type { Records } from '../../records/port.ts'
import { memberOf } from '../../testing/members.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { storesFor } from '../../testing/servers.ts'
import { reviewTokensTable, type ReviewToken } from './tokens.ts'
import { asProblem, reviewedAgency, reviewer, tokenIn, type Reviewed } from './test/helpers.ts'

let server: TestServer
let records: Records
let agency: Reviewed

beforeAll(async () => {
  const dataDir = await temporaryFolder('links')
  const openStores = async () => {
    const stores = await (storesFor(dataDir)?.() ?? openFiles(dataDir))
    records = stores.records
    return stores
  }
  server = await testServer({ DATA_DIR: dataDir }, { openStores })
  agency = await reviewedAgency(server)
})
afterAll(() => server.remove())

const inDays = (days: number) => later(server.clock.now(), days * 86_400_000)
const issue = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  agency.caller.ask('issueReviewLink', {
    params: { id: agency.clientId },
    body: { anyone: true, expiresAt: inDays(3), ...body },
    headers,
  })

describe('A review link', () => {
  it('has an address for each contact, which is in no list', async () => {
    const nora = await agency.contact('Nora')
    const issued = await agency.caller.callOrThrow('issueReviewLink', {
      params: { id: agency.clientId },
      body: { contacts: [nora.id], expiresAt: inDays(3) },
    })
    expect(issued).toMatchObject({
      contacts: [nora.id],
      anyone: false,
      scope: { kind: 'pending' },
      may: ['approve', 'comment'],
      lock: 'none',
      state: 'open',
      lastUsedAt: null,
      url: null,
      sentTo: [{ contactId: nora.id, mailed: false, url: expect.stringMatching(/\/review#[\w-]{43}$/) }],
    })
    const { text } = await agency.caller.ask('listReviewLinks', { params: { id: agency.clientId } })
    expect(JSON.parse(text)).toContainEqual(expect.objectContaining({ id: issued.id, contacts: [nora.id] }))
    expect(text).not.toContain(tokenIn(issued.sentTo[0]?.url))
  })

  it('is issued once for a repeated request, with the same address', async () => {
    const expiresAt = inDays(3)
    const once = await issue({ expiresAt }, { 'Idempotency-Key': 'the-same' })
    const again = await issue({ expiresAt }, { 'Idempotency-Key': 'the-same' })
    expect(once.status).toBe(201)
    expect(JSON.parse(again.text)).toEqual(JSON.parse(once.text))
  })

  it.each([
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 409, /^Choose an end that lies an hour ahead or more, at most 90 days\./],
    [{ anyone: false }, 409, /^Choose the people who review/],
    [{ lock: 'passcode' }, 400, /^Passcode: Required/],
    [{ lock: 'passcode', passcode: 'short' }, 400, /^Passcode: A passcode has at least 6 characters/],
    [{ lock: 'code' }, 409, /^Codes go to contacts only/],
    [{ contacts: ['0195a000-0000-7000-8000-00000000dead'] }, 409, /isn't a contact of this client/],
    [{ scope: { kind: 'month', month: '2026-13' } }, 400, /Use YYYY-MM/],
  ])('is refused with an explanation: %j', async (body, status, text) => {
    expect(await issue(body)).toMatchObject({ status, text: expect.stringMatching(text) })
  })

  it('that is refused or revoked leaves no hash of its passcode', async () => {
    const passcodes = await records.table({ table: 'review_passcodes' })
    const before = await passcodes.count()
    const locked = { lock: 'passcode', passcode: 'sunrise-42' }
    expect(await issue({ ...locked, contacts: ['0195a000-0000-7000-8000-00000000dead'] })).toMatchObject({
      status: 409,
    })
    expect(await passcodes.count()).toBe(before)
    const issued = await issue(locked)
    expect(issued).toMatchObject({ status: 201 })
    expect(await passcodes.count()).toBe(before + 1)
    const { id } = JSON.parse(issued.text) as { readonly id: string }
    await agency.caller.callOrThrow('revokeReviewLink', { params: { id } })
    expect(await passcodes.count()).toBe(before)
  })

  it('goes to 100 contacts an hour of an agency, also when links are revoked [S252]', { tags: 'long' }, async () => {
    const busy = await reviewedAgency(server)
    const contacts: string[] = []
    for (let at = 0; at < 10; at++) contacts.push((await busy.contact(`Person ${at}`)).id)
    const send = (body: object = {}, headers: Readonly<Record<string, string>> = {}) =>
      busy.caller.ask('issueReviewLink', {
        params: { id: busy.clientId },
        body: { contacts, expiresAt: inDays(3), ...body },
        headers: { ...asProblem.headers, ...headers },
      })
    const last = { expiresAt: inDays(4) }
    for (let times = 0; times < 9; times++) expect((await send()).status).toBe(201)
    // A refused link sends none.
    expect((await send({ expiresAt: inDays(400) })).status).toBe(409)
    const key = { 'Idempotency-Key': 'the-last' }
    expect((await send(last, key)).status).toBe(201)
    const listed = () => busy.caller.callOrThrow('listReviewLinks', { params: { id: busy.clientId } })
    const [{ id } = { id: '' }] = await listed()
    await busy.caller.callOrThrow('revokeReviewLink', { params: { id } })
    const { status, text, headers } = await send({ contacts: contacts.slice(0, 1) })
    expect({ status, ...(JSON.parse(text) as object) }).toMatchObject({
      status: 429,
      type: '/problems/too-many-letters',
      detail: 'An agency mails its contacts at most 100 letters an hour. You can go on in 60 minutes.',
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect(await listed()).toHaveLength(10)
    expect((await send(last, key)).status).toBe(201)
    expect((await send({ contacts: [], anyone: true })).status).toBe(201)
    expect((await issue({ anyone: false, contacts: [(await agency.contact('Olga')).id] })).status).toBe(201)
  })

  it('is one of 120 an hour of an agency, also when they are revoked [S254]', { tags: 'long' }, async () => {
    const busy = await reviewedAgency(server)
    const params = { id: busy.clientId }
    const ask = (body: object = {}, headers: Readonly<Record<string, string>> = {}) =>
      busy.caller.ask('issueReviewLink', {
        params,
        body: { anyone: true, expiresAt: inDays(3), ...body },
        headers: { ...asProblem.headers, ...headers },
      })
    // A refused link counts as none.
    expect((await ask({ expiresAt: inDays(400) })).status).toBe(409)
    const last = [{ expiresAt: inDays(4) }, { 'Idempotency-Key': 'the-last' }] as const
    expect((await ask(...last)).status).toBe(201)
    const issued = await Promise.all(Array.from({ length: 119 }, () => ask()))
    expect(issued.map(({ status }) => status)).toEqual(issued.map(() => 201))
    const { id } = JSON.parse(issued[0]?.text ?? '') as { readonly id: string }
    await busy.caller.callOrThrow('revokeReviewLink', { params: { id } })
    const { status, text, headers } = await ask()
    expect({ status, ...(JSON.parse(text) as object) }).toMatchObject({
      status: 429,
      type: '/problems/too-many-links',
      detail: expect.stringMatching(
        /^An agency issues at most 120 review links an hour\. You can go on in \d+ minutes\.$/,
      ),
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000)
    const stored = await records.table<ReviewToken>(reviewTokensTable)
    expect(await stored.find('clientId', busy.clientId, 1_000)).toHaveLength(120)
    expect((await ask(...last)).status).toBe(201)
    expect((await issue({})).status).toBe(201)
  })

  it(
    'takes the place of an ended one in the records, beyond 2,200 addresses of an agency [S254]',
    { tags: 'long' },
    async () => {
      const busy = await reviewedAgency(server)
      const { clientId } = busy
      const params = { id: (await busy.issue()).id }
      await busy.caller.callOrThrow('revokeReviewLink', { params })
      const open = await busy.issue({ expiresAt: inDays(1) })
      const stored = await records.table<ReviewToken>(reviewTokensTable)
      const tokens = () => stored.find('clientId', clientId, 10_000)
      const [first] = (await tokens()).filter(({ linkId }) => linkId === params.id)
      if (!first) throw new Error('No token')
      const more = Array.from({ length: 2_198 }, (_, at) => ({ ...first, id: String(at), expiresAt: inDays(40) }))
      await Promise.all(more.map((token) => stored.put(token)))
      const newest = await busy.issue({ contacts: [(await busy.contact('Ida')).id], anyone: true })
      expect(await tokens()).toHaveLength(2_200)
      // The revoked one with the nearest planned end has gone, and none that is open.
      expect((await tokens()).map(({ id }) => id)).not.toContain(first.id)
      for (const { token } of [open, newest]) expect((await reviewer(server).look(token)).state).toBe('open')
    },
  )

  it('shows no draft that was never submitted, and no post of another client', async () => {
    const other = await reviewedAgency(server, agency.caller)
    const [draft, foreign] = [await agency.write('Only a draft'), await other.submit('Of another client')]
    for (const id of [draft, foreign])
      expect(await issue({ scope: { kind: 'posts', postIds: [id] } })).toMatchObject({ status: 409 })
  })

  it('sends no codes without a mail server', async () => {
    const { id } = await agency.contact('Lea')
    expect(await issue({ anyone: false, contacts: [id], lock: 'code' })).toMatchObject({
      status: 409,
      text: 'This server sends no mail, so it can send no codes. Choose another lock.',
    })
  })

  it('is issued and revoked by managers of its client alone', async () => {
    const other = await reviewedAgency(server, agency.caller)
    const { id } = await agency.issue()
    const writer = await memberOf(server, agency.caller, 'writer', [agency.clientId])
    const manager = await memberOf(server, agency.caller, 'manager', [other.clientId])
    const asked = { params: { id: agency.clientId }, body: { anyone: true, expiresAt: inDays(3) } }
    expect(await writer.caller.ask('issueReviewLink', asked)).toMatchObject({ status: 403 })
    expect(await manager.caller.ask('issueReviewLink', asked)).toMatchObject({ status: 404 })
    expect(await manager.caller.ask('revokeReviewLink', { params: { id } })).toMatchObject({ status: 404 })
    expect(await agency.caller.ask('revokeReviewLink', { params: { id } })).toMatchObject({ status: 204 })
    const listed = await agency.caller.callOrThrow('listReviewLinks', { params: { id: agency.clientId } })
    expect(listed.find((link) => link.id === id)).toMatchObject({ state: 'revoked' })
  })

  it('of a removed member is revoked with those of auditors, where the remover says so', async () => {
    const manager = await memberOf(server, agency.caller, 'manager', [agency.clientId])
    const { id, url } = await manager.caller.callOrThrow('issueReviewLink', {
      params: { id: agency.clientId },
      body: { anyone: true, expiresAt: inDays(3) },
    })
    const params = { id: manager.memberId }
    const before = await agency.caller.callOrThrow('getMemberRemoval', { params })
    expect(before.links).toEqual([{ id, label: 'Review of posts of Blue Cup' }])
    await agency.caller.callOrThrow('removeMember', { params, body: { links: 'revoked' } })
    expect(await reviewer(server).look(tokenIn(url))).toMatchObject({ state: 'revoked' })
  })
})
