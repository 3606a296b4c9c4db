import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/post/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { postCardsProjection } from './cards.ts'
import { searchable } from '../../domain/core/words.ts'
import { postsProjection } from './projection.ts'

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
    expect(cards.map(({ plannedAt: _, words: __, ...card }) => card)).toEqual(
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

  it('is ordered by its planned time, and behind all others without one', async () => {
    const [unplanned] = await given(...on(stream, a.written)).shows()
    expect(String(unplanned?.['plannedAt']) > '9999').toBe(true)
    const [planned] = await given(...on(stream, ...a.pasts.scheduled)).shows()
    expect(planned?.['plannedAt']).toBe(planned?.['scheduledFor'])
  })
})
