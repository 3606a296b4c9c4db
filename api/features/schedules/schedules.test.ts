/** Posting schedules over HTTP: creating, previewing and changing them, and their effect on a client's posts. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import type { ApiClient } from '../../http/client.ts'
import { later, MovableClock } from '../../core/clock.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'
import { startTestAi, type TestAi } from '../writer/test/fake-openai.ts'
import { slotsWithin } from './slots.ts'

const day = 86_400_000
let server: TestServer
let ai: TestAi
let caller: ApiClient
let clientId: string
let accountId: string

beforeAll(async () => {
  ai = await startTestAi()
  server = await testServer({ ...ai.env }, { clock: new MovableClock('2026-03-27T10:00:00.000Z') })
})
beforeEach(async () => {
  ai.forget()
  caller = await owner(server)
  ;({ clientId, accountId } = await brand(caller))
})
afterAll(async () => {
  await server.remove()
  await ai.close()
})

const daily = { frequency: 'daily', preferredTimes: [{ day: 'every', time: '02:30' }] } as const
const ofClient = () => ({ params: { id: clientId } })
const bodyOf = (rules: object = {}) => ({ socialAccountId: accountId, ...daily, ...rules })
const add = (rules: object = {}) => caller.callOrThrow('addSchedule', { ...ofClient(), body: bodyOf(rules) })
const change = (id: string, body: object) => caller.callOrThrow('changeSchedule', { params: { id }, body })
const list = () => caller.callOrThrow('listSchedules', ofClient())
const posts = () => caller.callOrThrow('listPosts', ofClient())
const within = <T>(assertion: () => Promise<T>) => vi.waitFor(assertion, { ...patience, interval: 20 })
const filled = (count = 7) => within(async () => expect(await posts()).toHaveLength(count))

describe('A new schedule', () => {
  it('has the specified fields and defaults, and its next seven slots in the agency’s zone', async () => {
    const schedule = await add()
    expect(schedule).toMatchObject({
      clientId,
      socialAccountId: accountId,
      ...daily,
      postsPerWeek: 3,
      contentTopics: [],
      isActive: true,
      revision: 0,
    })
    expect(schedule.slots.map(({ at, moved }) => [at, moved])).toEqual([
      ['2026-03-28T01:30:00.000Z', undefined],
      ['2026-03-29T01:00:00.000Z', true],
      ...['30', '31'].map((date) => [`2026-03-${date}T00:30:00.000Z`, undefined]),
      ...['01', '02', '03'].map((date) => [`2026-04-${date}T00:30:00.000Z`, undefined]),
    ])
  })
  it('fills its slots with posts pending review', { tags: 'long' }, async () => {
    await add()
    await filled()
    const [schedule] = await list()
    expect(schedule?.slots).toHaveLength(7)
    const written = await posts()
    for (const { at, state, postId, status } of schedule?.slots ?? []) {
      expect({ at, state, status, postId }).toEqual({
        at,
        state: 'planned',
        status: 'pending',
        postId: written.find(({ scheduledFor }) => scheduledFor === at)?.id,
      })
    }
    expect(schedule?.untouchedPosts).toBe(7)
  })
  it('is created once for repeated requests with the same key', { tags: 'long' }, async () => {
    const headers = { 'Idempotency-Key': `key-${clientId}` }
    const [one, two] = [
      await caller.callOrThrow('addSchedule', { ...ofClient(), body: bodyOf(), headers }),
      await caller.callOrThrow('addSchedule', { ...ofClient(), body: bodyOf(), headers }),
    ]
    expect(two.id).toBe(one.id)
    expect(await list()).toHaveLength(1)
  })
  it('is the only one of its account', async () => {
    await add()
    const { status, text } = await caller.ask('addSchedule', { ...ofClient(), body: bodyOf() })
    expect({ status, text }).toEqual({ status: 409, text: 'This account has a posting schedule already.' })
  })
  it.each([
    [{ preferredTimes: [] }, 'Preferred times: Add at least one time'],
    [{ preferredTimes: [{ day: 'every', time: '9 am' }] }, 'Preferred times 0 time: Enter a time like 09:00'],
    [
      { preferredTimes: [{ day: 7, time: '09:00' }] },
      'Preferred times 0 day: Choose a day from 0 (Sunday) to 6, or every',
    ],
    [
      { preferredTimes: [{ day: 'monday', time: '09:00' }] },
      'Preferred times 0 day: Choose a day from 0 (Sunday) to 6, or every',
    ],
    [{ frequency: 'hourly' }, 'Frequency: Choose one of: daily, weekly, custom'],
    [{ postsPerWeek: 0 }, 'Posts per week: Choose at least one post a week'],
    [{ frequency: undefined }, 'Frequency: Required'],
  ])('is refused with an explanation for %j', async (rules, sentence) => {
    const { status, text } = await caller.ask('addSchedule', { ...ofClient(), body: bodyOf(rules) })
    expect({ status, text }).toEqual({ status: 400, text: sentence })
  })
})

describe('A preview', () => {
  it('saves nothing, and shows which post takes a time', async () => {
    await caller.callOrThrow('writePost', {
      ...ofClient(),
      body: { socialAccountId: accountId, content: 'By hand', scheduledFor: '2026-03-28T01:30:00.000Z' },
    })
    const [first, second] = await caller.callOrThrow('previewSchedule', { ...ofClient(), body: bodyOf() })
    expect(first).toMatchObject({ state: 'taken', status: 'draft' })
    expect(second).toEqual({ at: '2026-03-29T01:00:00.000Z', state: 'free', moved: true })
    expect(await list()).toEqual([])
  })
  it('of changed rules treats the slots of its own withdrawn posts as free', async () => {
    await add()
    await filled()
    const slots = await caller.callOrThrow('previewSchedule', {
      ...ofClient(),
      body: bodyOf({ contentTopics: ['News'] }),
    })
    expect(new Set(slots.map(({ state }) => state))).toEqual(new Set(['free']))
  })
})

describe('A schedule', () => {
  it('keeps the fields that a change leaves out', async () => {
    const { id } = await add({ contentTopics: ['News'], postsPerWeek: 5 })
    expect(await change(id, { frequency: 'custom' })).toMatchObject({
      ...daily,
      frequency: 'custom',
      contentTopics: ['News'],
      postsPerWeek: 5,
      revision: 1,
    })
    expect(await change(id, {})).toMatchObject({ revision: 1 })
  })
  it('is changed only at the revision sent in If-Match', async () => {
    const { id } = await add()
    const change = (revision: number, body: object) =>
      caller.ask('changeSchedule', { params: { id }, body, headers: { 'If-Match': `"${revision}"` } })
    expect(await change(0, { postsPerWeek: 5 })).toMatchObject({ status: 200 })
    const late = await change(0, { postsPerWeek: 2, isActive: false })
    expect(late).toMatchObject({
      status: 412,
      text: 'Somebody changed this meanwhile. Refresh to see the latest version.',
    })
    expect((await change(0, { isActive: false })).status).toBe(412)
    expect((await list())[0]).toMatchObject({ postsPerWeek: 5, revision: 1, isActive: true })
    // The effect of a repeated request already holds.
    expect((await change(0, { postsPerWeek: 5 })).status).toBe(200)
    const next = await change(1, { postsPerWeek: 2, isActive: false })
    expect([next.status, next.headers.get('etag')]).toEqual([200, '"2"'])
  })
  it('replaces its posts when it is changed', { tags: 'long' }, async () => {
    const { id } = await add()
    await filled()
    const before = (await posts()).map((post) => post.id)
    await change(id, { contentTopics: ['Something else'] })
    await within(async () => {
      const now = await posts()
      expect(now).toHaveLength(7)
      expect(now.filter((post) => before.includes(post.id))).toEqual([])
    })
  })
  it('is paused and resumed', async () => {
    const { id } = await add()
    expect(await change(id, { isActive: false })).toMatchObject({ isActive: false, revision: 0 })
    expect(await change(id, { isActive: true })).toMatchObject({ isActive: true, revision: 0 })
  })
  it('is removed together with the posts that no user has edited', { tags: 'long' }, async () => {
    const { id } = await add()
    await filled()
    const [touched] = await posts()
    await caller.callOrThrow('changePost', { params: { id: touched?.id ?? '' }, body: { status: 'approved' } })
    expect((await list())[0]?.untouchedPosts).toBe(6)
    await caller.callOrThrow('removeSchedule', { params: { id } })
    expect(await list()).toEqual([])
    await within(async () => expect((await posts()).map((post) => post.id)).toEqual([touched?.id]))
    expect((await caller.ask('removeSchedule', { params: { id } })).status).toBe(404)
  })
})

describe('A slot whose post could not be written', () => {
  it('says why, and is retried on request', async () => {
    ai.next(...Array.from({ length: 3 }, () => ({ does: 'refuse' }) as const))
    const { id } = await add({ frequency: 'custom', preferredTimes: [{ day: 0, time: '12:00' }] })
    const failed = await within(async () => {
      const slot = (await list())[0]?.slots[0]
      expect(slot).toMatchObject({ state: 'failed', cause: expect.stringContaining('declined to write this') })
      return slot
    })
    // The planner retries at once, and would be declined before the answer is read.
    ai.forget()
    const retried = await caller.callOrThrow('retrySlots', { params: { id }, body: { slots: [failed?.at ?? ''] } })
    expect(retried.slots[0]?.state).not.toBe('failed')
  })
})

describe('A week of more than seven posts', () => {
  it('lists each that could not be written, and retries them all', { tags: 'long' }, async () => {
    const { id } = await add({ frequency: 'custom', preferredTimes: [{ day: 0, time: '12:00' }] })
    await filled(1)
    const three = ['08:00', '13:00', '17:00'].map((time) => ({ day: 'every' as const, time }))
    await change(id, { isActive: false })
    const { revision, ...rules } = await change(id, { preferredTimes: three })
    const week = slotsWithin(rules, server.clock.now(), later(server.clock.now(), 7 * day), 'Europe/Berlin')
    const { id: agencyId } = await caller.callOrThrow('getAgency')
    for (const { at: slot } of week)
      await server.commands.client(
        clientId,
        { type: 'RecordPlanningFailed', scheduleId: id, revision, slot, cause: 'The AI declined.' },
        { actor: { type: 'process', id: 'planner' }, agencyId, correlationId: 'failing' },
      )
    const failures = (await list())[0]?.failures ?? []
    expect(failures).toEqual(week.map(({ at }) => ({ at, cause: 'The AI declined.' })))
    expect(failures).toHaveLength(21)
    const retried = await caller.callOrThrow('retrySlots', {
      params: { id },
      body: { slots: failures.map(({ at }) => at) },
    })
    expect(retried.failures).toEqual([])
    await change(id, { isActive: true })
    await filled(21)
  })
})

describe('A slot whose post a user has', () => {
  const slots = async () => (await list())[0]?.slots ?? []
  const planned = async () => {
    await add()
    await filled()
    const [first] = await slots()
    return first?.postId ?? ''
  }
  const act = (id: string, body: object) => caller.callOrThrow('changePost', { params: { id }, body })

  it('deleted says so, and gets no other post', { tags: 'long' }, async () => {
    await caller.callOrThrow('deletePost', { params: { id: await planned() } })
    expect((await slots()).map(({ state }) => state)).toEqual([
      'deleted',
      ...Array.from({ length: 6 }, () => 'planned'),
    ])
  })
  it('moved names the new time', async () => {
    const id = await planned()
    await act(id, { status: 'approved' })
    await act(id, { scheduledFor: '2026-04-20T07:00:00.000Z' })
    expect((await slots())[0]).toMatchObject({
      state: 'moved-away',
      movedTo: '2026-04-20T07:00:00.000Z',
      postId: id,
      status: 'approved',
    })
  })
  it('rejected says so, and names the new time once it is moved as a draft', { tags: 'long' }, async () => {
    const id = await planned()
    await act(id, { status: 'rejected' })
    expect((await slots())[0]).toMatchObject({ state: 'planned', status: 'rejected' })
    await act(id, { content: 'Better.' })
    await act(id, { scheduledFor: '2026-04-20T07:00:00.000Z' })
    expect((await slots())[0]).toMatchObject({ state: 'moved-away', status: 'draft' })
  })
})

describe('After the trial has ended', () => {
  it('nothing new is planned, but pausing and removing work', async () => {
    const { id } = await add()
    await change(id, { isActive: false })
    server.clock.advance(8 * day)
    for (const [name, body] of [
      ['changeSchedule', { isActive: true }],
      ['changeSchedule', { postsPerWeek: 5 }],
    ] as const) {
      expect((await caller.ask(name, { params: { id }, body })).status).toBe(402)
    }
    expect((await caller.ask('changeSchedule', { params: { id }, body: { isActive: false } })).status).toBe(200)
    await caller.callOrThrow('removeSchedule', { params: { id } })
    expect((await caller.ask('addSchedule', { ...ofClient(), body: bodyOf() })).status).toBe(402)
  })
})
