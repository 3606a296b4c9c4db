/** The product's entities, as screens and API clients read them over HTTP. */
import { expect, test } from '@playwright/test'
import { ApiClient } from '../../api/http/client.ts'
import { brand, owner, testServer, type TestServer } from '../../api/testing/server.ts'
import { scheduleRulesSchema } from '../../domain/client/commands.ts'
import { publish, write } from './posts.ts'

let server: TestServer
let caller: ApiClient
let mine: { readonly clientId: string; readonly accountId: string }

test.beforeAll(async () => {
  server = await testServer({ COLLECT_AFTER_SECONDS: '1' })
  caller = await owner(server)
  mine = await brand(caller)
})
test.afterAll(() => server.remove())

const uuid = expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/)
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const json = async (path: string): Promise<unknown> => JSON.parse((await caller.get(path)).text)

test.describe('a user', () => {
  test('has id, email, names, image and time, and never a password [3.1]', async () => {
    const user = await json('/api/auth/user')
    expect(user).toEqual({
      id: uuid,
      email: expect.stringContaining('@'),
      firstName: null,
      lastName: null,
      emailConfirmed: false,
      profileImageUrl: null,
      createdAt: instant,
    })
  })

  test('has a unique email and needs a password [3.2]', async () => {
    const { email } = await caller.callOrThrow('getUser')
    expect(
      await new ApiClient(server.url).ask('register', { body: { email, password: 'correct horse' } }),
    ).toMatchObject({
      status: 409,
    })
    expect(await new ApiClient(server.url).ask('register', { body: { email: 'new@example.com' } })).toMatchObject({
      status: 400,
    })
    expect(await new ApiClient(server.url).ask('register', { body: { password: 'correct horse' } })).toMatchObject({
      status: 400,
    })
  })
})

test.describe('an agency', () => {
  test('has owner, name, email, subscription and the end of its trial [3.4, 7.11, 9.13]', async () => {
    const { id } = await caller.callOrThrow('getUser')
    expect(await json('/api/agency')).toMatchObject({
      id: uuid,
      ownerId: id,
      name: 'North Star',
      email: 'hello@northstar.example',
      stripeCustomerId: null,
      stripeSubscriptionId: null,
      subscriptionStatus: 'trialing',
      trialEndsAt: instant,
      currentPeriodEnd: null,
      createdAt: instant,
    })
  })

  test("is its owner's only one [3.5]", async () => {
    expect(await caller.ask('openAgency', { body: { name: 'Another', email: 'a@example.com' } })).toMatchObject({
      status: 409,
    })
  })
})

test.describe('a client', () => {
  test('has its profile and a default colour, and requires only a name [3.7, 7.13, 9.11]', async () => {
    const { id } = await caller.callOrThrow('addClient', { body: { name: 'Fjord' } })
    const list = (await json('/api/clients')) as { readonly id: string }[]
    expect(list.find((each) => each.id === id)).toEqual({
      id: uuid,
      name: 'Fjord',
      description: null,
      logoUrl: null,
      brandColor: '#3b82f6',
      industry: null,
      targetAudience: null,
      toneOfVoice: null,
      createdAt: instant,
    })
  })

  test('belongs to one agency and is invisible to others [6.6]', async () => {
    const other = await owner(server)
    expect(await other.callOrThrow('listClients')).toEqual([])
    expect(await other.ask('getClient', { params: { id: mine.clientId } })).toMatchObject({ status: 404 })
  })
})

test.describe('a social account', () => {
  test('has client, network, name and URL, and is not connected by default; its keys are never shown [1.4, 3.9, 7.16]', async () => {
    const body = { platform: 'linkedin', accountName: 'People', accountUrl: 'https://example.com/people' }
    const { id } = await caller.callOrThrow('addSocialAccount', { params: { id: mine.clientId }, body })
    const list = (await json(`/api/clients/${mine.clientId}/social-accounts`)) as { readonly id: string }[]
    const account = list.find((each) => each.id === id)
    expect(account).toMatchObject({
      id: uuid,
      clientId: mine.clientId,
      ...body,
      isConnected: false,
      createdAt: instant,
    })
    expect(Object.keys(account ?? {})).not.toContain('connectionData')
    const needs = (without: object) => caller.ask('addSocialAccount', { params: { id: mine.clientId }, body: without })
    expect(await needs({ accountName: 'People' })).toMatchObject({ status: 400 })
    expect(await needs({ platform: 'linkedin' })).toMatchObject({ status: 400 })
  })
})

test.describe('a post', () => {
  test('has client, account, text, image, status and times, and is a draft by default [3.10, 7.15, 9.14]', async () => {
    const id = await write(caller, { ...mine, content: 'Hello' })
    const list = (await json(`/api/clients/${mine.clientId}/posts`)) as { readonly id: string }[]
    expect(list.find((each) => each.id === id)).toMatchObject({
      id: uuid,
      clientId: mine.clientId,
      socialAccountId: mine.accountId,
      content: 'Hello',
      imageUrl: null,
      status: 'draft',
      scheduledFor: null,
      publishedAt: null,
      createdAt: instant,
    })
  })

  test('requires a text [3.11]', async () => {
    for (const content of ['', '   ', undefined]) {
      expect(
        await caller.ask('writePost', {
          params: { id: mine.clientId },
          body: { socialAccountId: mine.accountId, content },
        }),
      ).toMatchObject({ status: 400 })
    }
  })

  test('can be deleted permanently in every status [4.7]', async () => {
    for (const status of ['draft', 'pending', 'approved', 'scheduled', 'rejected'] as const) {
      const id = await write(caller, { ...mine, content: `To go, ${status}`, status })
      await caller.callOrThrow('deletePost', { params: { id } })
      expect(await caller.ask('getPost', { params: { id } })).toMatchObject({ status: 404 })
    }
    const id = await publish(server, caller, { ...mine, content: 'To go, published' })
    await caller.callOrThrow('deletePost', { params: { id } })
    expect(await caller.ask('getPost', { params: { id } })).toMatchObject({ status: 404 })
  })
})

test.describe('a posting schedule', () => {
  test('requires frequency and times; 3 posts a week are the default [3.12, 9.12]', () => {
    const preferredTimes = [{ day: 1, time: '09:00' }]
    expect(scheduleRulesSchema.parse({ frequency: 'weekly', preferredTimes })).toEqual({
      frequency: 'weekly',
      postsPerWeek: 3,
      preferredTimes,
      contentTopics: [],
    })
    expect(scheduleRulesSchema.safeParse({ frequency: 'weekly' }).success).toBe(false)
    expect(scheduleRulesSchema.safeParse({ preferredTimes }).success).toBe(false)
    expect(scheduleRulesSchema.safeParse({ frequency: 'weekly', preferredTimes, postsPerWeek: 2.5 }).success).toBe(
      false,
    )
  })
})

test.describe('analytics', () => {
  test('are records with client, network and five whole numbers [3.15, 7.26]', async () => {
    await caller.callOrThrow('seedAnalytics')
    const records = (await json('/api/analytics')) as object[]
    expect(records.length).toBeGreaterThan(0)
    const whole = expect.any(Number)
    for (const record of records) {
      expect(record).toMatchObject({
        clientId: uuid,
        clientName: expect.any(String),
        postPlatform: expect.any(String),
        views: whole,
        likes: whole,
        comments: whole,
        shares: whole,
        engagement: whole,
      })
    }
  })
})

test.describe('deleting a client', () => {
  test('deletes its accounts, posts and figures [3.8, 3.16]', async () => {
    const gone = await brand(caller, 'linkedin')
    const postId = await write(caller, { ...gone, content: 'Goes along', status: 'pending' })
    await caller.callOrThrow('seedAnalytics')
    await caller.callOrThrow('removeClient', { params: { id: gone.clientId } })
    for (const path of ['', '/posts', '/social-accounts'])
      expect(await caller.get(`/api/clients/${gone.clientId}${path}`)).toMatchObject({ status: 404 })
    expect(await caller.ask('getPost', { params: { id: postId } })).toMatchObject({ status: 404 })
    expect((await caller.callOrThrow('listAnalytics')).filter(({ clientId }) => clientId === gone.clientId)).toEqual([])
    expect((await caller.callOrThrow('listClients')).filter(({ id }) => id === gone.clientId)).toEqual([])
  })
})
