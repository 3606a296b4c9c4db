/** Access control of every route: a route without a row here neither compiles nor passes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { agencyIdOf } from '../core/agency-id.ts'
import { routes, type RouteName } from '../contract/index.ts'
import { later } from '../core/clock.ts'
import { ApiClient } from './client.ts'
import {
  idsOf,
  misshapen,
  names,
  request,
  rows,
  thingAt,
  thingsOf,
  unknown,
  withIds,
  type Things,
} from '../testing/every-route.ts'
import { owner, signedUp, testServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let mine: ApiClient
let theirs: ApiClient
let homeless: ApiClient
let myThings: Things
let theirThings: Things

beforeAll(async () => {
  server = await testServer()
  mine = await owner(server)
  theirs = await owner(server)
  homeless = await signedUp(server)
  myThings = await thingsOf(mine, server)
  theirThings = await thingsOf(theirs, server)
})
afterAll(() => server.remove())

it('every route has a row', () => {
  expect(Object.keys(rows).sort()).toEqual([...names].sort())
})

describe('signed out', () => {
  it.each(names.filter((name) => routes[name].access !== 'public'))('%s answers 401 [S1, 6.2]', async (name) => {
    const { status, text } = await new ApiClient(server.url).ask(name, request(name, theirThings))
    expect({ status, text }).toEqual({ status: 401, text: 'Please sign in.' })
  })
})

describe('signed in without an agency', () => {
  it.each(names.filter((name) => routes[name].access === 'agency'))('%s answers 403 [6.4]', async (name) => {
    const { status } = await homeless.ask(name, request(name, theirThings))
    expect(status).toBe(403)
  })
})

describe("another agency's data", () => {
  it.each(withIds)('%s gets the same 404 as for an unknown id [S41, 6.7]', async (name) => {
    const foreign = await mine.ask(name, request(name, theirThings))
    const nothing = await mine.ask(name, request(name, unknown))
    expect(foreign.status).toBe(404)
    expect({ status: nothing.status, text: nothing.text }).toEqual({ status: foreign.status, text: foreign.text })
  })
  const oneForeign = withIds
    .flatMap((name) => idsOf(name).map((parameter) => [name, parameter] as const))
    .filter(([name]) => idsOf(name).length > 1)
  it.each(oneForeign)('%s gets a 404 when only %s is foreign [S42]', async (name, parameter) => {
    const thing = thingAt(name, parameter)
    const ask = (id: string) =>
      mine.ask(name, request(name, myThings, { [parameter]: id })).then(({ status, text }) => ({ status, text }))
    const foreign = await ask(theirThings[thing])
    expect(foreign.status).toBe(404)
    expect(await ask(unknown[thing])).toEqual(foreign)
  })
  it('is unchanged after all of this', async () => {
    expect(await theirs.callOrThrow('listSchedules', { params: { id: theirThings.clientId } })).toMatchObject([
      { isActive: true },
    ])
    expect((await theirs.callOrThrow('getPost', { params: { id: theirThings.postId } })).content).toBe('A secret plan')
    expect(await theirs.callOrThrow('listClients')).toHaveLength(1)
  })
  it('is in none of the lists', async () => {
    for (const name of ['listClients', 'listAnalytics', 'getCalendar'] as const) {
      const { text } = await mine.ask(name, { query: { month: '2026-03' } })
      expect(text).not.toContain(theirThings.clientId)
    }
  })
})

describe('malformed ids', () => {
  it.each(withIds)('%s gets a 400 or 404', async (name) => {
    const { status } = await mine.ask(name, request(name, misshapen))
    expect([400, 404]).toContain(status)
  })
})

describe("an auditor's link", () => {
  const asAuditor = names.filter((name) => routes[name].path.includes('{token}'))
  const issue = async (owner: ApiClient, scope: object) => {
    const { id, url } = await owner.callOrThrow('issueAuditorLink', {
      body: { label: 'Audit', scope, expiresAt: later(server.clock.now(), 3_600_000) },
    })
    return { id, token: url.split('/').at(-1) ?? '' }
  }
  const ask = (name: RouteName, things: Things, token: string) =>
    new ApiClient(server.url).ask(name, request(name, things, { token }))

  it.each(asAuditor)('of the right scope: %s answers 200', async (name) => {
    const { token } = await issue(mine, { kind: 'client', clientId: myThings.clientId })
    expect((await ask(name, myThings, token)).status).toBe(200)
  })
  it.each(asAuditor.filter((name) => idsOf(name).length > 0))(
    'of another client or another agency: %s gets the same 404 as for an unknown id [S70]',
    async (name) => {
      const { id: otherClient } = await mine.callOrThrow('addClient', { body: { name: 'Other brand' } })
      for (const { token } of [
        await issue(mine, { kind: 'client', clientId: otherClient }),
        await issue(theirs, { kind: 'agency' }),
      ]) {
        const { status, text } = await ask(name, myThings, token)
        expect(status).toBe(404)
        expect({ status, text }).toEqual(
          await ask(name, unknown, token).then((nothing) => ({ status: nothing.status, text: nothing.text })),
        )
      }
      await mine.callOrThrow('removeClient', { params: { id: otherClient } })
    },
  )
  it.each(asAuditor)('revoked or altered opens nothing: %s [S71]', async (name) => {
    const { id, token } = await issue(mine, { kind: 'agency' })
    const [header = '', claims = '', signature = ''] = token.split('~')
    const written = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const carried = z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.from(claims, 'base64url').toString()))
    const wider = written({ ...carried, agency: agencyIdOf('another') })
    for (const changed of [
      `${header}~${wider}~${signature}`,
      `${header}~${claims}~`,
      `${written({ alg: 'none' })}~${claims}~`,
    ]) {
      expect((await ask(name, myThings, changed)).status).toBe(404)
    }
    await mine.callOrThrow('revokeAuditorLink', { params: { id } })
    expect((await ask(name, myThings, token)).status).toBe(403)
  })
  it.each(names.filter((name) => routes[name].access !== 'public'))('is no session: %s [S73]', async (name) => {
    const { token } = await issue(mine, { kind: 'agency' })
    const holder = new ApiClient(server.url)
    holder.cookie = `socialai=${token}`
    expect(
      (await holder.ask(name, { ...request(name, myThings), headers: { Authorization: `Bearer ${token}` } })).status,
    ).toBe(401)
  })
})

describe('an expired or ended session', () => {
  it('is invalid after signing out, even with the old cookie [S5]', async () => {
    const caller = await signedUp(server)
    const { cookie } = caller
    await caller.ask('logout')
    const replay = new ApiClient(server.url)
    replay.cookie = cookie
    expect((await replay.ask('getUser')).status).toBe(401)
  })
  it('is invalid with a forged cookie', async () => {
    const forger = new ApiClient(server.url)
    forger.cookie = 'socialai=Fe26.2*1*0*0*0*0*0*0'
    expect((await forger.ask('getUser')).status).toBe(401)
  })
})

describe('expiry', () => {
  let late: TestServer
  let owned: ApiClient
  let things: Things
  beforeAll(async () => {
    late = await testServer()
    owned = await owner(late)
    things = await thingsOf(owned, late)
    late.clock.advance(8 * 86_400_000)
  })
  afterAll(() => late.remove())

  const closed: readonly RouteName[] = [
    'addClient',
    'writePost',
    'publishPost',
    'importPosts',
    'generateContent',
    'releaseHeldPosts',
    'inviteMember',
    'resendInvitation',
    'issueReviewLink',
  ]
  // Deletions come last; the live-update stream never ends and is left out.
  const removals: readonly RouteName[] = ['deletePost', 'removeSchedule', 'disconnectSocialAccount', 'removeClient']
  const asked = names.filter((name) => routes[name].access === 'agency' && name !== 'getNews')
  it.each([...asked.filter((name) => !removals.includes(name)), ...removals])('of the trial: %s', async (name) => {
    const { status, text } = await owned.ask(name, request(name, things))
    if (closed.includes(name))
      expect({ status, text }).toEqual({
        status: 402,
        text: 'Your free trial has ended. Add a payment method to continue.',
      })
    else expect([200, 201, 204, 302, 400, 404, 409, 415, 503]).toContain(status)
  })
  it('of the session: every route that needs one answers 401 [S4]', { tags: 'long' }, async () => {
    late.clock.advance(7 * 86_400_000)
    for (const name of names.filter((each) => routes[each].access !== 'public')) {
      const { status, text } = await owned.ask(name, request(name, things))
      expect({ name, status, text }).toEqual({ name, status: 401, text: 'Please sign in.' })
    }
  })
  it("of the auditor's link: it opens nothing", async () => {
    const renewed = await owner(late)
    const { url } = await renewed.callOrThrow('issueAuditorLink', {
      body: { label: 'Audit', expiresAt: later(late.clock.now(), 3_600_000) },
    })
    late.clock.advance(3_601_000)
    const { status } = await new ApiClient(late.url).ask('openAuditorLink', {
      params: { token: url.split('/').at(-1) ?? '' },
    })
    expect(status).toBe(403)
  })
})
