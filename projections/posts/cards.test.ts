import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/post/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { planOf } from '../core/test/query-plan.ts'
import { postCardsProjection } from './cards.ts'
import { counting, pages } from '../read-store/sql.ts'
import { searchable } from '../../domain/core/words.ts'
import { postsProjection } from './projection.ts'
import { neverPending, stillPending } from './view.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(postCardsProjection, () => stores.store)
const whole = specification(postsProjection, () => stores.store)

const stream = `post-${a.postId}`
const revised = (content: string) => ({ type: 'PostContentRevised', data: { content, generationId: null } })

describe("A post's card", () => {
  it('has the full text of a short post, and the beginning of a long one', async () => {
    expect(await given(...on(stream, a.written)).shows()).toMatchObject([
      { id: a.postId, excerpt: a.write.content, truncated: false },
    ])
    expect(await given(...on(stream, a.written, revised('word '.repeat(13_000)))).shows()).toMatchObject([
      { excerpt: `${'word '.repeat(79)}word…`, truncated: true },
    ])
    expect(
      await given(...on(stream, a.written, revised('x'.repeat(500)), revised('Short again'))).shows(),
    ).toMatchObject([{ excerpt: 'Short again', truncated: false }])
  })

  it.each(Object.entries(a.pasts))('of a post that is %s has all other fields of the post itself', async (_, past) => {
    const cards = await given(...on(stream, ...past)).shows()
    const posts = await whole.given(...on(stream, ...past)).shows()
    expect(cards.map(({ plannedAt: _, words: __, origin: ___, pendingUntil: ____, ...card }) => card)).toEqual(
      posts.map(({ content, ...rest }) => ({ ...rest, excerpt: content, truncated: false })),
    )
  })

  it('has the words of the whole text, however long it is', async () => {
    const long = `${'coffee '.repeat(200)} Straße`
    const [card] = await given(...on(stream, a.written, revised(long), ...a.pasts.pending.slice(1))).shows()
    expect(card).toMatchObject({ truncated: true, words: 'coffee strasse' })
    const [first] = await given(...on(stream, a.written)).shows()
    expect(first).toMatchObject({ words: searchable(a.write.content) })
  })

  it('names where it comes from', async () => {
    const { type, data } = a.written
    const plan = { scheduleId: 's', revision: 1, slot: a.tomorrow }
    for (const [more, origin] of [
      [{}, 'user'],
      [{ plan }, 'schedule'],
      [{ imported: true }, 'import'],
    ] as const)
      expect(
        await given(...on(stream, { type, data: { ...data, ...more } }, revised('Other words'))).shows(),
      ).toMatchObject([{ origin }])
  })

  it('keeps when it was last pending, whatever becomes of it', async () => {
    const shown = async (...past: Parameters<typeof on>[1][]) => (await given(...on(stream, ...past)).shows())[0]
    const pendingUntil = async (...past: Parameters<typeof shown>) => (await shown(...past))?.['pendingUntil']
    expect(await pendingUntil(a.written)).toBe(neverPending)
    expect(await pendingUntil(a.written, a.submitted)).toBe(stillPending)
    const last = (await shown(a.written, a.submitted, a.rejected))?.['updatedAt']
    expect(await pendingUntil(a.written, a.submitted, a.rejected)).toBe(last)
    expect(await pendingUntil(a.written, a.submitted, a.rejected, revised('Later'), a.scheduled)).toBe(last)
    expect(await pendingUntil(a.written, a.submitted, a.rejected, revised('Later'), a.submitted)).toBe(stillPending)
  })

  it('of an earlier version is pending now or never, until the view is built', async () => {
    const earlier = postCardsProjection.predecessors?.find(({ version, view }) => version === 5 && view === undefined)
    for (const [past, pendingUntil] of [
      [[a.written, a.submitted], stillPending],
      [[a.written, a.submitted, a.rejected], neverPending],
    ] as const) {
      const [{ pendingUntil: _, ...card } = {}] = await given(...on(stream, ...past)).shows()
      expect(earlier?.convert(card)).toEqual({ ...card, pendingUntil })
    }
  })

  it('is ordered by its planned time, and behind all others without one', async () => {
    const [unplanned] = await given(...on(stream, a.written)).shows()
    expect(String(unplanned?.['plannedAt']) > '9999').toBe(true)
    const [planned] = await given(...on(stream, ...a.pasts.scheduled)).shows()
    expect(planned?.['plannedAt']).toBe(planned?.['scheduledFor'])
  })
})

describe("The cards' indexes in SQLite", () => {
  const states = { status: { in: ['pending', 'draft'] }, platform: { in: ['facebook', 'twitter'] } }
  const newest = { field: 'createdAt', order: 'desc' } as const
  const planned = { field: 'plannedAt', order: 'asc' } as const
  const ended = { field: 'pendingUntil', order: 'desc' } as const
  const all = { agencyId: 'a' }
  const one = { agencyId: 'a', clientId: 'c' }

  it.each([
    ['all, newest first', all, newest, 'agencyId.createdAt'],
    ['all of some statuses', { ...all, ...states }, newest, 'agencyId.status.platform.createdAt'],
    ['all by planned time', { ...all, ...states }, planned, 'agencyId.status.platform.plannedAt'],
    ["a client's, newest first", one, newest, 'agencyId.clientId.createdAt'],
    ["a client's of some statuses", { ...one, ...states }, newest, 'agencyId.clientId.status.platform.createdAt'],
    [
      "a client's that were pending",
      { ...one, pendingUntil: { gte: 't', lt: 'u' } },
      ended,
      'agencyId.clientId.pendingUntil',
    ],
    ["a client's by planned time", { ...one, ...states }, planned, 'agencyId.clientId.status.platform.plannedAt'],
  ] as const)('serve a list of posts: %s', async (_, where, sort, index) => {
    const plan = await planOf(postCardsProjection, pages('c_post_cards_v6', { where, sort }, null, 51))
    const searches = plan.match(/SEARCH c_post_cards_v6 .*/g) ?? []
    expect(searches.length).toBeGreaterThan(0)
    for (const search of searches) expect(search).toContain(`post_cards_v6.${index} (`)
    expect(plan).not.toContain('SCAN c_post_cards_v6')
  })

  it.each([
    ['of some clients and one status', { ...all, clientId: { in: ['c', 'd'] }, status: 'draft' }],
    ['of some clients and statuses', { ...all, ...states, clientId: { in: ['c', 'd'] } }],
    ['of a client and a status', { ...one, status: 'draft' }],
  ])('serve a count of posts: %s', async (_, where) => {
    expect(await planOf(postCardsProjection, [counting('c_post_cards_v6', where)])).toMatch(
      /^SEARCH c_post_cards_v6 USING INDEX post_cards_v6\.agencyId\.clientId\.status\.platform\.\w+ \((<expr>=\?( AND )?){3,4}\)/,
    )
  })
})
