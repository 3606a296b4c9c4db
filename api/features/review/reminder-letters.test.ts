/**
 * What the people of a step that waits read, and what its post says of it.
 *
 * @module-tag long
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { MovableClock } from '../../core/clock.ts'
import type { ApiClient } from '../../http/client.ts'
import { memberOf, type Guest } from '../../testing/members.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { confirmedAddress, letter, lettersTo } from '../auth/test/letters.ts'
import { reviewedAgency, type Reviewed } from './test/helpers.ts'

const soon = { ...patience, interval: 20 }
const hour = 3_600_000
const stepId = '0195a000-0000-7000-8000-0000000000b1'
let server: TestServer
let mine: Reviewed
let boss: ApiClient
let bossEmail: string
let manager: Guest
let writer: Guest

beforeAll(async () => {
  server = await testServer({ PUBLISH_POLL_MS: '5' }, { clock: new MovableClock('2026-11-03T10:00:00.000Z') })
  mine = await reviewedAgency(server)
  boss = mine.caller
  bossEmail = await confirmedAddress(server, boss)
  manager = await memberOf(server, boss, 'manager', [mine.clientId])
  writer = await memberOf(server, boss, 'writer', [mine.clientId])
  await confirmedAddress(server, manager.caller)
})
afterAll(() => server.remove())

const params = () => ({ id: mine.clientId })
const setPolicy = (body: object) => boss.callOrThrow('setApprovalPolicy', { params: params(), body })
const pending = async (content: string) =>
  (
    await writer.caller.callOrThrow('writePost', {
      params: params(),
      body: { socialAccountId: mine.accountId, content, status: 'pending' },
    })
  ).id
const stepOf = async (id: string) => (await boss.callOrThrow('getPost', { params: { id } })).steps?.[0]
const base = { ownApproval: 'agency', timePart: { kind: 'free' }, remindAfterHours: [1, 2] }
const step = { id: stepId, name: 'Text', who: { kind: 'role', role: 'manager' }, need: 'all' }

describe('The people of a step that waits', () => {
  it('get a letter at each hour; at the last one the role may approve too [S232]', async () => {
    await setPolicy({ ...base, steps: [step], ifSilent: { kind: 'escalate', to: 'owner' } })
    const id = await pending('Autumn breads are back')
    expect(await stepOf(id)).toMatchObject({ reminded: null, escalatedTo: null })
    server.clock.advance(hour)
    const text = await letter(server, manager.email, /a post waits for your approval/)
    expect(text).toContain('at the step "Text" since 3 November:\n\n- Autumn breads are back\n')
    expect(text).toContain(`/content?client=${mine.clientId}`)
    await vi.waitFor(async () => expect(await stepOf(id)).toMatchObject({ reminded: { times: 1 } }), soon)
    expect((await boss.ask('changePost', { params: { id }, body: { status: 'approved' } })).status).toBe(409)

    server.clock.advance(hour)
    await letter(server, bossEmail, /a post waits for approval/)
    await vi.waitFor(
      async () => expect(await stepOf(id)).toMatchObject({ reminded: { times: 2 }, escalatedTo: 'owner' }),
      soon,
    )
    expect((await lettersTo(server, writer.email)).filter(({ subject }) => /waits/.test(subject))).toEqual([])
    const approved = await boss.callOrThrow('changePost', { params: { id }, body: { status: 'approved' } })
    expect(approved.status).toBe('approved')
    const history = await boss.callOrThrow('getPostHistory', { params: { id } })
    expect(history.slice(-5).map(({ type, step: name }) => [type, name])).toEqual([
      ['PostStepReminded', 'Text'],
      ['PostStepReminded', 'Text'],
      ['PostStepEscalated', 'Text'],
      ['PostStepApproved', 'Text'],
      ['PostApproved', undefined],
    ])
    const sent = (await lettersTo(server, manager.email)).filter(({ subject }) => /waits/.test(subject))
    expect(sent).toHaveLength(2)
    expect(JSON.stringify(sent.map(({ subject }) => subject))).not.toContain('Autumn')
  })

  it('are not said to be reminded while none of them has a confirmed address', async () => {
    const ifSilent = { kind: 'escalate', to: 'owner' }
    const who = { kind: 'members', memberIds: [(await memberOf(server, boss, 'manager', [mine.clientId])).memberId] }
    await setPolicy({ ...base, remindAfterHours: [1, 2], steps: [{ ...step, who }], ifSilent })
    const id = await pending('For a newcomer')
    server.clock.advance(hour)
    const reminders = async () =>
      (await boss.callOrThrow('getPostHistory', { params: { id } }))
        .filter(({ type }) => type === 'PostStepReminded')
        .map(({ data }) => data)
    await vi.waitFor(async () => expect(await reminders()).toMatchObject([{ unreached: true }]), soon)
    expect(await stepOf(id)).toMatchObject({ reminded: null })
    server.clock.advance(hour)
    await vi.waitFor(
      async () => expect(await stepOf(id)).toMatchObject({ reminded: { times: 1 }, escalatedTo: 'owner' }),
      soon,
    )
  })
})

describe("The client's people", () => {
  it('are told which letter has their link, and never the link again', async () => {
    const contact = await mine.contact('Cleo')
    const { tokens } = await mine.issue({ contacts: [contact.id], scope: { kind: 'pending' }, may: ['approve'] })
    await setPolicy({ ...base, steps: [{ ...step, name: 'The client', who: { kind: 'client' }, need: 'any' }] })
    const id = await pending('For Cleo')
    server.clock.advance(hour)
    const text = await letter(server, contact.email, /a post waits for your approval/)
    expect(text).toContain('Use the link in our letter of 3 November.')
    expect(text).not.toContain(tokens[0])
    expect(text).not.toContain('For Cleo')
    await vi.waitFor(async () => expect(await stepOf(id)).toMatchObject({ reminded: { times: 1 } }), soon)
  })

  it('can open a link for everyone, of which the team is told the truth', async () => {
    const policy = { ...base, steps: [{ ...step, name: 'The client', who: { kind: 'client' }, need: 'any' }] }
    const other = await reviewedAgency(server, boss)
    await boss.callOrThrow('setApprovalPolicy', { params: { id: other.clientId }, body: policy })
    await other.issue()
    const id = await other.submit('For everyone')
    server.clock.advance(hour)
    const text = await letter(server, bossEmail, /a post waits, and the client was not reminded/)
    expect(text).toContain('An open link shows it, but to no one by mail:\n\n- For everyone\n')
    expect(text).not.toContain('No review link')
    await vi.waitFor(async () => expect(await stepOf(id)).toMatchObject({ reminded: { times: 1 } }), soon)
  })
})
