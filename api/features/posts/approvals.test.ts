/** Approval step by step: who approves when, what a policy keeps drafts from, and what lists and histories say. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApprovalPolicy } from '../../../domain/core/approval-policy.ts'
import type { ApiClient } from '../../http/client.ts'
import { memberOf, type Guest } from '../../testing/members.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let boss: ApiClient
let bossId: string
let mine: Awaited<ReturnType<typeof brand>>
let free: Awaited<ReturnType<typeof brand>>
let writer: Guest
let manager: Guest
let second: Guest
let stranger: Guest

const text = '0195a000-0000-7000-8000-0000000000b1'
const last = '0195a000-0000-7000-8000-0000000000b2'
const twoSteps: ApprovalPolicy = {
  steps: [
    { id: text, name: 'Text', who: { kind: 'role', role: 'manager' }, need: 'any' },
    { id: last, name: 'Last look', who: { kind: 'role', role: 'owner' }, need: 'any' },
  ],
  ownApproval: 'agency',
  timePart: { kind: 'free' },
}

beforeAll(async () => {
  server = await testServer()
  boss = await owner(server)
  mine = await brand(boss)
  free = await brand(boss, 'linkedin')
  writer = await memberOf(server, boss, 'writer', [mine.clientId])
  manager = await memberOf(server, boss, 'manager', [mine.clientId])
  second = await memberOf(server, boss, 'manager', [mine.clientId])
  stranger = await memberOf(server, boss, 'manager', [free.clientId])
  bossId = (await boss.callOrThrow('getTeam')).members.find(({ role }) => role === 'owner')?.id ?? ''
  await setPolicy(twoSteps)
})
afterAll(() => server.remove())

const params = () => ({ id: mine.clientId })
const setPolicy = (body: ApprovalPolicy, by = boss) => by.callOrThrow('setApprovalPolicy', { params: params(), body })
const write = (by: ApiClient, content: string, more: object = {}) =>
  by.callOrThrow('writePost', { params: params(), body: { socialAccountId: mine.accountId, content, ...more } })
const pending = (content: string, by = writer.caller) => write(by, content, { status: 'pending' })
const change = (by: ApiClient, id: string, body: object) => by.ask('changePost', { params: { id }, body })
const approve = (by: ApiClient, id: string, stepId?: string) => change(by, id, { status: 'approved', stepId })
const shown = (by: ApiClient, id: string) => by.callOrThrow('getPost', { params: { id } })
const statesOf = async (id: string) => (await shown(boss, id)).steps?.map(({ state }) => state)
const needed = "This client's posts need approval first."

describe('A post under a policy', () => {
  it('is approved step by step; the reply says who is next, and the history names the steps', async () => {
    const { id, steps } = await pending('Autumn breads')
    expect(steps).toMatchObject([
      { id: text, name: 'Text', state: 'open', waitsFor: [manager.memberId, second.memberId] },
      { id: last, state: 'waiting', waitsFor: [] },
    ])
    const first = await manager.caller.callOrThrow('changePost', { params: { id }, body: { status: 'approved' } })
    expect(first).toMatchObject({
      status: 'pending',
      steps: [
        { state: 'approved', approvedBy: [manager.memberId] },
        { state: 'open', waitsFor: [bossId] },
      ],
    })
    const done = await boss.callOrThrow('changePost', { params: { id }, body: { status: 'approved' } })
    expect(done).toMatchObject({ status: 'approved', steps: [{ state: 'approved' }, { state: 'approved' }] })
    const history = await boss.callOrThrow('getPostHistory', { params: { id } })
    expect(history.map(({ type, step }) => [type, step])).toEqual([
      ['PostWritten', undefined],
      ['PostSubmitted', undefined],
      ['PostStepApproved', 'Text'],
      ['PostStepApproved', 'Last look'],
      ['PostApproved', undefined],
    ])
  })

  it('is approved by the people of the open step only, and a repeat approves no other step [S202]', async () => {
    const { id } = await pending('Only in turn')
    expect(await approve(boss, id)).toMatchObject({ status: 409 })
    expect((await approve(writer.caller, id)).status).toBe(403)
    expect((await approve(stranger.caller, id)).status).toBe(404)
    expect((await shown(boss, id)).can).not.toContain('approve')
    for (let times = 0; times < 2; times++) expect((await approve(manager.caller, id, text)).status).toBe(200)
    expect(await statesOf(id)).toEqual(['approved', 'open'])
    // The step that the owner saw is over: nothing else is approved in its place.
    expect((await approve(boss, id, text)).status).toBe(200)
    expect(await statesOf(id)).toEqual(['approved', 'open'])
    expect((await shown(boss, id)).can).toContain('approve')
  })

  it('is approved in bulk at its open step, with a result of its own', async () => {
    const [one, two] = [await pending('One of two'), await pending('Two of two')]
    await approve(manager.caller, two.id)
    const bulk = (by: ApiClient) =>
      by.callOrThrow('reviewPosts', { body: { ids: [one.id, two.id], status: 'approved' } })
    const { results } = await bulk(boss)
    expect(results.map(({ done, sentence, post }) => [done, sentence, post?.status])).toEqual([
      [false, 'This step waits for the approval of other people.', 'pending'],
      [true, null, 'approved'],
    ])
    expect((await bulk(manager.caller)).results[0]).toMatchObject({ done: true, post: { status: 'pending' } })
  })

  it('keeps its copy when the policy changes, and a post that was pending before keeps none', async () => {
    await setPolicy({ ...twoSteps, steps: [], ownApproval: 'agency' })
    const before = await pending('Before the policy')
    await setPolicy(twoSteps)
    const under = await pending('Under the policy')
    await setPolicy({ ...twoSteps, steps: [] })
    expect((await approve(manager.caller, under.id)).status).toBe(200)
    expect(await statesOf(under.id)).toEqual(['approved', 'open'])
    expect(before.steps).toBeNull()
    await setPolicy(twoSteps)
    expect((await approve(manager.caller, before.id)).status).toBe(200)
    expect((await shown(boss, before.id)).status).toBe('approved')
  })

  it('loses its approvals with its text', async () => {
    const { id } = await pending('To be revised')
    await approve(manager.caller, id)
    await change(boss, id, { status: 'rejected', reason: 'Name the hours' })
    await change(writer.caller, id, { content: 'Revised, with hours' })
    await change(writer.caller, id, { status: 'pending' })
    expect(await statesOf(id)).toEqual(['open', 'waiting'])
  })

  it('is not approved at any step by its author where that is refused [S203]', async () => {
    const { id } = await pending('By a manager', manager.caller)
    await setPolicy({ ...twoSteps, ownApproval: 'refused' })
    const strict = await pending('By a manager, strictly', manager.caller)
    await setPolicy(twoSteps)
    expect(strict.steps?.[0]?.waitsFor).toEqual([second.memberId])
    expect((await approve(manager.caller, strict.id)).text).toContain('another member has to approve it')
    expect((await approve(second.caller, strict.id)).status).toBe(200)
    expect((await approve(manager.caller, id)).status).toBe(200)
  })
})

describe('A policy', () => {
  it('keeps drafts from being scheduled, in whichever way [S201]', async () => {
    const draft = await write(boss, 'A draft')
    expect(draft.can).toEqual(['edit', 'plan', 'submit', 'assign', 'delete'])
    const body = { socialAccountId: mine.accountId, content: 'Now', status: 'scheduled' }
    const csv = new Blob(['Content,Platform\nFrom a file,facebook\n'], { type: 'text/csv' })
    const imported = await boss.ask('importPosts', { params: params(), query: { status: 'scheduled' }, body: csv })
    const refusals = await Promise.all([
      change(boss, draft.id, { status: 'scheduled' }),
      boss.ask('publishPost', { params: { id: draft.id } }),
      boss.ask('writePost', { params: params(), body }),
    ])
    expect(refusals.map(({ status, text: said }) => [status, said])).toEqual(refusals.map(() => [409, needed]))
    const group = { ...body, posts: [{ socialAccountId: mine.accountId }] }
    const { results } = await boss.callOrThrow('writePostGroup', { params: params(), body: group })
    expect(results).toMatchObject([{ done: false, sentence: needed }])
    // A file has drafts and submissions only.
    expect(imported.status).toBe(400)
    expect((await boss.callOrThrow('listPosts', { params: params(), query: { status: 'scheduled' } })).length).toBe(0)
  })

  it('says so on cards and in the calendar', async () => {
    const { id } = await pending('On the card')
    const cards = await boss.tellAs('listAllPosts', 'card', { query: { status: 'pending' } })
    expect(cards.find((card) => card.id === id)?.steps).toMatchObject([{ name: 'Text', state: 'open' }, {}])
    const inTime = await write(writer.caller, 'On its day', {
      status: 'pending',
      scheduledFor: '2031-03-10T09:00:00Z',
    })
    const query = { view: 'month', month: '2031-03', drafts: 'true' }
    const { text: days } = await boss.ask('getCalendar', { query })
    expect(JSON.parse(days)).toMatchObject({ posts: [{ id: inTime.id, steps: [{ name: 'Text' }, {}] }] })
  })

  it('is set by owners and admins, and read by managers of the client alone [S200]', async () => {
    const set = (by: ApiClient) => by.ask('setApprovalPolicy', { params: params(), body: twoSteps })
    const get = (by: ApiClient) => by.ask('getApprovalPolicy', { params: params() })
    expect((await set(manager.caller)).status).toBe(403)
    expect((await get(writer.caller)).status).toBe(403)
    expect((await get(stranger.caller)).status).toBe(404)
    expect(await manager.caller.callOrThrow('getApprovalPolicy', { params: params() })).toEqual({
      ...twoSteps,
      remindAfterHours: [],
      ifSilent: { kind: 'wait' },
    })
    const another = await owner(server)
    expect([(await set(another)).status, (await get(another)).status]).toEqual([404, 404])
  })

  it('names only people who approve posts of the client', async () => {
    for (const { memberId } of [writer, stranger]) {
      const who = { kind: 'members' as const, memberIds: [memberId] }
      const body = { ...twoSteps, steps: [{ id: text, name: 'Text', who, need: 'any' as const }] }
      expect((await boss.ask('setApprovalPolicy', { params: params(), body })).status).toBe(409)
    }
  })

  it('is refused with a sentence that names the field', async () => {
    const body = { ...twoSteps, timePart: { kind: 'bound', minutes: 10_081 } }
    const { status, text: said } = await boss.ask('setApprovalPolicy', { params: params(), body })
    expect([status, said]).toEqual([400, 'Time part minutes: Choose 0 to 10,080 minutes'])
  })
})

describe('A step without approvers', () => {
  it('is found by the filter, and skipped by an owner or admin with a reason alone [S204]', async () => {
    const leaver = await memberOf(server, boss, 'manager', [mine.clientId])
    const who = { kind: 'members' as const, memberIds: [leaver.memberId] }
    await setPolicy({ ...twoSteps, steps: [{ id: text, name: 'Text', who, need: 'all' }] })
    const { id } = await pending('Waits for one')
    await setPolicy(twoSteps)
    const listed = async (by: ApiClient, waits: string) =>
      (await by.tellAll('listAllPosts', { query: { waits } })).map((post) => post.id)
    expect(await listed(leaver.caller, 'me')).toContain(id)
    expect(await listed(manager.caller, 'me')).not.toContain(id)
    expect(await listed(boss, 'nobody')).toEqual([])
    await boss.callOrThrow('removeMember', { params: { id: leaver.memberId }, body: { links: 'kept' } })
    expect(await listed(boss, 'nobody')).toEqual([id])
    expect((await shown(boss, id)).steps).toMatchObject([{ state: 'open', waitsFor: [] }])

    const skip = (by: ApiClient, body: object) => by.ask('skipStep', { params: { id, stepId: text }, body })
    expect((await skip(manager.caller, { reason: 'No' })).status).toBe(403)
    expect((await skip(boss, { reason: ' ' })).status).toBe(400)
    const skipped = JSON.parse((await skip(boss, { reason: 'Left the agency' })).text)
    expect(skipped).toMatchObject({ status: 'approved', steps: [{ state: 'skipped' }] })
    const history = await boss.callOrThrow('getPostHistory', { params: { id } })
    expect(history.find(({ type }) => type === 'PostStepSkipped')).toMatchObject({
      step: 'Text',
      data: { reason: 'Left the agency' },
    })
  })
})

describe('A step that is reassigned', () => {
  it('waits for the chosen people, of this post alone, and the history says why [S230]', async () => {
    const leaver = await memberOf(server, boss, 'manager', [mine.clientId])
    const who = { kind: 'members' as const, memberIds: [leaver.memberId] }
    await setPolicy({ ...twoSteps, steps: [{ id: text, name: 'Text', who, need: 'all' }] })
    const { id } = await pending('Waits for one who leaves')
    await setPolicy(twoSteps)
    await boss.callOrThrow('removeMember', { params: { id: leaver.memberId }, body: { links: 'kept' } })
    const reassign = (by: ApiClient, memberIds: readonly string[], reason = 'Left the agency') =>
      by.ask('reassignStep', { params: { id, stepId: text }, body: { memberIds, reason } })
    const chosen = [second.memberId, second.memberId]
    expect((await reassign(manager.caller, chosen)).status).toBe(403)
    expect((await reassign(boss, [])).text).toBe('Member ids: Choose at least one person')
    expect((await reassign(boss, chosen, ' ')).status).toBe(400)
    expect((await reassign(boss, [stranger.memberId])).status).toBe(409)
    expect((await reassign(await owner(server), chosen)).status).toBe(404)
    expect((await shown(boss, id)).can).toContain('reassign-step')
    for (let times = 0; times < 2; times++)
      expect(JSON.parse((await reassign(boss, chosen)).text)).toMatchObject({
        status: 'pending',
        steps: [{ reassigned: true, who: { memberIds: [second.memberId] }, waitsFor: [second.memberId] }],
      })
    expect((await approve(manager.caller, id)).status).toBe(409)
    expect((await approve(second.caller, id)).status).toBe(200)
    const history = await boss.callOrThrow('getPostHistory', { params: { id } })
    expect(history.filter(({ type }) => type === 'PostStepReassigned')).toMatchObject([
      { step: 'Text', data: { reason: 'Left the agency', memberIds: [second.memberId] } },
    ])
    expect((await shown(boss, id)).status).toBe('approved')
  })
})

describe('A bound time', () => {
  const bound: ApprovalPolicy = {
    steps: [{ id: text, name: 'Text', who: { kind: 'role', role: 'manager' }, need: 'any' }],
    ownApproval: 'agency',
    timePart: { kind: 'bound', minutes: 60 },
  }

  it('opens the steps again when the post moves further, and needs a new one when it has passed', async () => {
    await setPolicy(bound)
    const { id } = await write(writer.caller, 'At nine', { status: 'pending', scheduledFor: '2031-04-10T09:00:00Z' })
    const late = await write(writer.caller, 'Soon', {
      status: 'pending',
      scheduledFor: new Date(Date.parse(server.clock.now()) + 60_000).toISOString(),
    })
    await setPolicy(twoSteps)
    await approve(manager.caller, id)
    const moved = async (scheduledFor: string) => {
      await change(manager.caller, id, { scheduledFor })
      return shown(boss, id)
    }
    expect(await moved('2031-04-10T10:00:00Z')).toMatchObject({ status: 'approved' })
    expect(await moved('2031-04-10T10:01:00Z')).toMatchObject({ status: 'pending', steps: [{ state: 'open' }] })
    server.clock.advance(120_000)
    const { status, text: said } = await approve(manager.caller, late.id)
    expect([status, said]).toEqual([409, expect.stringContaining('Choose a new time')])
  })
})
