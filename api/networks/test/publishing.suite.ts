/** Preparing and publishing: the outcome of each fault, and how many posts are live then. */
import { describe, expect, it } from 'vitest'
import { itWhen, photo, type Stage, type Traits } from './helpers.ts'

/** A text with everything that networks rewrite, escape or collapse. */
export const oddText =
  'Café & Co <b>: [50%] (new) {x} *yes* a_b ~ | \\ #spring @you https://example.com/a?b=1&c=2 👩🏽‍🍳\nsecond line'

export function publishingContract({ takesText }: Traits, stage: () => Stage): void {
  describe('publishing', () => {
    itWhen(takesText)('a text makes one post with exactly that text', async () => {
      const { opened, connect, submission, post } = stage()
      const connection = await connect()
      const { outcome, media } = await post(submission(connection, oddText))
      expect(media).toEqual([])
      expect(outcome).toEqual({
        kind: 'accepted',
        remoteId: expect.stringMatching(/./),
        url: expect.stringMatching(/^http/),
      })
      expect(await opened.live()).toEqual([{ remoteId: connection.remoteId, content: oddText, hasImage: false }])
    })

    it('an image creates one post with text and image, and nothing before', async () => {
      const { opened, connect, submission } = stage()
      const wanted = { ...submission(await connect(), oddText), image: photo() }
      const ready = await opened.network.prepare(wanted)
      expect(ready).toEqual({ kind: 'ready', media: [expect.stringMatching(/./)] })
      expect(await opened.live()).toEqual([])
      const outcome = await opened.network.publish(wanted, ready.kind === 'ready' ? ready.media : [])
      expect(outcome).toMatchObject({ kind: 'accepted', url: expect.stringMatching(/^http/) })
      expect(await opened.live()).toMatchObject([{ content: oddText, hasImage: true }])
    })

    itWhen(!takesText)('a bare text is refused before anything is sent', async () => {
      const { opened, connect, submission } = stage()
      const bare = { ...submission(await connect()), image: null }
      const refused = { kind: 'rejected', remedy: 'edit', cause: expect.stringContaining('image') }
      expect(await opened.network.prepare(bare)).toMatchObject(refused)
      expect(await opened.network.publish(bare, [])).toMatchObject(refused)
    })

    it('an overlong text is refused: the user has to change it', async () => {
      const { opened, connect, submission } = stage()
      const long = submission(await connect(), 'x'.repeat(64_000))
      const ready = await opened.network.prepare(long)
      const outcome = ready.kind === 'ready' ? await opened.network.publish(long, ready.media) : ready
      expect(outcome).toMatchObject({ kind: 'rejected', remedy: 'edit' })
      expect(await opened.live()).toEqual([])
    })

    it.each([
      ['timeout-before', 'unknown', null, 0],
      ['timeout-after', 'unknown', null, 1],
      ['reset-before', 'unknown', null, 0],
      ['reset-after', 'unknown', null, 1],
      ['error-before', 'unknown', null, 0],
      ['error-after', 'unknown', null, 1],
      ['rate-limited', 'rejected', 'wait', 0],
      ['unauthorized', 'rejected', 'reconnect', 0],
      ['duplicate', 'rejected', 'check', 0],
      ['slow', 'accepted', null, 1],
    ] as const)('%s: %s (%s) with %i posts live, confirmed by a look-up', async (kind, expected, remedy, posts) => {
      const { opened, connect, submission, post, clock } = stage()
      const { network } = opened
      const wanted = submission(await connect())
      const since = clock.now()
      await opened.plan('Acme', { kind, retryAfterSeconds: 120, delayMs: 20 })
      const { outcome, media } = await post(wanted)
      expect(outcome).toMatchObject(remedy === null ? { kind: expected } : { kind: expected, remedy })
      expect(await opened.live()).toHaveLength(posts)
      const lookUp = await network.lookUp(wanted, media, since)
      expect(lookUp).toMatchObject(
        posts === 0
          ? stage().traits.provesAbsence
            ? { kind: 'absent' }
            : { kind: 'found', candidates: [] }
          : { kind: 'found', candidates: [{ url: expect.stringMatching(/^http/) }] },
      )
      if (outcome.kind === 'rejected') expect((await post(wanted)).outcome.kind).toBe('accepted')
    })

    it('a rate limit is reported with its retry-after', async () => {
      const { opened, connect, submission, post } = stage()
      await opened.plan('Acme', { kind: 'rate-limited', retryAfterSeconds: 120 })
      const { outcome } = await post(submission(await connect()))
      const seconds = outcome.kind === 'rejected' ? outcome.retryAfterSeconds : null
      // Reset times are whole seconds.
      expect(seconds).toBeGreaterThanOrEqual(118)
      expect(seconds).toBeLessThanOrEqual(120)
    })

    it('a post over the quota waits, and nothing is live beyond the quota', async () => {
      const { opened, connect, submission, post, clock } = stage()
      await opened.limit({ posts: 2, windowMs: 24 * 3_600_000 })
      const connection = await connect()
      for (const content of ['one', 'two'])
        expect((await post(submission(connection, content))).outcome.kind).toBe('accepted')
      const { outcome } = await post(submission(connection, 'three'))
      expect(outcome).toMatchObject({ kind: 'rejected', remedy: 'wait', retryAfterSeconds: expect.any(Number) })
      expect(await opened.live()).toHaveLength(2)
      clock.advance(25 * 3_600_000)
      const anew = submission(await connect(), 'three')
      expect((await post(anew)).outcome.kind).toBe('accepted')
    })
  })

  describe('preparing', () => {
    it.each([
      ['timeout-before', 'wait'],
      ['timeout-after', 'wait'],
      ['reset-before', 'wait'],
      ['error-before', 'wait'],
      ['error-after', 'wait'],
      ['rate-limited', 'wait'],
      ['unauthorized', 'reconnect'],
    ] as const)('%s: rejected (%s), nothing is live, and it can be repeated', async (kind, remedy) => {
      const { opened, connect, submission } = stage()
      const wanted = { ...submission(await connect()), image: photo() }
      await opened.plan('Acme', { kind, step: 'prepare' })
      expect(await opened.network.prepare(wanted)).toMatchObject({ kind: 'rejected', remedy })
      expect(await opened.live()).toEqual([])
      expect(await opened.network.prepare(wanted)).toMatchObject({ kind: 'ready' })
    })
  })
}
