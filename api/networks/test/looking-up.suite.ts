/** Looking up an unknown outcome: finds exactly the post, no similar one, and never guesses. */
import { describe, expect, it } from 'vitest'
import { oddText } from './publishing.suite.ts'
import type { Stage } from './helpers.ts'

export function lookingUpContract(stage: () => Stage): void {
  describe('looking up', () => {
    it('finds exactly the post, for any text', async () => {
      const { opened, connect, submission, post, clock } = stage()
      const wanted = submission(await connect(), oddText)
      const since = clock.now()
      const { outcome, media } = await post(wanted)
      if (outcome.kind !== 'accepted') throw new Error(outcome.cause)
      const found = await opened.network.lookUp(wanted, media, since)
      expect(found).toEqual({ kind: 'found', candidates: [{ remoteId: outcome.remoteId, url: outcome.url }] })
    })

    it('finds a post that begins with a mention', async () => {
      const { opened, connect, submission, post, clock } = stage()
      const wanted = submission(await connect(), '@bluecup opens at seven')
      const since = clock.now()
      const { media } = await post(wanted)
      expect(await opened.network.lookUp(wanted, media, since)).toMatchObject({ kind: 'found', candidates: [{}] })
    })

    it("finds no older post, no other text, and no other profile's post", async () => {
      const { opened, connect, submission, post, clock, traits } = stage()
      const [mine, other] = [await connect(), await connect('Other')]
      const wanted = submission(mine, 'the one')
      await post(wanted)
      await post(submission(other, 'the one'))
      clock.advance(60_000)
      const since = clock.now()
      await post(submission(mine, 'the one and only'))
      const ready = await opened.network.prepare(wanted)
      const media = ready.kind === 'ready' ? ready.media : []
      expect(await opened.network.lookUp(wanted, media, since)).toEqual(
        traits.provesAbsence ? { kind: 'absent' } : { kind: 'found', candidates: [] },
      )
    })

    it('finds one among many', { tags: 'long' }, async () => {
      const { opened, connect, submission, post, clock } = stage()
      const connection = await connect()
      const since = clock.now()
      const wanted = submission(connection, 'the one')
      const { media } = await post(wanted)
      for (let tens = 0; tens < 12; tens++) {
        const texts = Array.from({ length: 10 }, (_, ones) => `another ${tens}${ones}`)
        await Promise.all(texts.map((text) => post(submission(connection, text))))
      }
      expect(await opened.network.lookUp(wanted, media, since)).toMatchObject({ kind: 'found', candidates: [{}] })
    })

    it.each(['timeout-before', 'reset-before', 'error-before', 'rate-limited', 'unauthorized'] as const)(
      '%s: undecided, never "not live"',
      async (kind) => {
        const { opened, connect, submission, post, clock } = stage()
        const wanted = submission(await connect())
        const since = clock.now()
        const { media } = await post(wanted)
        await opened.plan('Acme', { kind, step: 'lookup' })
        expect(await opened.network.lookUp(wanted, media, since)).toMatchObject({
          kind: 'undecided',
          cause: expect.stringMatching(/\.$/),
        })
        expect(await opened.network.lookUp(wanted, media, since)).toMatchObject({ kind: 'found', candidates: [{}] })
      },
    )
  })
}
