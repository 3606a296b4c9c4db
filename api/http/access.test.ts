/** Access by role and client: each route, for each role, with a client that is theirs and one that isn't. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAtLeast, memberRoles, type MemberRole } from '../../domain/agency/roles.ts'
import { routes, type Route, type RouteName } from '../contract/index.ts'
import { idsOf, names, request, rows, thingsOf, unknown, type Things } from '../testing/every-route.ts'
import { memberOf } from '../testing/members.ts'
import { owner, testServer, type TestServer } from '../testing/server.ts'
import type { ApiClient } from './client.ts'

let server: TestServer
let boss: ApiClient
/** Of a client that every member works for, and of one that none but owner and admin do. */
let inside: Things
let outside: Things
const callers = new Map<MemberRole, ApiClient>()

beforeAll(async () => {
  server = await testServer()
  boss = await owner(server)
  inside = await thingsOf(boss, server)
  outside = await thingsOf(boss, server)
  callers.set('owner', boss)
  callers.set('admin', (await memberOf(server, boss, 'admin')).caller)
  for (const role of ['manager', 'writer', 'viewer'] as const)
    callers.set(role, (await memberOf(server, boss, role, [inside.clientId])).caller)
})
afterAll(() => server.remove())

const callerOf = (role: MemberRole): ApiClient => {
  const caller = callers.get(role)
  if (!caller) throw new Error(`No ${role}`)
  return caller
}
const isLimited = (role: MemberRole) => !isAtLeast(role, 'admin')

/** What would end a member or a thing that later rows need comes last, by the owner alone. */
const endings: readonly RouteName[] = ['leaveTeam', 'removeMember', 'removeClient', 'acceptOwnership']
const ofAgency = names.filter((name) => routes[name].access === 'agency' && name !== 'getNews')
const rank = (role: MemberRole) => memberRoles.length - memberRoles.indexOf(role)
const needsOf = (name: RouteName): MemberRole => (routes[name] as Route).needs ?? 'owner'
let walked = 0

/** Refused by the role alone: the request itself is a valid one. */
const tooLow = ofAgency.flatMap((name) =>
  memberRoles.filter((role) => rank(role) < rank(needsOf(name))).map((role) => [name, role] as const),
)
/** Roles that may, on things of another client: the answer of unknown things. */
const ofClients = ofAgency.filter((name) => {
  const { client } = routes[name] as { readonly client?: unknown }
  return client !== 'agency' && client !== 'list' && idsOf(name).length > 0
})
const outOfScope = ofClients.flatMap((name) =>
  memberRoles.filter((role) => isLimited(role) && isAtLeast(role, needsOf(name))).map((role) => [name, role] as const),
)
const allowed = ofAgency
  .filter((name) => !endings.includes(name))
  .toSorted((a, b) => Number(changes(a)) - Number(changes(b)))
  .flatMap((name) => memberRoles.filter((role) => isAtLeast(role, needsOf(name))).map((role) => [name, role] as const))

function changes(name: RouteName): boolean {
  return /^(delete|remove|disconnect|withdraw)/.test(name)
}

describe('a role below the least one', () => {
  it.each(tooLow)('%s refuses a %s [S150]', async (name, role) => {
    walked += 1
    const { status, text } = await callerOf(role).ask(name, request(name, inside))
    expect({ status, text }).toEqual({ status: 403, text: "Your role doesn't allow that." })
  })
})

describe("another member's client", () => {
  it.each(outOfScope)('%s answers a %s as for an unknown one [S151]', async (name, role) => {
    walked += 1
    const hidden = await callerOf(role).ask(name, request(name, outside))
    const nothing = await callerOf(role).ask(name, request(name, unknown))
    expect(hidden.status).toBe(404)
    expect({ status: hidden.status, text: hidden.text }).toEqual({ status: nothing.status, text: nothing.text })
  })

  const lists = ofAgency.filter((name) => routes[name].method === 'GET' && needsOf(name) === 'viewer')
  it.each(lists)('%s names nothing of it', async (name) => {
    walked += 1
    const { text } = await callerOf('viewer').ask(name, request(name, inside))
    for (const id of [outside.clientId, outside.postId, outside.accountId, outside.scheduleId])
      expect(text).not.toContain(id)
  })
})

describe('the least role or a higher one', () => {
  it.each(allowed)('%s lets a %s', async (name, role) => {
    walked += 1
    const { status, text } = await callerOf(role).ask(name, request(name, inside))
    // Refusals by rights on single posts have sentences of their own.
    if (status === 403) expect(text).not.toBe("Your role doesn't allow that.")
    // Gone, because a higher role did it before, or refused by another rule.
    expect([200, 201, 204, 302, 400, 403, 404, 409, 415, 503]).toContain(status)
  })
})

it('walks every route of an agency', () => {
  expect(walked).toBe(
    tooLow.length +
      outOfScope.length +
      allowed.length +
      ofAgency.filter((name) => routes[name].method === 'GET' && needsOf(name) === 'viewer').length,
  )
  expect(
    new Set([...tooLow, ...allowed].map(([name]) => name)).size +
      endings.filter((name) => !tooLow.some(([each]) => each === name)).length,
  ).toBe(ofAgency.length)
  expect(Object.keys(rows)).toHaveLength(names.length)
  process.stdout.write(`${walked} combinations of route, role and scope\n`)
})
