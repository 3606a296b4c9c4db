/** Figures and quotas, an absent network, and that no message contains a token. */
import { describe, expect, it } from 'vitest'
import { ConnectionLost, NetworkError } from '../port.ts'
import { photo, saidBy, type FaultKind, type Stage, type Traits } from './helpers.ts'

export function readingContract({ hasQuota }: Traits, stage: () => Stage): void {
  const posted = async () => {
    const { connect, submission, post } = stage()
    const connection = await connect()
    const { outcome } = await post(submission(connection))
    if (outcome.kind !== 'accepted') throw new Error(outcome.cause)
    return { ...connection, postId: outcome.remoteId }
  }

  describe('figures', () => {
    it('grow from nothing; a figure that is not offered is null, not zero', async () => {
      const { opened, clock } = stage()
      const post = await posted()
      const first = await opened.network.metrics(post)
      expect(first.views).toBeLessThan(100)
      clock.advance(24 * 3_600_000)
      // X's tokens are valid for two hours.
      const tokens =
        post.tokens.refreshToken !== null && opened.network.platform === 'twitter'
          ? await opened.network.renew(post.tokens)
          : post.tokens
      const later = await opened.network.metrics({ ...post, tokens })
      expect(later.views).toBeGreaterThan(100)
      expect(later.likes).toBeGreaterThan(0)
      expect(later.shares === null).toBe(opened.network.platform === 'instagram')
    })

    it.each([
      ['timeout-before', false],
      ['reset-before', false],
      ['error-before', false],
      ['rate-limited', false],
      ['unauthorized', true],
    ] as const)('%s: an error, never zeros; connection lost: %s', async (kind, isLost) => {
      const { opened } = stage()
      const post = await posted()
      await opened.plan('Acme', { kind, step: 'metrics' })
      const failed = opened.network.metrics(post)
      await expect(failed).rejects.toBeInstanceOf(isLost ? ConnectionLost : NetworkError)
      if (!isLost) await expect(failed).rejects.not.toBeInstanceOf(ConnectionLost)
      await expect(opened.network.metrics(post)).resolves.toMatchObject({ views: expect.any(Number) })
    })
  })

  it('returns its quota if it has one', async () => {
    const { opened } = stage()
    await opened.limit({ posts: 7, windowMs: 24 * 3_600_000 })
    const quota = await opened.network.quota(await posted())
    expect(quota).toEqual(hasQuota ? { used: 1, total: 7, hours: 24 } : null)
  })

  it('without a network, nothing was sent and every call says so', async () => {
    const { opened, submission, clock } = stage()
    const { network } = opened
    const connection = await posted()
    const wanted = submission(connection)
    const consent = await opened.allow(['Acme'])
    await opened.close()
    const waits = { kind: 'rejected', remedy: 'wait', cause: expect.stringContaining("can't be reached") }
    expect(await network.publish(wanted, ['1'])).toMatchObject(waits)
    expect(await network.prepare({ ...wanted, image: photo() })).toMatchObject(waits)
    expect(await network.lookUp(wanted, ['1'], clock.now())).toMatchObject({ kind: 'undecided' })
    for (const ask of [
      () => network.exchange(consent),
      () => network.check(connection),
      () => network.metrics(connection),
    ]) {
      const failed = ask()
      await expect(failed).rejects.toThrow("can't be reached")
      await expect(failed).rejects.not.toBeInstanceOf(ConnectionLost)
    }
  })

  it('no result and no error contains a token', async () => {
    const { opened, submission, post, clock } = stage()
    const { network } = opened
    const connection = await posted()
    const wanted = submission(connection)
    const output: string[] = []
    const tell = async (asked: Promise<unknown>) => {
      output.push(
        await asked.then(
          (answer) => JSON.stringify(answer),
          (error: unknown) => (error instanceof NetworkError ? saidBy(error) : String(error)),
        ),
      )
    }
    const kinds: readonly FaultKind[] = [
      'reset-before',
      'reset-after',
      'error-after',
      'rate-limited',
      'unauthorized',
      'duplicate',
    ]
    for (const kind of kinds) {
      for (const step of ['publish', 'prepare', 'lookup', 'metrics', 'renew'] as const)
        await opened.plan('Acme', { kind, step })
      await tell(network.prepare({ ...wanted, image: photo() }))
      await tell(post(wanted))
      await tell(network.lookUp(wanted, ['1'], clock.now()))
      await tell(network.metrics(connection))
    }
    await tell(
      network.check({
        ...connection,
        tokens: { ...connection.tokens, accessToken: 'a-key-that-nobody-knows-0123456789' },
      }),
    )
    await opened.revoke('Acme')
    await tell(network.renew(connection.tokens))
    await tell(network.check(connection))
    const { accessToken, refreshToken } = connection.tokens
    for (const secret of [accessToken, refreshToken, 'a-key-that-nobody-knows']) {
      if (secret !== null) expect(output.filter((text) => text.includes(secret))).toEqual([])
    }
    expect(output.length).toBeGreaterThan(20)
  }, 60_000)
}
