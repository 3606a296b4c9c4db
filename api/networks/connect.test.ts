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
    target: { accountId },
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
      sentence: 'X (Twitter) is connected.',
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

describe('connecting a profile without an account', () => {
  const target = { platform: 'twitter' } as const
  const ask = async (sessionId = 'mine') => {
    const { clientId } = account
    const { agencyId } = world
    const begun = await world.connect.begin({ target, clientId, agencyId, userId: 'owner', sessionId, redirectUri })
    if (begun.kind !== 'redirect') throw new Error(begun.sentence)
    return { url: begun.url, state: new URL(begun.url).searchParams.get('state') ?? '' }
  }
  const finish = async ({ url, state }: Awaited<ReturnType<typeof ask>>) =>
    world.connect.finish({ platform: 'twitter', state, code: await allow(url), sessionId: 'mine' })
  const accounts = async () => Object.entries((await world.commands.loadClient(account.clientId)).state.accounts)

  it('adds an account with the name of the profile, and connects it [P12.1]', async () => {
    const done = await finish(await ask())
    expect(done.kind).toBe('connected')
    const added = (await accounts()).filter(([id]) => id !== account.accountId)
    expect(added.map(([id, { isConnected, platform }]) => [id, isConnected, platform])).toEqual([
      ['accountId' in done && done.accountId, true, 'twitter'],
    ])
    expect(added[0]?.[1].accountName).toBeTruthy()
  })

  it('makes one account of two tabs, and of connecting it once more [P12.2]', async () => {
    const tabs = [await ask(), await ask()]
    const done = await Promise.all(tabs.map(finish))
    expect(done.map(({ kind }) => kind)).toEqual(['connected', 'connected'])
    await finish(await ask())
    expect((await accounts()).filter(([id]) => id !== account.accountId)).toHaveLength(1)
  })

  it('of a client that was removed meanwhile adds nothing', async () => {
    const asked = await ask()
    const by = { actor: { type: 'user', id: 'owner' }, agencyId: world.agencyId, correlationId: 'c' } as const
    await world.commands.agency(world.agencyId, { type: 'RemoveClient', clientId: account.clientId }, by)
    expect(await finish(asked)).toMatchObject({ kind: 'unknown-account' })
    expect((await accounts()).filter(([id]) => id !== account.accountId)).toEqual([])
  })
})
