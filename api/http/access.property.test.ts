/**
 * Random members act, and are changed, removed and limited meanwhile: each answer follows from a small model.
 *
 * @module-tag sampled
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sample, seedOr } from '../../domain/test/sample.ts'
import { givenRoles, isAtLeast, type GivenRole } from '../contract/index.ts'
import { memberOf, type Guest } from '../testing/members.ts'
import { brand, owner, testServer, type TestServer } from '../testing/server.ts'
import type { ApiClient } from './client.ts'

const people = 4
const brands = 3

let server: TestServer
let boss: ApiClient

interface Person extends Guest {
  role: GivenRole
  /** Indexes of the clients; null: all. */
  clients: readonly number[] | null
}
interface Things {
  readonly clientId: string
  readonly postId: string
}

beforeAll(async () => {
  server = await testServer()
  boss = await owner(server)
})
afterAll(() => server.remove())

const who = fc.nat(people - 1)
const which = fc.nat(brands - 1)
const step = fc.oneof(
  fc.record({
    act: fc.constant('change' as const),
    who,
    role: fc.constantFrom(...givenRoles),
    clients: fc.option(fc.subarray([0, 1, 2], { minLength: 1 })),
  }),
  { weight: 2, arbitrary: fc.record({ act: fc.constant('list' as const), who }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('posts' as const), who }) },
  fc.record({ act: fc.constant('read' as const), who, which }),
  fc.record({ act: fc.constant('edit' as const), who, which }),
  fc.record({ act: fc.constant('revise' as const), who, which }),
  fc.record({ act: fc.constant('invite' as const), who }),
)

it('members see and do what role and clients allow, at every moment', async () => {
  const things: Things[] = []
  for (let index = 0; index < brands; index++) {
    const { clientId, accountId } = await brand(boss)
    const body = { socialAccountId: accountId, content: `Post ${index}` }
    things.push({ clientId, postId: (await boss.callOrThrow('writePost', { params: { id: clientId }, body })).id })
  }
  const team: Person[] = []
  for (let index = 0; index < people; index++)
    team.push({ ...(await memberOf(server, boss, 'viewer')), role: 'viewer', clients: null })
  const seen = new Map<string, number>()
  const scopeOf = ({ role, clients }: Person) => (isAtLeast(role, 'admin') || clients === null ? [0, 1, 2] : clients)
  const idsOf = (ids: readonly string[]) => ids.toSorted()

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
      for (const each of steps) {
        const person = team[each.who]
        if (!person) throw new Error('No such person')
        const { caller, role } = person
        const scope = scopeOf(person)
        const thing = 'which' in each ? things[each.which] : undefined
        const isTheirs = 'which' in each && scope.includes(each.which)
        const expected = (least: GivenRole, good: number) => (!isAtLeast(role, least) ? 403 : isTheirs ? good : 404)
        const params = { id: thing?.postId ?? '' }
        let status = 200
        switch (each.act) {
          case 'change': {
            const clients = each.clients === null || isAtLeast(each.role, 'admin') ? null : each.clients
            const ids = clients?.map((index) => things[index]?.clientId ?? '') ?? 'all'
            await boss.callOrThrow('changeMember', {
              params: { id: person.memberId },
              body: { role: each.role, clients: ids },
            })
            Object.assign(person, { role: each.role, clients })
            break
          }
          case 'list': {
            const found = await caller.callOrThrow('listClients')
            expect(idsOf(found.map(({ id }) => id))).toEqual(idsOf(scope.map((index) => things[index]?.clientId ?? '')))
            break
          }
          case 'posts': {
            const found = await caller.tellAs('listAllPosts', 'card', {})
            expect(idsOf(found.map(({ id }) => id))).toEqual(idsOf(scope.map((index) => things[index]?.postId ?? '')))
            break
          }
          case 'read':
            status = (await caller.ask('getPost', { params })).status
            expect(status).toBe(expected('viewer', 200))
            break
          case 'edit': {
            const body = { content: `Words ${seen.size} ${Math.random()}` }
            status = (await caller.ask('changePost', { params, body })).status
            expect(status).toBe(expected('writer', 200))
            break
          }
          case 'revise': {
            const body = { industry: `Industry ${Math.random()}` }
            status = (await caller.ask('reviseClient', { params: { id: thing?.clientId ?? '' }, body })).status
            expect(status).toBe(expected('manager', 200))
            break
          }
          case 'invite': {
            // The role allows it, and the address is refused: no invitation is made.
            status = (await caller.ask('inviteMember', { body: { email: 'x', role: 'viewer', clients: 'all' } })).status
            expect(status).toBe(isAtLeast(role, 'admin') ? 400 : 403)
            break
          }
        }
        const kind = `${each.act} ${role} ${status}`
        seen.set(kind, (seen.get(kind) ?? 0) + 1)
      }
    }),
    { seed: seedOr(11), numRuns: sample('PROPERTY_RUNS', { test: 4, long: 40 }), endOnFailure: true },
  )
  expect(seen.size).toBeGreaterThan(20)
}, 60_000)
