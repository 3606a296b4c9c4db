/** How each network's error codes map to cause, remedy and wait. */
import { describe, expect, it } from 'vitest'
import { judgeGraph } from './facebook/errors.ts'
import type { Answer } from './http.ts'
import { judgeInstagram } from './instagram/errors.ts'
import { judgeLinkedIn } from './linkedin/errors.ts'
import { judgeX } from './x/errors.ts'

const now = '2026-03-02T10:00:00.000Z'
const seconds = Date.parse(now) / 1000
const answer = (status: number, body: unknown = null, headers: Record<string, string> = {}): Answer => ({
  status,
  body,
  headers: new Headers(headers),
})
const graph = (code: number, subcode?: number, more: object = {}) => ({
  error: { code, message: 'Said', ...(subcode === undefined ? {} : { error_subcode: subcode }), ...more },
})
const business = (minutes: number) => ({
  'x-business-use-case-usage': JSON.stringify({
    1: [{ type: 'pages', call_count: 100, estimated_time_to_regain_access: minutes }],
  }),
})

describe('Facebook', () => {
  it.each([
    ['a dead key', answer(401, graph(190, 463)), 'lost', 'reconnect', null],
    ['an old form of it', answer(400, graph(102)), 'lost', 'reconnect', null],
    ['a missing permission', answer(403, graph(200)), 'refused', 'reconnect', null],
    ['another one', answer(400, graph(10)), 'refused', 'reconnect', null],
    ['the app too often', answer(400, graph(4)), 'refused', 'wait', 300],
    [
      'the app at 150% of its hour',
      answer(400, graph(4), { 'x-app-usage': '{"call_count":150,"total_time":20}' }),
      'refused',
      'wait',
      1200,
    ],
    ['the Page too often', answer(400, graph(80_001), business(7)), 'refused', 'wait', 420],
    [
      'headers that can not be read',
      answer(400, graph(32), { 'x-business-use-case-usage': '{' }),
      'refused',
      'wait',
      300,
    ],
    ['613', answer(400, graph(613)), 'refused', 'wait', 300],
    ['posting too fast', answer(400, graph(1_390_008)), 'refused', 'wait', 300],
    ['a duplicate', answer(400, graph(506, 1_455_006)), 'refused', 'check', null],
    ['a photo, as a subcode of "unknown"', answer(400, graph(1, 1_366_046)), 'refused', 'edit', null],
    ['a photo', answer(400, graph(100, 1_366_046)), 'refused', 'edit', null],
    ['a wrong parameter', answer(400, graph(100)), 'refused', 'edit', null],
    ['its own fault with status 400', answer(400, graph(1)), 'unclear', 'wait', null],
    ['what it calls transient', answer(400, graph(7_000, undefined, { is_transient: true })), 'unclear', 'wait', null],
    ['503 without a body', answer(503), 'unclear', 'wait', null],
    ['a redirect', answer(302), 'unclear', 'wait', null],
    ['429 from the edge', answer(429, null, { 'retry-after': '9' }), 'refused', 'wait', 9],
    ['408', answer(408), 'unclear', 'wait', null],
    ['408 with a code', answer(408, graph(1_500)), 'unclear', 'wait', null],
    ['425', answer(425), 'refused', 'wait', null],
  ])('%s', (_, given, verdict, remedy, retryAfterSeconds) => {
    expect(judgeGraph('Facebook', given)).toMatchObject({ verdict, remedy, retryAfterSeconds })
  })

  it("passes on the network's words, but no token that they quote", () => {
    const key = 'EAAGm0PX4ZCpsBAKZA2ZB9rZBZCZD'
    const { cause } = judgeGraph(
      'Facebook',
      answer(400, graph(1_500, undefined, { error_user_msg: `The link is broken. ${key}` })),
    )
    expect(cause).toBe('Facebook refused this: The link is broken. …')
  })
})

describe('Instagram', () => {
  it.each([
    ['the quota', graph(9, 2_207_042), 'refused', 'wait', 3600],
    ['an image that it can not fetch', graph(9_004, 2_207_052), 'refused', 'edit', null],
    ['the aspect ratio', graph(36_003, 2_207_009), 'refused', 'edit', null],
    ['an image that is too large', graph(36_000, 2_207_004), 'refused', 'edit', null],
    ['a format', graph(36_001, 2_207_005), 'refused', 'edit', null],
    ['a restricted account', graph(25, 2_207_050), 'refused', 'check', null],
    ['suspected spam, which is no rate', graph(4, 2_207_051), 'refused', 'check', null],
    ['too often', graph(4), 'refused', 'wait', 300],
    ['a container that is gone', graph(24, 2_207_008), 'refused', 'wait', 60],
    ['its own fault with status 400', graph(-1, 2_207_001), 'unclear', 'wait', null],
    ['a container that is not available, perhaps because it is live', graph(9_007, 2_207_027), 'unclear', 'wait', null],
    ['a dead key', graph(190), 'lost', 'reconnect', null],
  ])('%s', (_, body, verdict, remedy, retryAfterSeconds) => {
    expect(judgeInstagram('Instagram', answer(400, body))).toMatchObject({ verdict, remedy, retryAfterSeconds })
  })
})

describe('X', () => {
  const reset = (name: string, inSeconds: number, remaining = 0) => ({
    [`${name}-reset`]: String(seconds + inSeconds),
    [`${name}-remaining`]: String(remaining),
  })
  it.each([
    ['401', answer(401, { title: 'Unauthorized', status: 401 }), 'lost', 'reconnect', null],
    ['no credits', answer(402), 'refused', 'wait', 3600],
    ['429 until its window ends', answer(429, null, reset('x-rate-limit', 240)), 'refused', 'wait', 240],
    [
      '429 for the day',
      answer(429, null, { ...reset('x-rate-limit', 240, 50), ...reset('x-user-limit-24hour', 40_000) }),
      'refused',
      'wait',
      40_000,
    ],
    ['429 without headers', answer(429), 'refused', 'wait', 900],
    ['429 with a reset that has passed', answer(429, null, reset('x-rate-limit', -5)), 'refused', 'wait', 1],
    [
      'a duplicate',
      answer(403, { title: 'Forbidden', detail: 'You are not allowed to create a Tweet with duplicate content.' }),
      'refused',
      'check',
      null,
    ],
    [
      'a missing scope',
      answer(403, { title: 'Forbidden', detail: 'You are not permitted to perform this action.' }),
      'refused',
      'reconnect',
      null,
    ],
    [
      'a suspended account',
      answer(403, { detail: 'Your account is suspended and is not permitted to access this feature.' }),
      'refused',
      'reconnect',
      null,
    ],
    ['a content problem', answer(403, { detail: 'Your Tweet text is too long.' }), 'refused', 'edit', null],
    ['400', answer(400, { errors: [{ message: 'Your media IDs are invalid.' }] }), 'refused', 'edit', null],
    ['503', answer(503), 'unclear', 'wait', null],
    ['408', answer(408), 'unclear', 'wait', null],
  ])('%s', (_, given, verdict, remedy, retryAfterSeconds) => {
    expect(judgeX(() => now)('X', given)).toMatchObject({ verdict, remedy, retryAfterSeconds })
  })
})

describe('LinkedIn', () => {
  it.each([
    ['401', answer(401, { code: 'REVOKED_ACCESS_TOKEN' }), now, 'lost', 'reconnect', null],
    ['403', answer(403, { code: 'ACCESS_DENIED' }), now, 'refused', 'reconnect', null],
    [
      'a duplicate by its words',
      answer(422, { message: 'Content is a duplicate of urn:li:share:1' }),
      now,
      'refused',
      'check',
      null,
    ],
    ['a duplicate by its code', answer(409, { code: 'DUPLICATE_POST' }), now, 'refused', 'check', null],
    ['a field', answer(422, { message: 'ERROR :: /commentary' }), now, 'refused', 'edit', null],
    ['429, an hour at most at once', answer(429), now, 'refused', 'wait', 3600],
    ['429 shortly before midnight', answer(429), '2026-03-02T23:59:30.000Z', 'refused', 'wait', 30],
    ['429 that says when', answer(429, null, { 'retry-after': '77' }), now, 'refused', 'wait', 77],
    ['a retired version', answer(426, { code: 'NONEXISTENT_VERSION' }), now, 'refused', 'wait', 3600],
    ['500', answer(500), now, 'unclear', 'wait', null],
    ['408', answer(408), now, 'unclear', 'wait', null],
  ])('%s', (_, given, at, verdict, remedy, retryAfterSeconds) => {
    expect(judgeLinkedIn(() => at)('LinkedIn', given)).toMatchObject({ verdict, remedy, retryAfterSeconds })
  })
})
