/** Responses that real networks give and the sandbox doesn't: retired metrics, other shapes, clocks that are behind. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MovableClock } from '../core/clock.ts'
import { facebook } from './facebook/connector.ts'
import { facebookDefaults } from './facebook/settings.ts'
import { instagram } from './instagram/connector.ts'
import { instagramDefaults } from './instagram/settings.ts'
import { linkedin } from './linkedin/connector.ts'
import { linkedinDefaults } from './linkedin/settings.ts'
import { ConnectionLost, NetworkError } from './port.ts'
import { scripted, type Seen, type Reply } from './test/helpers.ts'
import { x } from './x/connector.ts'
import { xDefaults } from './x/settings.ts'

const clock = new MovableClock()
const tokens = { accessToken: 'a-key', refreshToken: 'r-key', expiresAt: null, endsAt: '2027-01-01T00:00:00.000Z' }
const connection = { remoteId: '1', tokens }
const submission = { ...connection, content: 'hi', image: null }

let server: Awaited<ReturnType<typeof scripted>>
let answer: (seen: Seen) => Reply
beforeEach(async () => {
  answer = () => ({})
  server = await scripted((seen) => answer(seen))
})
afterEach(() => server.close())

const setup = () => ({ mode: 'live', clock, timeoutMs: 2_000, clientId: 'id', clientSecret: 'secret' }) as const
const onFacebook = () => facebook({ ...facebookDefaults, ...setup(), graphUrl: server.url })
const onInstagram = (limitMs = 30) =>
  instagram({
    ...instagramDefaults,
    ...setup(),
    apiUrl: server.url,
    graphUrl: server.url,
    poll: { firstMs: 10, growth: 2, limitMs },
  })
const onX = () => x({ ...xDefaults, ...setup(), apiUrl: server.url })
const onLinkedIn = (scope: string = linkedinDefaults.scope) =>
  linkedin({ ...linkedinDefaults, ...setup(), scope, wwwUrl: server.url, apiUrl: server.url })
const graphError = (code: number, subcode?: number): Reply => ({
  status: 400,
  body: { error: { code, message: 'No', ...(subcode === undefined ? {} : { error_subcode: subcode }) } },
})

describe('figures', () => {
  it('a retired metric is null and does not affect the others', async () => {
    answer = ({ path }) => {
      if (path.includes('post_media_view')) return graphError(100)
      if (path.includes('insights')) return { body: { data: [{ values: [{ value: { like: 3, love: 2 } }] }] } }
      return { body: path.includes('shares') ? {} : { comments: { summary: { total_count: 4 } } } }
    }
    expect(await onFacebook().metrics({ ...connection, postId: '1_2' })).toEqual({
      views: null,
      likes: 5,
      comments: 4,
      shares: 0,
    })
  })

  it('a metric that fails temporarily fails the reading', async () => {
    answer = ({ path }) =>
      path.includes('likes') ? graphError(2) : { body: { data: [{ total_value: { value: 7 } }] } }
    await expect(onInstagram().metrics({ ...connection, postId: '2' })).rejects.toBeInstanceOf(NetworkError)
    answer = () => ({ body: { data: [{ total_value: { value: 7 } }] } })
    expect(await onInstagram().metrics({ ...connection, postId: '2' })).toEqual({
      views: 7,
      likes: 7,
      comments: 7,
      shares: 7,
    })
  })

  it('of a deleted post are an error, not null', async () => {
    answer = () => graphError(100, 33)
    await expect(onFacebook().metrics({ ...connection, postId: '1_2' })).rejects.toThrow(
      'does not have this post any more',
    )
    answer = () => ({ body: { errors: [{ title: 'Not Found Error' }] } })
    await expect(onX().metrics({ ...connection, postId: '2' })).rejects.toThrow('does not have this post any more')
  })

  it('that the consent does not cover are null, and the connection is not lost', async () => {
    answer = () => ({ status: 403, body: { code: 'ACCESS_DENIED' } })
    const none = { views: null, likes: null, comments: null, shares: null }
    for (const remoteId of ['urn:li:person:1', 'urn:li:organization:1']) {
      expect(await onLinkedIn().metrics({ remoteId, tokens, postId: 'urn:li:share:1' })).toEqual(none)
    }
  })

  it('are requested from LinkedIn by the kind of post', async () => {
    answer = () => ({ body: { elements: [{ count: 1 }] } })
    await onLinkedIn().metrics({ remoteId: 'urn:li:person:1', tokens, postId: 'urn:li:ugcPost:5' })
    expect(server.seen[0]?.path).toContain('entity=(ugc:urn%3Ali%3AugcPost%3A5)&queryType=IMPRESSION')
  })
})

describe('looking up', () => {
  it('a network whose clock is behind still finds every post', async () => {
    const since = clock.now()
    const behind = (ms: number) => new Date(Date.now() - ms)
    const posted = (at: Date): Reply => ({
      headers: { date: behind(120_000).toUTCString() },
      body: { data: [{ id: '7', text: 'hi', created_at: at.toISOString() }], meta: {} },
    })
    answer = () => posted(behind(119_000))
    expect(await onX().lookUp(submission, [], since)).toMatchObject({ kind: 'found', candidates: [{ remoteId: '7' }] })
    answer = () => posted(behind(300_000))
    expect(await onX().lookUp(submission, [], since)).toEqual({ kind: 'found', candidates: [] })
  })

  it('an endless feed is undecided', async () => {
    answer = () => ({ body: { data: [], meta: { next_token: 'more' } } })
    expect(await onX().lookUp(submission, [], clock.now())).toMatchObject({
      kind: 'undecided',
      cause: expect.stringContaining('too many'),
    })
  })

  it("Graph's next URL, which has a token in it, is not followed", async () => {
    const page = { paging: { next: 'https://nowhere.example/?access_token=leaked', cursors: { after: 'c2' } } }
    answer = ({ path }) => ({
      body: path.includes('after=c2') ? { data: [] } : { data: [{ id: '1_2', created_time: clock.now() }], ...page },
    })
    expect(await onFacebook().lookUp(submission, [], clock.now())).toEqual({ kind: 'found', candidates: [] })
    expect(server.seen).toHaveLength(2)
  })

  it('an unreadable LinkedIn profile is undecided, with the cause', async () => {
    answer = () => ({ status: 403 })
    expect(await onLinkedIn().lookUp(submission, [], clock.now())).toMatchObject({
      kind: 'undecided',
      cause: expect.stringContaining("doesn't let us read"),
    })
  })

  it('an Instagram container that is not listed yet, or still in progress, is undecided; an unpublished one is absent', async () => {
    answer = ({ path }) => ({ body: path.includes('status_code') ? { status_code: 'PUBLISHED' } : { data: [] } })
    expect(await onInstagram().lookUp(submission, ['c1'], clock.now())).toMatchObject({
      kind: 'undecided',
      cause: expect.stringContaining('list it yet'),
    })
    for (const code of ['FINISHED', 'EXPIRED', 'ERROR']) {
      answer = () => ({ body: { status_code: code } })
      expect(await onInstagram().lookUp(submission, ['c1'], clock.now())).toEqual({ kind: 'absent' })
    }
    answer = () => ({ body: { status_code: 'IN_PROGRESS' } })
    expect(await onInstagram().lookUp(submission, ['c1'], clock.now())).toEqual({
      kind: 'undecided',
      cause: 'Instagram is still working on the post.',
    })
  })
})

describe('publishing', () => {
  it('a success without an id is unknown, not refused', async () => {
    answer = () => ({ status: 200, body: {} })
    for (const network of [onFacebook(), onX(), onLinkedIn()])
      expect((await network.publish(submission, [])).kind).toBe('unknown')
  })

  it('a failing permalink leaves the post accepted', async () => {
    answer = ({ method }) => (method === 'POST' ? { body: { id: '1_2' } } : graphError(2))
    expect(await onFacebook().publish(submission, [])).toEqual({ kind: 'accepted', remoteId: '1_2', url: null })
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })

  it.each([
    ['ERROR', 'edit'],
    ['EXPIRED', 'wait'],
    ['IN_PROGRESS', 'wait'],
  ])('a container with the final status %s is rejected: %s', async (code, remedy) => {
    answer = ({ method }) => ({ body: method === 'POST' ? { id: 'c1' } : { status_code: code } })
    const image = {
      hash: '',
      type: 'image/jpeg',
      size: 1,
      width: 1,
      height: 1,
      publicUrl: 'https://a.example/i.jpg',
      read: () => Promise.resolve(new Uint8Array(1)),
    } as const
    expect(await onInstagram().prepare({ ...submission, image })).toMatchObject({ kind: 'rejected', remedy })
  })
})

describe('tokens', () => {
  it('Instagram may return the first one in a list, and ids as numbers', async () => {
    answer = ({ method, path }) => {
      if (method === 'POST') return { body: { data: [{ access_token: 'short', user_id: 5 }] } }
      return {
        body: path.includes('/me')
          ? { user_id: 17_841, username: 'acme' }
          : { access_token: 'long', expires_in: 5_184_000 },
      }
    }
    const consent = { code: 'c', redirectUri: 'https://a.example', codeVerifier: '' }
    expect(await onInstagram().exchange(consent)).toMatchObject([
      { remoteId: '17841', name: 'acme', tokens: { accessToken: 'long', refreshToken: 'long' } },
    ])
  })

  it('LinkedIn: a refresh without a new refresh token keeps the old one and its end', async () => {
    answer = () => ({ body: { access_token: 'new', expires_in: 100 } })
    expect(await onLinkedIn().renew(tokens)).toMatchObject({
      accessToken: 'new',
      refreshToken: 'r-key',
      endsAt: tokens.endsAt,
    })
    await expect(onLinkedIn().renew({ ...tokens, refreshToken: null })).rejects.toBeInstanceOf(ConnectionLost)
  })

  it('LinkedIn: without a refresh token a user has to connect again when the token expires; the scope decides how the member is read', async () => {
    answer = ({ path }) => {
      if (path.includes('accessToken')) return { body: { access_token: 'k', expires_in: 5_184_000 } }
      return path.includes('/v2/me')
        ? { body: { id: 'abc', localizedFirstName: 'Ada', localizedLastName: 'L' } }
        : { status: 403 }
    }
    const consent = { code: 'c', redirectUri: 'https://a.example', codeVerifier: '' }
    const [profile] = await onLinkedIn('r_basicprofile w_member_social').exchange(consent)
    expect(profile).toMatchObject({ remoteId: 'urn:li:person:abc', name: 'Ada L', tokens: { refreshToken: null } })
    expect(profile?.tokens.endsAt).toBe(profile?.tokens.expiresAt)
  })

  it.each([
    [401, { error: 'invalid_client' }, false],
    [400, { error: 'invalid_request' }, true],
    [400, { error: 'invalid_grant' }, true],
    [503, {}, false],
  ])('X: a refresh answered with %i %j means lost: %s', async (status, body, isLost) => {
    answer = () => ({ status, body })
    const failed = onX().renew(tokens)
    await (isLost
      ? expect(failed).rejects.toBeInstanceOf(ConnectionLost)
      : expect(failed).rejects.not.toBeInstanceOf(ConnectionLost))
  })

  it('Facebook: Pages of businesses are found too, except those without a token and duplicates; no Page is an error', async () => {
    const list = (data: object[]): Reply => ({ body: { data } })
    answer = ({ path }) => {
      if (path.includes('oauth')) return { body: { access_token: 'user' } }
      if (path.includes('me/accounts'))
        return list([
          { id: '1', name: 'Own', access_token: 'p1' },
          { id: '2', name: 'Seen only' },
        ])
      if (path.includes('me/businesses')) return list([{ id: '9' }])
      return path.includes('owned')
        ? list([
            { id: '1', name: 'Own', access_token: 'other' },
            { id: '3', name: 'Shop', access_token: 'p3' },
          ])
        : graphError(200)
    }
    const consent = { code: 'c', redirectUri: 'https://a.example', codeVerifier: '' }
    expect(await onFacebook().exchange(consent)).toMatchObject([
      { remoteId: '1', name: 'Own', tokens: { accessToken: 'p1' } },
      { remoteId: '3', name: 'Shop', tokens: { accessToken: 'p3' } },
    ])
    expect(server.seen.filter(({ path }) => path.includes('access_token='))).toEqual([])
    answer = ({ path }) => (path.includes('oauth') ? { body: { access_token: 'user' } } : list([]))
    await expect(onFacebook().exchange(consent)).rejects.toThrow('no Page')
  })
})
