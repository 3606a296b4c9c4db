/** Who may ask what, for every route there is: a route without a row here doesn't compile, and fails. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes, type RouteName } from './contract/index.ts'
import { later } from './clock.ts'
import { Caller } from './caller.ts'
import { brand, owner, signedUp, testServer, type TestServer } from './testing.ts'

interface Things {
  readonly clientId: string
  readonly accountId: string
  readonly postId: string
  readonly linkId: string
  readonly scheduleId: string
}

interface Row {
  /** What each id in the path is of. */
  readonly params?: Readonly<Record<string, keyof Things>>
  /** Ids in the query or the body, and what they are of. */
  readonly query?: Readonly<Record<string, keyof Things>>
  readonly ids?: Readonly<Record<string, keyof Things>>
  /** The rest of a valid request. */
  readonly body?: Readonly<Record<string, unknown>>
  /** What is sent as it is. */
  readonly file?: Blob
  readonly fixed?: Readonly<Record<string, string>>
}

const client = { params: { id: 'clientId' } } as const
const account = { params: { id: 'accountId' } } as const
const schedule = { params: { id: 'scheduleId' } } as const
const daily = { frequency: 'daily', preferredTimes: [{ day: 'every', time: '09:00' }] } as const
const post = { params: { id: 'postId' } } as const

const rows: Readonly<Record<RouteName, Row>> = {
  getUser: {},
  login: { body: { email: 'nobody@example.com', password: 'x' } },
  register: { body: { email: 'someone@example.com', password: 'correct horse' } },
  logout: {},
  changePassword: { body: { currentPassword: 'wrong', newPassword: 'correct horse' } },
  forgotPassword: { body: { email: 'nobody@example.com' } },
  resetPassword: { body: { token: 'A'.repeat(43), password: 'correct horse' } },
  changeEmail: { body: { email: 'someone-else@example.com', password: 'wrong' } },
  confirmEmail: { body: { token: 'A'.repeat(43) } },
  signOutEverywhere: {},
  getAgency: {},
  openAgency: { body: { name: 'Other', email: 'other@example.com' } },
  changeAgency: { body: { timeZone: 'Asia/Tokyo' } },
  getDashboard: {},
  openCheckout: {},
  openPortal: {},
  listInvoices: {},
  refreshSubscription: {},
  listClients: {},
  addClient: { body: { name: 'New' } },
  getClient: client,
  reviseClient: { ...client, body: { name: 'Changed' } },
  removeClient: client,
  listSocialAccounts: client,
  addSocialAccount: { ...client, body: { platform: 'linkedin', accountName: 'Mine' } },
  connectSocialAccount: account,
  disconnectSocialAccount: account,
  listProfileChoices: { ...account, fixed: { choice: 'A'.repeat(22) } },
  chooseProfile: { ...account, fixed: { choice: 'A'.repeat(22) }, body: { remoteId: 'page-1' } },
  oauthCallback: { fixed: { platform: 'facebook' } },
  listPosts: client,
  writePost: { ...client, ids: { socialAccountId: 'accountId' }, body: { content: 'Mine now' } },
  getPost: post,
  changePost: { ...post, body: { content: 'Mine now' } },
  deletePost: post,
  resolvePost: { ...post, body: { live: false } },
  retryPost: { ...post, body: {} },
  releasePost: { ...post, body: {} },
  releaseHeldPosts: {},
  // Its answer is 200 with a result for each: `posts/review.test.ts` has what other agencies' are told.
  reviewPosts: { body: { ids: ['0195a000-0000-7000-8000-00000000dead'], status: 'approved' } },
  importPosts: { ...client, file: new Blob(['content,platform\nMine now,facebook'], { type: 'text/csv' }) },
  getPostHistory: post,
  getPostDelivery: post,
  generateContent: { ids: { clientId: 'clientId' }, body: { platform: 'facebook', topic: 'Spring' } },
  getCalendar: { query: { client: 'clientId' }, fixed: { month: '2026-03' } },
  uploadImage: {},
  listSchedules: client,
  addSchedule: { ...client, ids: { socialAccountId: 'accountId' }, body: daily },
  previewSchedule: { ...client, ids: { socialAccountId: 'accountId' }, body: daily },
  changeSchedule: { ...schedule, body: { isActive: false } },
  removeSchedule: schedule,
  retrySlots: { ...schedule, body: { slots: ['2026-03-02T09:00:00.000Z'] } },
  listAnalytics: {},
  seedAnalytics: {},
  removeSampleData: {},
  getNews: {},
  getAuditAbout: {},
  exportAudit: { query: { client: 'clientId' } },
  listAuditCheckpoints: {},
  searchAudit: { query: { client: 'clientId' } },
  // A link is its own permission: `audit/auditor.test.ts` has what each opens.
  openAuditorLink: { fixed: { token: 'nobody' } },
  searchAsAuditor: { fixed: { token: 'nobody' } },
  getHistoryAsAuditor: { params: { id: 'postId' }, fixed: { token: 'nobody' } },
  getCalendarAsAuditor: { fixed: { token: 'nobody', month: '2026-03' } },
  exportAsAuditor: { fixed: { token: 'nobody' } },
  listAuditorLinks: {},
  issueAuditorLink: { body: { label: 'Audit', expiresAt: '2099-01-01T00:00:00Z' } },
  revokeAuditorLink: { params: { id: 'linkId' } },
  getUsage: {},
}

const names = Object.keys(routes) as RouteName[]
const withIds = names.filter((name) => rows[name].params ?? rows[name].ids ?? rows[name].query)
const unknown: Things = {
  clientId: '0195a000-0000-7000-8000-00000000dead',
  accountId: '0195a000-0000-7000-8000-00000000dead',
  postId: '0195a000-0000-7000-8000-00000000dead',
  linkId: '0195a000-0000-7000-8000-00000000dead',
  scheduleId: '0195a000-0000-7000-8000-00000000dead',
}
const misshapen: Things = { clientId: 'x', accountId: "1' or '1'='1", postId: '../../etc', linkId: '{}', scheduleId: '%00' }

function request(name: RouteName, things: Things) {
  const { params = {}, query = {}, ids = {}, body, file, fixed = {} } = rows[name]
  const fill = (wanted: Readonly<Record<string, keyof Things>>) =>
    Object.fromEntries(Object.entries(wanted).map(([key, of]) => [key, things[of]]))
  const { method } = routes[name]
  const sent = { ...body, ...fill(ids) }
  return {
    params: { ...fixed, ...fill(params) },
    query: { ...fixed, ...fill(query) },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: file ?? sent }),
  }
}

let server: TestServer
let mine: Caller
let theirs: Caller
let homeless: Caller
let myThings: Things
let theirThings: Things

async function thingsOf(caller: Caller): Promise<Things> {
  const { clientId, accountId } = await brand(caller)
  const body = { socialAccountId: accountId, content: 'A secret plan' }
  const { id: postId } = await caller.tell('writePost', { params: { id: clientId }, body })
  const { id: scheduleId } = await caller.tell('addSchedule', { params: { id: clientId }, body: { socialAccountId: accountId, ...daily } })
  const { id: linkId } = await caller.tell('issueAuditorLink', { body: { label: 'Audit', expiresAt: later(server.clock.now(), 86_400_000) } })
  return { clientId, accountId, postId, scheduleId, linkId }
}

beforeAll(async () => {
  server = await testServer()
  mine = await owner(server)
  theirs = await owner(server)
  homeless = await signedUp(server)
  myThings = await thingsOf(mine)
  theirThings = await thingsOf(theirs)
})
afterAll(() => server.remove())

it('every route has a row', () => {
  expect(Object.keys(rows).sort()).toEqual([...names].sort())
})

describe('signed out', () => {
  it.each(names.filter((name) => routes[name].access !== 'public'))('%s asks to sign in', async (name) => {
    const { status, text } = await new Caller(server.url).ask(name, request(name, theirThings))
    expect({ status, text }).toEqual({ status: 401, text: 'Please sign in.' })
  })
})

describe('signed in, but without an agency', () => {
  it.each(names.filter((name) => routes[name].access === 'agency'))('%s is not there yet', async (name) => {
    const { status } = await homeless.ask(name, request(name, theirThings))
    expect(status).toBe(403)
  })
})

describe("another agency's things", () => {
  it.each(withIds)('%s finds nothing, and says the same as for what never was', async (name) => {
    const foreign = await mine.ask(name, request(name, theirThings))
    const nothing = await mine.ask(name, request(name, unknown))
    expect(foreign.status).toBe(404)
    expect({ status: nothing.status, text: nothing.text }).toEqual({ status: foreign.status, text: foreign.text })
  })
  it("a post can't be written through another agency's account", async () => {
    const body = { content: 'Mine now', socialAccountId: theirThings.accountId }
    expect((await mine.ask('writePost', { params: { id: myThings.clientId }, body })).status).toBe(404)
  })
  it("a schedule can't be made for another agency's account", async () => {
    const body = { ...daily, socialAccountId: theirThings.accountId }
    for (const name of ['addSchedule', 'previewSchedule'] as const) {
      expect((await mine.ask(name, { params: { id: myThings.clientId }, body })).status).toBe(404)
    }
  })
  it('are untouched by all of this', async () => {
    expect(await theirs.tell('listSchedules', { params: { id: theirThings.clientId } })).toMatchObject([{ isActive: true }])
    expect((await theirs.tell('getPost', { params: { id: theirThings.postId } })).content).toBe('A secret plan')
    expect(await theirs.tell('listClients')).toHaveLength(1)
  })
  it('are in none of the lists', async () => {
    for (const name of ['listClients', 'listAnalytics', 'getCalendar'] as const) {
      const { text } = await mine.ask(name, { query: { month: '2026-03' } })
      expect(text).not.toContain(theirThings.clientId)
    }
  })
})

describe('ids of every wrong shape', () => {
  it.each(withIds)('%s finds nothing and breaks nothing', async (name) => {
    const { status } = await mine.ask(name, request(name, misshapen))
    expect([400, 404]).toContain(status)
  })
})

describe('an expired or ended session', () => {
  it('is nobody after signing out, even with the old cookie', async () => {
    const caller = await signedUp(server)
    const { cookie } = caller
    await caller.ask('logout')
    const replay = new Caller(server.url)
    replay.cookie = cookie
    expect((await replay.ask('getUser')).status).toBe(401)
  })
  it('is nobody with a forged cookie', async () => {
    const forger = new Caller(server.url)
    forger.cookie = 'socialai=Fe26.2*1*0*0*0*0*0*0'
    expect((await forger.ask('getUser')).status).toBe(401)
  })
})
