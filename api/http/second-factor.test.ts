/**
 * An agency that requires a second factor: who needs one by when, and what answers those without one.
 *
 * @module-tag long
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import { routes, type Route, type RouteName } from '../contract/index.ts'
import { later } from '../core/clock.ts'
import { password } from '../features/auth/test/helpers.ts'
import { codeOf } from '../features/auth/test/second-factor.ts'
import { letter, tokenIn } from '../features/auth/test/letters.ts'
import { names, request, unknown } from '../testing/every-route.ts'
import { memberOf, type Guest } from '../testing/members.ts'
import { listen, type Listening } from '../features/live-updates/test/helpers.ts'
import { owner, testServer, type TestServer } from '../testing/server.ts'
import type { ApiClient } from './client.ts'

const day = 86_400_000
let server: TestServer
let boss: ApiClient
let early: ApiClient
let walking: ApiClient
let waiting: Guest
let stream: Listening
beforeAll(async () => {
  server = await testServer()
  boss = await owner(server)
  // Before the trial ends, with which invitations do.
  early = (await memberOf(server, boss, 'writer')).caller
  walking = (await memberOf(server, boss, 'admin')).caller
  waiting = await memberOf(server, boss, 'viewer')
})
afterAll(() => server.remove())

const require = (isRequired: boolean) => boss.ask('requireSecondFactor', { body: { isRequired } })
const dueAt = async (caller: ApiClient) => (await caller.callOrThrow('getAgency')).secondFactorDueAt
const isOverdue = async (caller: ApiClient) => (await caller.callOrThrow('getAgency')).isSecondFactorOverdue
const isHeldBack = ({ status, text }: { readonly status: number; readonly text: string }) =>
  status === 403 && text.includes('/problems/second-factor-missing')
const headers = { Accept: 'application/problem+json' }

/** @param nth of the letters that confirm the address */
async function addApp(caller: ApiClient, nth = 1): Promise<void> {
  const { email } = await caller.callOrThrow('getUser')
  await caller.callOrThrow('askAddressLink')
  const token = tokenIn(await letter(server, email, /^Confirm your email address/, nth))
  await caller.callOrThrow('confirmAddress', { body: { token } })
  const { secret } = await caller.callOrThrow('beginTotp', { body: { password } })
  await caller.callOrThrow('confirmTotp', { body: { code: codeOf(server, secret) } })
}

it('names the date to each member without a factor, seven days on, and later for those who join later', async () => {
  expect(await dueAt(early)).toBeNull()
  await require(true)
  const since = (await boss.callOrThrow('getAgency')).secondFactorSince ?? ''
  const due = later(since, 7 * day)
  expect([await dueAt(boss), await dueAt(early)]).toEqual([due, due])
  server.clock.advance(2 * day)
  const before = server.clock.now()
  const late = (await memberOf(server, boss, 'viewer')).caller
  const joined = Date.parse((await dueAt(late)) ?? '') - 7 * day
  expect(joined).toBeGreaterThanOrEqual(Date.parse(before))
  expect(joined).toBeLessThanOrEqual(Date.parse(server.clock.now()))
  expect((await early.ask('getTeam')).status).toBe(200)
  stream = await listen(early)
  await addApp(boss)
  expect(await dueAt(boss)).toBeNull()
  server.clock.advance(5 * day)
  expect([(await boss.ask('getTeam')).status, (await late.ask('getTeam')).status]).toEqual([200, 200])
  const refused = await early.ask('getTeam', { headers })
  expect([isHeldBack(refused), refused.headers.get('X-Second-Factor')]).toEqual([true, 'missing'])
  expect([await isOverdue(early), await isOverdue(late), await isOverdue(boss)]).toEqual([true, false, false])
  server.clock.advance(2 * day + 60_000)
  expect(isHeldBack(await late.ask('getTeam', { headers }))).toBe(true)
})

it('ends the live updates that were open before', async () => {
  let ended = false
  void stream.ended.then(() => (ended = true))
  // After a change of a member's role, the agency's streams are judged at once; without one it takes 20 seconds.
  const body = { role: 'writer', clients: 'all' } as const
  await boss.callOrThrow('changeMember', { params: { id: waiting.memberId }, body })
  await expect.poll(() => ended, patience).toBe(true)
})

/** What a member may do all the same; whatever is not here is refused. */
const answering: readonly RouteName[] = [
  'getUser',
  'getAgency',
  'listAgencies',
  'chooseAgency',
  'getFactors',
  'askAddressLink',
  'confirmAddress',
  'changeEmail',
  'beginTotp',
  'confirmTotp',
  'beginPasskey',
  'addPasskey',
  'linkOidc',
  'confirmWithOidc',
  'listSessions',
  'endSession',
  'endOtherSessions',
  'leaveTeam',
  'signOutEverywhere',
]

it('then lets those members add a factor, sign out, switch and leave, and refuses every other route [S170]', async () => {
  const guarded = names.filter((name) => routes[name].access !== 'public')
  expect(guarded.filter((name) => (routes[name] as Route).beforeFactor).toSorted()).toEqual(answering.toSorted())
  const held = new Set<RouteName>()
  for (const name of guarded.filter((each) => !answering.includes(each))) {
    const reply = await walking.ask(name, { ...request(name, unknown), headers })
    if (isHeldBack(reply)) held.add(name)
    else expect({ name, status: reply.status, text: reply.text }).toBeNull()
  }
  expect(held.size).toBe(guarded.length - answering.length)
  for (const name of answering.slice(0, 12))
    expect({ name, isHeld: isHeldBack(await walking.ask(name, { ...request(name, unknown), headers })) }).toEqual({
      name,
      isHeld: false,
    })
  // Letters may overtake each other: the walk's comes first, and only then the one whose link works.
  await letter(server, (await walking.callOrThrow('getUser')).email, /^Confirm your email address/)
  await addApp(walking, 2)
  expect((await walking.ask('getTeam')).status).toBe(200)
})

it('no longer holds members back once the owner lifts the requirement', async () => {
  const { caller } = waiting
  expect((await caller.ask('getTeam')).status).toBe(403)
  await require(false)
  expect([(await caller.ask('getTeam')).status, await dueAt(caller)]).toEqual([200, null])
})
