import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type Account, type World } from '../processes/test/helpers.ts'
import { allow, redirectUri } from '../sandbox/test/helpers.ts'

let world: World
let account: Account

beforeEach(async () => {
  world = await openWorld()
  account = await world.addAccount(await world.addClient(), 'twitter', false)
})
afterEach(() => world.remove())

const begin = async (sessionId = 'mine') => {
  const { accountId, clientId } = account
  const begun = await world.connect.begin({
    accountId,
    clientId,
    agencyId: world.agencyId,
    userId: 'owner',
    sessionId,
    redirectUri,
  })
  if (begun.kind !== 'redirect') throw new Error(begun.sentence)
  return { url: begun.url, state: new URL(begun.url).searchParams.get('state') ?? '' }
}
const isConnected = async () =>
  (await world.commands.loadClient(account.clientId)).state.accounts[account.accountId]?.isConnected

describe('connecting an account', () => {
  it('stores its tokens and marks it as connected', async () => {
    const { url, state } = await begin()
    expect(state).toMatch(/^[\w-]{22}$/)
    const finished = await world.connect.finish({
      platform: 'twitter',
      state,
      code: await allow(url),
      sessionId: 'mine',
    })
    expect(finished).toMatchObject({
      kind: 'connected',
      platform: 'twitter',
      clientId: account.clientId,
      sentence: 'X is connected.',
    })
    expect(await isConnected()).toBe(true)
    const { remoteId } = (await world.vault.get(account.accountId)) ?? {}
    expect(await world.eventsOf(`client-${account.clientId}`)).toContainEqual(
      expect.objectContaining({
        type: 'SocialAccountConnected',
        data: expect.objectContaining({ remoteId, network: 'sandbox' }),
      }),
    )
  })

  it('accepts a state once, before it expires, and only from its own session', async () => {
    const { url, state } = await begin()
    const code = await allow(url)
    expect(await world.connect.finish({ platform: 'twitter', state, code, sessionId: 'another' })).toMatchObject({
      kind: 'expired',
    })
    expect(
      await world.connect.finish({ platform: 'twitter', state: 'made-up', code, sessionId: 'mine' }),
    ).toMatchObject({ kind: 'expired' })
    const both = await Promise.all(
      [1, 2].map(() => world.connect.finish({ platform: 'twitter', state, code, sessionId: 'mine' })),
    )
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['connected', 'expired'])
    const late = await begin()
    const lateCode = await allow(late.url)
    world.clock.advance(10 * 60_000)
    expect(
      await world.connect.finish({ platform: 'twitter', state: late.state, code: lateCode, sessionId: 'mine' }),
    ).toMatchObject({ kind: 'expired' })
  })

  it("rejects another network's answer, and still accepts its own network's", async () => {
    const { url, state } = await begin()
    const code = await allow(url)
    expect(await world.connect.finish({ platform: 'facebook', state, code, sessionId: 'mine' })).toMatchObject({
      kind: 'expired',
    })
    expect(await isConnected()).toBe(false)
    expect(await world.connect.finish({ platform: 'twitter', state, code, sessionId: 'mine' })).toMatchObject({
      kind: 'connected',
    })
  })

  it('reports plainly that access was denied, or that the network failed', async () => {
    const first = await begin()
    expect(
      await world.connect.finish({
        platform: 'twitter',
        state: first.state,
        error: 'access_denied',
        sessionId: 'mine',
      }),
    ).toMatchObject({ kind: 'canceled' })
    const second = await begin()
    expect(
      await world.connect.finish({
        platform: 'twitter',
        state: second.state,
        error: 'server_error',
        sessionId: 'mine',
      }),
    ).toMatchObject({ kind: 'network-failed' })
    const third = await begin()
    expect(
      await world.connect.finish({ platform: 'twitter', state: third.state, code: 'wrong', sessionId: 'mine' }),
    ).toMatchObject({ kind: 'network-failed' })
    expect(await isConnected()).toBe(false)
    expect(await world.vault.get(account.accountId)).toBeNull()
  })

  it('stores no tokens for a client that has been removed meanwhile', async () => {
    const { url, state } = await begin()
    const code = await allow(url)
    await world.commands.agency(world.agencyId, { type: 'RemoveClient', clientId: account.clientId }, world.by)
    expect(await world.connect.finish({ platform: 'twitter', state, code, sessionId: 'mine' })).toMatchObject({
      kind: 'unknown-account',
    })
    expect(await world.vault.get(account.accountId)).toBeNull()
    await expect(begin()).rejects.toThrow('not there any more')
  })
})
