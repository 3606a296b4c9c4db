import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { patience } from '../../../domain/test/patience.ts'
import type { Platform } from '../../../domain/core/values.ts'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { pause } from '../../../projections/core/pause.ts'
import { later } from '../../core/clock.ts'
import type { RecordDefinition, Records, RecordTable } from '../../records/port.ts'
import { openWorld, type Account, type World } from '../test/helpers.ts'
import { accountParts, partOfAccount } from '../work-shares.ts'
import { checkScheduleTable, type ConnectionCheck } from './check-schedule.ts'
import {
  createTokenRefresher,
  tokenRefresherDefaults,
  type TokenRefresher,
  type TokenRefresherConfig,
} from './token-refresher.ts'

let world: World
let running: TokenRefresher[]
let rounds: number
let documentsRead: number

const minute = 60_000
const eventually: typeof vi.waitFor = (check, options) =>
  vi.waitFor(check, { ...patience, interval: 5, ...(typeof options === 'object' ? options : {}) })
const hour = 60 * minute
const day = 24 * hour

beforeEach(async () => {
  running = []
  rounds = 0
  documentsRead = 0
  world = await openWorld()
})
afterEach(async () => {
  await Promise.all(running.map((refresher) => refresher.stop()))
  await world.remove()
})

/** Counts the reads of due connections: a round has two for each part of the accounts. */
const countedRecords = (): Records => ({
  ...world.records,
  async table<T extends { readonly id: string }>(definition: RecordDefinition<T>): Promise<RecordTable<T>> {
    const table = await world.records.table(definition)
    if (definition.table !== checkScheduleTable.table) return table
    const methods = ['get', 'insert', 'replace', 'put', 'remove', 'find', 'count', 'removeBefore'] as const
    const others = Object.fromEntries(methods.map((name) => [name, table[name].bind(table)]))
    const first: RecordTable<T>['first'] = async (...asked) => {
      const found = await table.first(...asked)
      documentsRead += found.length
      rounds += 1 / (2 * accountParts.length)
      return found
    }
    return { ...(others as unknown as RecordTable<T>), first }
  },
})

function start(config: Partial<TokenRefresherConfig> = {}): TokenRefresher {
  const refresher = createTokenRefresher({ ...world, records: countedRecords(), config: { pollMs: 5, ...config } })
  running.push(refresher)
  refresher.start()
  return refresher
}
const roundsPass = async (count = 3) => {
  const until = rounds + count
  await eventually(() => expect(rounds).toBeGreaterThanOrEqual(until))
}
const add = async (platform: Platform, clientId?: string): Promise<Account> => {
  const account = await world.addAccount(clientId ?? (await world.addClient()), platform)
  await eventually(async () =>
    expect(await world.views.socialAccounts.get(account.accountId)).toMatchObject({ isConnected: true }),
  )
  return account
}
const accountOf = async ({ clientId, accountId }: Account) =>
  (await world.commands.loadClient(clientId)).state.accounts[accountId]
const eventsOf = async ({ clientId }: Account, type: string) =>
  (await world.eventsOf(`client-${clientId}`)).filter((event) => event.type === type)
const addMany = async (count: number): Promise<void> => {
  const clientId = await world.addClient()
  for (let added = 0; added < count; added++) await add('facebook', clientId)
}
/** The Pages whose tokens were checked. */
const checked = () =>
  world.sandbox
    .requests()
    .flatMap(({ method, path, query }) =>
      method === 'GET' && query['fields'] === 'id,name' && /^\/facebook\/v[\d.]+\/\d+$/.test(path) ? [path] : [],
    )
const keyOf = async ({ accountId }: Account) => (await world.vault.get(accountId))?.tokens.accessToken

describe('after a start', () => {
  it('all accounts are checked within a quarter of an hour, but not all at once', { tags: 'long' }, async () => {
    await addMany(12)
    start()
    await roundsPass()
    expect(new Set(checked()).size).toBeLessThan(12)
    world.clock.advance(15 * minute)
    await eventually(() => expect(new Set(checked()).size).toBe(12))
    expect(checked()).toHaveLength(12)
  })
  it('tokens are refreshed even on a computer that is off most of the day', async () => {
    const account = await add('instagram')
    const before = await keyOf(account)
    for (let days = 0; days < 3; days++) {
      world.clock.advance(14 * day)
      const refresher = start()
      await roundsPass()
      world.clock.advance(20 * minute)
      await roundsPass()
      await refresher.stop()
    }
    await eventually(async () => expect(await keyOf(account)).not.toBe(before))
    expect(await accountOf(account)).toMatchObject({ isConnected: true })
  })
})

describe('before their expiry', () => {
  it.each<[Platform, number]>([
    ['instagram', 41],
    ['linkedin', 51],
  ])("%s's keys are renewed, and work", async (platform, days) => {
    const account = await add(platform)
    const before = await keyOf(account)
    world.clock.advance(days * day)
    start({ firstChecksWithinMs: 0 })
    await eventually(async () => expect(await keyOf(account)).not.toBe(before))
    const connection = await world.vault.get(account.accountId)
    if (!connection) throw new Error('Nothing is kept')
    world.clock.advance(30 * day)
    await expect(world.networks[platform].check(connection)).resolves.toBeUndefined()
  })
  it('tokens that are still valid for long are not refreshed', async () => {
    const account = await add('instagram')
    const before = await keyOf(account)
    world.clock.advance(30 * day)
    start({ firstChecksWithinMs: 0 })
    await roundsPass(5)
    await running[0]?.stop()
    expect(await keyOf(account)).toBe(before)
    expect(await eventsOf(account, 'SocialAccountConnectionRenewed')).toEqual([])
  })
  it('the refresh comes early enough that no user is warned of an avoidable expiry', () => {
    expect(tokenRefresherDefaults.renewAheadMs.instagram).toBeGreaterThan(14 * day)
  })
})

describe('tokens that died between posts', () => {
  it.each<Platform>(['facebook', 'instagram', 'twitter', 'linkedin'])(
    'are noticed on %s, and recorded once with the reason',
    async (platform) => {
      const account = await add(platform)
      await world.sandbox.revoke(platform, account.name)
      start({ firstChecksWithinMs: 0, checkEveryMs: hour })
      await eventually(async () => expect(await accountOf(account)).toMatchObject({ isConnected: false }), {
        ...patience,
      })
      world.clock.advance(2 * hour)
      await roundsPass()
      await running[0]?.stop()
      expect(await eventsOf(account, 'SocialAccountConnectionLost')).toMatchObject([
        { data: { cause: expect.stringContaining('Connect the account again') } },
      ])
    },
  )
  it("are noticed while other accounts' tokens work, which stay connected", async () => {
    const [dead, well] = [await add('facebook'), await add('facebook')]
    await world.sandbox.revoke('facebook', dead.name)
    start({ firstChecksWithinMs: 0 })
    await eventually(async () => expect(await accountOf(dead)).toMatchObject({ isConnected: false }), {
      ...patience,
    })
    await eventually(() => expect(new Set(checked()).size).toBe(2))
    await running[0]?.stop()
    expect(await accountOf(well)).toMatchObject({ isConnected: true })
  })
})

describe('after a clock that ran ahead was corrected', () => {
  it('connections are checked at once', async () => {
    const account = await add('facebook')
    start({ firstChecksWithinMs: 0 })
    await eventually(() => expect(checked()).toHaveLength(1))
    // The next check is planned from the time at which this one ends.
    await roundsPass()
    world.clock.advance(30 * day)
    await eventually(() => expect(checked()).toHaveLength(2))
    await roundsPass()
    // Before the clock goes back: a check in between would find the connection whole, and plan the next one.
    await world.sandbox.revoke('facebook', account.name)
    world.clock.advance(-30 * day)
    await eventually(async () => expect(await accountOf(account)).toMatchObject({ isConnected: false }), {
      ...patience,
    })
  })
  it('each is checked once, and then at its usual time', async () => {
    const account = await add('facebook')
    const table = await world.records.table<ConnectionCheck>(checkScheduleTable)
    start({ firstChecksWithinMs: 0 })
    await eventually(() => expect(checked()).toHaveLength(1))
    await roundsPass()
    const due = `${partOfAccount(account.accountId)} ${later(world.clock.now(), 30 * day)}`
    const [entry] = await table.first('due', 1)
    if (!entry) throw new Error('No check is planned')
    await table.put({ ...entry, due })
    await eventually(() => expect(checked()).toHaveLength(2))
    await roundsPass(10)
    expect(checked()).toHaveLength(2)
    world.clock.advance(day / 2 + minute)
    await eventually(() => expect(checked()).toHaveLength(3))
  })
})

describe('a network outage', () => {
  it('changes nothing, and the network is asked again within the hour', { tags: 'long' }, async () => {
    const account = await add('twitter')
    world.clock.advance(3 * hour)
    await world.sandbox.plan('twitter', account.name, { kind: 'error-before', step: 'renew' })
    const before = await keyOf(account)
    start({ firstChecksWithinMs: 0 })
    await roundsPass(10)
    expect(await keyOf(account)).toBe(before)
    expect(await accountOf(account)).toMatchObject({ isConnected: true })
    await eventually(
      async () => {
        world.clock.advance(10 * minute)
        expect(await keyOf(account)).not.toBe(before)
      },
      { ...patience, interval: 30 },
    )
    expect(await eventsOf(account, 'SocialAccountConnectionLost')).toEqual([])
  })
})

it('The token refresher checks many accounts a few at a time, each once', { tags: 'long' }, async () => {
  await addMany(20)
  start({ firstChecksWithinMs: 0, concurrency: 3 })
  await eventually(() => expect(new Set(checked()).size).toBe(20))
  await roundsPass()
  expect(checked()).toHaveLength(20)
})

it(
  'Given 10,000 connections of which 3 are due, the due ones are checked, and the others are not read',
  { tags: 'long' },
  async () => {
    const accounts = [await add('facebook'), await add('facebook'), await add('facebook')]
    const first = start({ firstChecksWithinMs: 0 })
    await eventually(() => expect(new Set(checked()).size).toBe(3))
    await first.stop()
    const table = await world.records.table<ConnectionCheck>(checkScheduleTable)
    const dueAt = later(world.clock.now(), day + 6 * hour)
    const others = Array.from({ length: 10_000 - accounts.length }, () => uuidv7())
    await Promise.all(
      others.map((id) => {
        const due = `${partOfAccount(id)} ${dueAt}`
        return table.insert({ id, clientId: 'client', agencyId: 'agency', platform: 'facebook', eventId: id, due })
      }),
    )
    expect(await table.count()).toBe(10_000)

    world.clock.advance(day)
    documentsRead = 0
    start({ pollMs: day })
    await eventually(() => expect(checked()).toHaveLength(6))
    await roundsPass(0)
    expect(documentsRead).toBe(3)
  },
)

it('A connection that ended is forgotten by its next check', async () => {
  const account = await add('facebook')
  start({ firstChecksWithinMs: 0, checkEveryMs: hour })
  await eventually(() => expect(checked()).toHaveLength(1))
  const { clientId, accountId } = account
  await world.commands.client(clientId, { type: 'DisconnectSocialAccount', accountId, because: 'asked' }, world.by)
  world.clock.advance(2 * hour)
  const table = await world.records.table<ConnectionCheck>(checkScheduleTable)
  await eventually(async () => expect(await table.count()).toBe(0))
  expect(checked()).toHaveLength(1)
})

it('A connection made anew is checked again, although its first one was forgotten', { tags: 'long' }, async () => {
  const account = await add('facebook')
  await world.sandbox.revoke('facebook', account.name)
  start({ firstChecksWithinMs: 0, checkEveryMs: hour })
  await eventually(async () => expect(await accountOf(account)).toMatchObject({ isConnected: false }))
  world.clock.advance(2 * hour)
  const table = await world.records.table<ConnectionCheck>(checkScheduleTable)
  await eventually(async () => expect(await table.count()).toBe(0))
  const before = checked().length
  await world.connectAccount(account)
  await eventually(async () => expect(await table.count()).toBe(1))
  world.clock.advance(hour)
  await eventually(() => expect(checked().length).toBeGreaterThan(before))
})

it('Checks whose end the records refuse are repeated with the next poll, not at once', async () => {
  const table = await world.records.table<ConnectionCheck>(checkScheduleTable)
  const due = later(world.clock.now(), -hour)
  for (let count = 0; count < 150; count++) {
    const id = uuidv7()
    const account = { id, clientId: 'client', agencyId: 'agency', platform: 'facebook', eventId: id } as const
    await table.insert({ ...account, due: `${partOfAccount(id)} ${due}` })
  }
  let refused = 0
  const refusing: Records = {
    ...world.records,
    table: async (definition) =>
      Object.assign(await world.records.table(definition), {
        async remove() {
          refused += 1
          throw new StoreUnavailable('The disk is full')
        },
      }),
  }
  const refresher = createTokenRefresher({ ...world, records: refusing, config: { pollMs: minute } })
  running.push(refresher)
  refresher.start()
  await eventually(() => expect(refused).toBeGreaterThanOrEqual(100))
  await pause(300)
  expect(refused).toBeLessThanOrEqual(150)
})
