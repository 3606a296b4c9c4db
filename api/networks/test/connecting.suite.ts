/** Connecting, refreshing, checking and revoking. */
import { describe, expect, it } from 'vitest'
import { ConnectionLost, NetworkError } from '../port.ts'
import { itWhen, type Stage, type Traits } from './helpers.ts'

const dayMs = 24 * 3_600_000

export function connectingContract({ sharesSeveral, renewal, revokes }: Traits, stage: () => Stage): void {
  describe('connecting', () => {
    it('returns the profile and working tokens', async () => {
      const { opened, connectAll } = stage()
      const profiles = await connectAll('Acme')
      expect(profiles).toEqual([
        { remoteId: expect.stringMatching(/./), name: expect.stringMatching(/^acme$/i), tokens: expect.anything() },
      ])
      for (const profile of profiles) await expect(opened.network.check(profile)).resolves.toBeUndefined()
      const [again] = await connectAll('Acme')
      expect(again?.remoteId).toBe(profiles[0]?.remoteId)
    })

    itWhen(sharesSeveral)('gives every profile that was shared, each with keys to post with', async () => {
      const { opened, connectAll, submission, post } = stage()
      const profiles = await connectAll('Acme', 'Acme Labs', 'Acme Café')
      expect(profiles.map(({ name }) => name)).toEqual(expect.arrayContaining(['Acme', 'Acme Labs', 'Acme Café']))
      expect(new Set(profiles.map(({ remoteId }) => remoteId)).size).toBe(3)
      for (const profile of profiles)
        expect((await post(submission(profile, profile.name))).outcome.kind).toBe('accepted')
      const live = await opened.live()
      expect(live.map(({ remoteId, content }) => [remoteId, content])).toEqual(
        profiles.map(({ remoteId, name }) => [remoteId, name]),
      )
    })

    it('refuses a wrong or used code, with a sentence', async () => {
      const { opened } = stage()
      const { network } = opened
      const consent = await opened.allow(['Acme'])
      const wrong = network.exchange({ ...consent, code: 'made-up' })
      await expect(wrong).rejects.toThrow('did not accept the consent')
      await expect(wrong).rejects.not.toBeInstanceOf(ConnectionLost)
      await network.exchange(consent)
      await expect(network.exchange(consent)).rejects.toThrow('did not accept the consent')
    })

    it('detects revoked tokens', async () => {
      const { opened, connect, submission } = stage()
      const connection = await connect()
      await opened.revoke('Acme')
      await expect(opened.network.check(connection)).rejects.toBeInstanceOf(ConnectionLost)
      const refused = { kind: 'rejected', remedy: 'reconnect' }
      expect(await opened.network.publish(submission(connection), ['1'])).toMatchObject(refused)
    })

    it('revokes tokens, if the network supports it', async () => {
      const { opened, connect } = stage()
      const connection = await connect()
      await opened.network.disconnect(connection)
      const check = opened.network.check(connection)
      await (revokes ? expect(check).rejects.toBeInstanceOf(ConnectionLost) : expect(check).resolves.toBeUndefined())
    })
  })

  describe('tokens', () => {
    itWhen(renewal === 'never')("can't be renewed, and don't end by themselves", async () => {
      const { opened, connect, clock } = stage()
      const connection = await connect()
      expect(connection.tokens).toMatchObject({ refreshToken: null, expiresAt: null, endsAt: null })
      await expect(opened.network.renew(connection.tokens)).rejects.toBeInstanceOf(ConnectionLost)
      clock.advance(400 * dayMs)
      await expect(opened.network.check(connection)).resolves.toBeUndefined()
    })

    itWhen(renewal !== 'never')('end when they say, and work again once renewed', async () => {
      const { opened, connect, submission, clock } = stage()
      const { network } = opened
      const connection = await connect()
      const { expiresAt } = connection.tokens
      if (expiresAt === null) throw new Error('These keys never end')
      // Shortly before the end: a token that refreshes itself can't do so after its expiry, nor on its first day.
      clock.advance(Date.parse(expiresAt) - Date.parse(clock.now()) - 60_000)
      await expect(network.check(connection)).resolves.toBeUndefined()
      const tokens = await network.renew(connection.tokens)
      clock.advance(120_000)
      await expect(network.check(connection)).rejects.toBeInstanceOf(ConnectionLost)
      expect(await network.publish(submission(connection), ['1'])).toMatchObject({
        kind: 'rejected',
        remedy: 'reconnect',
      })
      const renewed = { ...connection, tokens }
      await expect(network.check(renewed)).resolves.toBeUndefined()
      expect(Date.parse(tokens.expiresAt ?? '')).toBeGreaterThan(Date.parse(clock.now()))
    })

    itWhen(renewal === 'rotating')('are all lost when a renewal key is used twice', async () => {
      const { opened, connect } = stage()
      const connection = await connect()
      const tokens = await opened.network.renew(connection.tokens)
      expect(tokens.refreshToken).not.toBe(connection.tokens.refreshToken)
      await expect(opened.network.renew(connection.tokens)).rejects.toBeInstanceOf(ConnectionLost)
      await expect(opened.network.renew(tokens)).rejects.toBeInstanceOf(ConnectionLost)
      await expect(opened.network.check({ ...connection, tokens })).rejects.toBeInstanceOf(ConnectionLost)
    })

    itWhen(renewal === 'lasting')(
      'keep the renewal key and the day on which a person has to connect again',
      async () => {
        const { opened, connect, clock } = stage()
        const { tokens } = await connect()
        clock.advance(30 * dayMs)
        const renewed = await opened.network.renew(tokens)
        expect(renewed.refreshToken).toBe(tokens.refreshToken)
        const seconds = (instant: string | null) => Math.round(Date.parse(instant ?? '') / 10_000)
        expect(seconds(renewed.endsAt)).toBe(seconds(tokens.endsAt))
        clock.advance(340 * dayMs)
        await expect(opened.network.renew(renewed)).rejects.toBeInstanceOf(ConnectionLost)
      },
    )

    itWhen(renewal === 'itself')("can't be renewed on their first day, and aren't lost for that", async () => {
      const { opened, connect } = stage()
      const connection = await connect()
      expect(connection.tokens.refreshToken).toBe(connection.tokens.accessToken)
      const early = opened.network.renew(connection.tokens)
      await expect(early).rejects.toBeInstanceOf(NetworkError)
      await expect(early).rejects.not.toBeInstanceOf(ConnectionLost)
      await expect(opened.network.check(connection)).resolves.toBeUndefined()
    })

    itWhen(renewal === 'rotating' || renewal === 'lasting')(
      'are not lost because a renewal failed on the way',
      async () => {
        const { opened, connect } = stage()
        const { tokens } = await connect()
        for (const kind of ['error-before', 'timeout-before', 'rate-limited', 'reset-before'] as const) {
          await opened.plan('Acme', { kind, step: 'renew' })
          const failed = opened.network.renew(tokens)
          await expect(failed).rejects.toBeInstanceOf(NetworkError)
          await expect(failed).rejects.not.toBeInstanceOf(ConnectionLost)
        }
        await expect(opened.network.renew(tokens)).resolves.toMatchObject({ accessToken: expect.stringMatching(/./) })
      },
    )
  })
}
