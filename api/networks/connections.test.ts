/** @module-tag long */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Platform } from '../../domain/core/values.ts'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { openWorld, type Account, type World } from '../processes/test/helpers.ts'
import type { Records, Versioned } from '../records/port.ts'
import { Connections, type ConnectionConfig } from './connections.ts'
import { linkedin } from './linkedin/connector.ts'
import { linkedinDefaults } from './linkedin/settings.ts'
import { ConnectionLost, NetworkError, type Connection, type Networks } from './port.ts'
import { scripted } from './test/helpers.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.remove())

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const add = async (platform: Platform): Promise<Account> => world.addAccount(await world.addClient(), platform)
const of = (account: Account) => ({ ...account, agencyId: world.agencyId })
const another = (
  config: Partial<ConnectionConfig> = {},
  networks: Networks = world.networks,
  records: Records = world.records,
  vault = world.vault,
) => Connections.open({ commands: world.commands, networks, vault, records, clock: world.clock }, config)
interface Lock {
  readonly id: string
  readonly holder: string
}
const kept = async ({ accountId }: Account): Promise<Connection> => {
  const connection = await world.vault.get(accountId)
  if (!connection) throw new Error('Nothing is kept')
  return connection
}
const renewals = () =>
  world.sandbox.requests().filter(({ body, path }) => isRenewal(body) || path.includes('refresh_access_token')).length
const isRenewal = (body: unknown) =>
  typeof body === 'object' && body !== null && 'grant_type' in body && body.grant_type === 'refresh_token'
const events = async ({ clientId }: Account, type: string) =>
  (await world.eventsOf(`client-${clientId}`)).filter((event) => event.type === type)
const lostEvents = (account: Account) => events(account, 'SocialAccountConnectionLost')
const isConnected = async ({ clientId, accountId }: Account) =>
  (await world.commands.loadClient(clientId)).state.accounts[accountId]?.isConnected

describe('tokens that are still valid', () => {
  it('are returned unchanged', async () => {
    const account = await add('twitter')
    expect(await world.connections.usable(of(account), hour)).toEqual(await kept(account))
    expect(renewals()).toBe(0)
  })
  it('are null for an unconnected account', async () => {
    const account = await world.addAccount(await world.addClient(), 'twitter', false)
    expect(await world.connections.usable(of(account), hour)).toBeNull()
  })
})

describe('tokens of another network than the configured one', () => {
  it('are neither sent there nor recorded as lost, and work again once the settings are restored', async () => {
    const account = await add('twitter')
    const live = { ...world.networks, twitter: { ...world.networks.twitter, mode: 'live' as const } }
    const elsewhere = await another({}, live)
    await expect(elsewhere.usable(of(account), hour)).rejects.toThrow('connected to the sandbox')
    await expect(elsewhere.usable(of(account), 10 * day)).rejects.toThrow(NetworkError)
    expect(renewals()).toBe(0)
    expect(await isConnected(account)).toBe(true)
    expect(await world.connections.usable(of(account), hour)).toEqual(await kept(account))
  })
})

describe('tokens that are about to expire', () => {
  it('are refreshed in time, stored, and work', async () => {
    const account = await add('twitter')
    const before = await kept(account)
    world.clock.advance(2 * hour - minute)
    const renewed = await world.connections.usable(of(account), 2 * minute)
    expect(renewed?.tokens.accessToken).not.toBe(before.tokens.accessToken)
    expect(await kept(account)).toEqual(renewed)
    world.clock.advance(hour)
    await expect(world.networks.twitter.check(await kept(account))).resolves.toBeUndefined()
  })

  it('are refreshed once when two processes need them many times at once, and every caller gets them', async () => {
    const account = await add('twitter')
    world.clock.advance(3 * hour)
    await world.sandbox.plan('twitter', account.name, { kind: 'slow', step: 'renew', delayMs: 150 })
    const processes = [world.connections, await another()]
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, index) => processes[index % 2]?.usable(of(account), minute)),
    )
    expect(renewals()).toBe(1)
    expect(new Set(all.map((connection) => connection?.tokens.accessToken))).toEqual(
      new Set([(await kept(account)).tokens.accessToken]),
    )
    await expect(world.networks.twitter.check(await kept(account))).resolves.toBeUndefined()
    expect(await lostEvents(account)).toEqual([])
  })

  it('stay unchanged while the network is down, and are refreshed afterwards', async () => {
    const account = await add('twitter')
    world.clock.advance(3 * hour)
    await world.sandbox.plan('twitter', account.name, { kind: 'error-before', step: 'renew' })
    const failed = world.connections.usable(of(account), minute)
    await expect(failed).rejects.toBeInstanceOf(NetworkError)
    await expect(failed).rejects.not.toBeInstanceOf(ConnectionLost)
    expect(await isConnected(account)).toBe(true)
    expect(await world.connections.usable(of(account), minute)).toEqual(await kept(account))
  })
})

describe('a lock of a process that died', () => {
  const leave = async (account: Account) => {
    const locks = await world.records.table<{ id: string; holder: string }>({ table: 'renewal_locks' })
    await locks.put({ id: account.accountId, holder: 'somebody who died' })
    world.clock.advance(3 * hour)
  }
  it('is taken over once it has not changed for longer than any refresh takes', async () => {
    const account = await add('twitter')
    await leave(account)
    const connections = await another({ lockMs: 200, longestWaitMs: 5_000 })
    expect((await connections.usable(of(account), minute))?.tokens.accessToken).toBe(
      (await kept(account)).tokens.accessToken,
    )
    expect(renewals()).toBe(1)
  })
  it('stays valid however far the clock jumps', async () => {
    const account = await add('twitter')
    await leave(account)
    const connections = await another({ lockMs: 60_000, longestWaitMs: 200 })
    world.clock.advance(day)
    await expect(connections.usable(of(account), minute)).rejects.toThrow('takes too long to renew')
    expect(renewals()).toBe(0)
  })
  it('is taken over by only one of two waiting processes', async () => {
    const account = await add('twitter')
    await leave(account)
    const both = [
      await another({ lockMs: 1_000, longestWaitMs: 5_000 }),
      await another({ lockMs: 1_000, longestWaitMs: 5_000 }),
    ]
    await Promise.all(both.map((connections) => connections.usable(of(account), minute)))
    expect(renewals()).toBe(1)
  })
})

describe('a process that is paused in the middle of a refresh', () => {
  const locksWith = (onGet: (found: Versioned<Lock> | null) => Promise<void>): Records => ({
    ...world.records,
    table: async (definition) => {
      const table = await world.records.table(definition)
      if (definition.table !== 'renewal_locks') return table
      const get = table.get.bind(table)
      return Object.assign(table, {
        async get(id: string) {
          const found = await get(id)
          await onGet(found as Versioned<Lock> | null)
          return found
        },
      })
    },
  })

  it('removes its own lock only, not that of the process that took over', async () => {
    const account = await add('twitter')
    world.clock.advance(3 * hour)
    const locks = await world.records.table<Lock>({ table: 'renewal_locks' })
    const records = locksWith(async (found) => {
      if (found) await locks.replace({ id: found.record.id, holder: 'another' }, found.version)
    })
    const paused = await another({}, world.networks, records)
    await paused.usable(of(account), minute)
    expect((await locks.get(account.accountId))?.record.holder).toBe('another')
  })

  it('sends no refresh token that another process has used meanwhile', async () => {
    const account = await add('twitter')
    world.clock.advance(3 * hour)
    const lockMs = 200
    const other = await another({ lockMs })
    const { vault } = world
    const pausing = Object.assign(Object.create(vault) as typeof vault, {
      reads: 0,
      async kept(this: { reads: number }, accountId: string) {
        const found = await vault.kept(accountId)
        if (++this.reads === 2) await other.usable(of(account), minute)
        return found
      },
    })
    const paused = await another({ lockMs }, world.networks, world.records, pausing)
    expect(await paused.usable(of(account), minute)).toEqual(await kept(account))
    expect(renewals()).toBe(1)
    expect(await lostEvents(account)).toEqual([])
  })
})

describe('new tokens, when the records fail for a moment', () => {
  it.each(['before', 'after'] as const)('are stored all the same (they fail %s the write)', async (when) => {
    const account = await add('twitter')
    world.clock.advance(3 * hour)
    const replace = world.vault.replace.bind(world.vault)
    vi.spyOn(world.vault, 'replace').mockImplementationOnce(async (...args) => {
      if (when === 'after') await replace(...args)
      throw new StoreUnavailable('The records are away')
    })
    await world.connections.usable(of(account), minute).catch(() => null)
    expect(await world.connections.usable(of(account), minute)).toEqual(await kept(account))
    await expect(world.networks.twitter.check(await kept(account))).resolves.toBeUndefined()
    expect(await lostEvents(account)).toEqual([])
  })

  it('have the day on which they end recorded', async () => {
    const account = await add('instagram')
    world.clock.advance(day)
    vi.spyOn(world.commands, 'client').mockImplementationOnce(async () => {
      throw new StoreUnavailable('The log is away')
    })
    await world.connections.usable(of(account), 70 * day).catch(() => null)
    const { endsAt } = (await kept(account)).tokens
    await world.connections.usable(of(account), minute)
    expect(await events(account, 'SocialAccountConnectionRenewed')).toMatchObject([{ data: { endsAt } }])
  })
})

describe('a refresh that is refused for good', () => {
  it('records the connection as lost, once', async () => {
    const account = await add('twitter')
    await world.sandbox.revoke('twitter', account.name)
    world.clock.advance(3 * hour)
    const asked = await Promise.allSettled([1, 2].map(() => world.connections.usable(of(account), minute)))
    expect(asked.every((one) => one.status === 'rejected' && one.reason instanceof ConnectionLost)).toBe(true)
    await expect(world.connections.usable(of(account), minute)).rejects.toBeInstanceOf(ConnectionLost)
    expect(await lostEvents(account)).toHaveLength(1)
    expect(await isConnected(account)).toBe(false)
  })

  it('changes nothing when the account has been reconnected meanwhile', async () => {
    const account = await add('twitter')
    await world.sandbox.revoke('twitter', account.name)
    world.clock.advance(3 * hour)
    const { twitter } = world.networks
    const connections = await another(
      {},
      {
        ...world.networks,
        twitter: {
          ...twitter,
          async renew(tokens) {
            await world.connectAccount(account)
            return twitter.renew(tokens)
          },
        },
      },
    )
    expect(await connections.usable(of(account), minute)).toEqual(await kept(account))
    expect(await lostEvents(account)).toEqual([])
    expect(await isConnected(account)).toBe(true)
    await expect(twitter.check(await kept(account))).resolves.toBeUndefined()
  })

  it('never happens for a connection without a refresh token, which is lost when it expires, not before', async () => {
    const account = await add('linkedin')
    const { remoteId, tokens } = await kept(account)
    await world.vault.put(account.accountId, {
      remoteId,
      tokens: { ...tokens, refreshToken: null, endsAt: tokens.expiresAt },
    })
    world.clock.advance(60 * day - hour)
    expect(await world.connections.usable(of(account), 10 * day)).toEqual(await kept(account))
    world.clock.advance(2 * hour)
    await expect(world.connections.usable(of(account), minute)).rejects.toThrow('limited time')
    expect(await lostEvents(account)).toHaveLength(1)
  })
})

describe('a user who reconnects the account during a refresh', () => {
  it('wins: the new tokens stay, and are used', async () => {
    const account = await add('twitter')
    world.clock.advance(3 * hour)
    const { twitter } = world.networks
    const slow: typeof twitter = {
      ...twitter,
      async renew(tokens) {
        const renewed = await twitter.renew(tokens)
        await world.connectAccount(account)
        return renewed
      },
    }
    const connections = await another({}, { ...world.networks, twitter: slow })
    const used = await connections.usable(of(account), minute)
    const reconnected = await kept(account)
    expect(renewals()).toBe(1)
    expect(used).toEqual(reconnected)
    expect(await kept(account)).toEqual(reconnected)
    expect(await lostEvents(account)).toEqual([])
  })
})

describe("each network's rules", () => {
  it("Instagram's tokens refresh themselves, which moves the day on which they end", async () => {
    const account = await add('instagram')
    const before = await kept(account)
    expect(before.tokens.endsAt).toBe(before.tokens.expiresAt)
    world.clock.advance(day)
    const after = await world.connections.usable(of(account), 70 * day)
    expect(after?.tokens.endsAt).toBe(after?.tokens.expiresAt)
    expect(await events(account, 'SocialAccountConnectionRenewed')).toMatchObject([
      { data: { endsAt: after?.tokens.endsAt } },
    ])
    expect(String(after?.tokens.endsAt) > String(before.tokens.endsAt)).toBe(true)
  })

  it('Instagram refreshes nothing on the first day, and the connection is not lost', async () => {
    const account = await add('instagram')
    const before = await kept(account)
    world.clock.advance(day - hour)
    const early = world.connections.usable(of(account), 70 * day)
    await expect(early).rejects.toBeInstanceOf(NetworkError)
    await expect(early).rejects.not.toBeInstanceOf(ConnectionLost)
    expect(await kept(account)).toEqual(before)
    expect(await isConnected(account)).toBe(true)
  })

  it('LinkedIn may return no new refresh token: the old one stays, and so does its end', async () => {
    const account = await add('linkedin')
    const endsAt = new Date(Date.parse(world.clock.now()) + 200 * day).toISOString()
    const { remoteId, tokens } = await kept(account)
    await world.vault.put(account.accountId, { remoteId, tokens: { ...tokens, refreshToken: 'the-old-one', endsAt } })
    const network = await scripted(() => ({ body: { access_token: 'a-new-one', expires_in: 5_184_000 } }))
    const setup = {
      mode: 'sandbox',
      clock: world.clock,
      timeoutMs: 2_000,
      clientId: 'id',
      clientSecret: 'secret',
    } as const
    const connections = await another(
      {},
      { ...world.networks, linkedin: linkedin({ ...linkedinDefaults, ...setup, wwwUrl: network.url }) },
    )
    const renewed = await connections.usable(of(account), 70 * day).finally(() => network.close())
    expect(renewed?.tokens).toMatchObject({ accessToken: 'a-new-one', refreshToken: 'the-old-one', endsAt })
    expect(await kept(account)).toEqual(renewed)
  })

  it("LinkedIn's last access token is used until it expires, even after the refresh token has expired", async () => {
    const account = await add('linkedin')
    const { remoteId, tokens } = await kept(account)
    await world.vault.put(account.accountId, {
      remoteId,
      tokens: { ...tokens, refreshToken: 'over', endsAt: world.clock.now() },
    })
    world.clock.advance(55 * day)
    expect((await world.connections.usable(of(account), 10 * day))?.tokens.accessToken).toBe(tokens.accessToken)
    expect(await isConnected(account)).toBe(true)
  })

  it("Facebook's tokens don't expire, so nothing is refreshed", async () => {
    const account = await add('facebook')
    world.clock.advance(400 * day)
    expect(await world.connections.usable(of(account), 60 * day)).toEqual(await kept(account))
  })
})

describe('tokens that the network refused before their expiry', () => {
  const sentence = 'X no longer accepts this connection. Connect the account again.'

  it('are refreshed, by one process, however many were refused', async () => {
    const account = await add('twitter')
    const refused = await kept(account)
    await world.sandbox.plan('twitter', account.name, { kind: 'slow', step: 'renew', delayMs: 150 })
    const processes = [world.connections, await another(), world.connections]
    const revived = await Promise.all(
      processes.map((connections) => connections.revive(of(account), refused, sentence)),
    )
    expect(revived).toEqual([true, true, true])
    expect(renewals()).toBe(1)
    expect(await lostEvents(account)).toEqual([])
    await expect(world.networks.twitter.check(await kept(account))).resolves.toBeUndefined()
  })
  it('are lost when the refresh is refused too: recorded once, with the cause', async () => {
    const account = await add('twitter')
    const refused = await kept(account)
    await world.sandbox.revoke('twitter', account.name)
    expect(await world.connections.revive(of(account), refused, sentence)).toBe(false)
    expect(await world.connections.revive(of(account), refused, sentence)).toBe(false)
    expect(await lostEvents(account)).toMatchObject([{ data: { cause: expect.stringContaining('no longer renews') } }])
  })
  it('are lost when they can not be refreshed', async () => {
    const account = await add('facebook')
    expect(await world.connections.revive(of(account), await kept(account), sentence)).toBe(false)
    expect(await lostEvents(account)).toMatchObject([{ data: { cause: sentence } }])
  })
  it('are not lost while the network is down', async () => {
    const account = await add('twitter')
    await world.sandbox.plan('twitter', account.name, { kind: 'reset-before', step: 'renew' })
    expect(await world.connections.revive(of(account), await kept(account), sentence)).toBe(true)
    expect(await isConnected(account)).toBe(true)
  })
  it('are ignored when a user has connected the account to the same profile meanwhile', async () => {
    const account = await add('facebook')
    const refused = await kept(account)
    await world.connectAccount(account)
    expect((await kept(account)).remoteId).toBe(refused.remoteId)
    expect(await world.connections.revive(of(account), refused, sentence)).toBe(true)
    expect(await world.connections.lost(of(account), refused, sentence)).toBe(false)
    expect(await isConnected(account)).toBe(true)
  })
})
