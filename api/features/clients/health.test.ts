import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { later } from '../../core/clock.ts'
import { openWorld, type Account, type World } from '../../processes/test/helpers.ts'
import { accountHealth, connectionWarnings } from './health.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.remove())

const day = 24 * 3_600_000
const of = (account: Account) => ({ ...account, agencyId: world.agencyId })
async function seen(account: Account) {
  const { clientId, accountId } = account
  const { head } = await world.commands.loadClient(clientId)
  if (head.type !== null && head.position !== null)
    await world.projector.waitFor(
      [{ type: head.type, stream: `client-${clientId}`, revision: head.revision, position: head.position }],
      patience.timeout,
    )
  const view = await world.views.socialAccounts.get(accountId)
  if (!view) throw new Error('No account')
  return accountHealth(world)(view)
}
const lose = async (account: Account) => {
  const connection = await world.vault.get(account.accountId)
  if (connection) await world.connections.lost(of(account), connection, 'The password was changed.')
}
const endIn = async ({ clientId, accountId }: Account, days: number) =>
  world.commands.client(
    clientId,
    { type: 'RecordConnectionRenewed', accountId, endsAt: later(world.clock.now(), days * day) },
    world.by,
  )
const warnings = async () => {
  const { clients } = (await world.commands.loadAgency(world.agencyId)).state
  return connectionWarnings(world)({ agencyId: world.agencyId }, clients)
}

describe('a connection', () => {
  it('is "none" before anyone connects it', async () => {
    expect(await seen(await world.addAccount(await world.addClient(), 'facebook', false))).toMatchObject({
      state: 'none',
      endangeredPosts: 0,
      pause: null,
    })
  })
  it('is connected while no end is in sight', async () => {
    const account = await world.addAccount(await world.addClient(), 'facebook')
    await world.schedule(account, 'Hello')
    expect(await seen(account)).toMatchObject({ state: 'connected', endangeredPosts: 0, lostBecause: null })
  })
  it('is ending from two weeks before its end, and endangers the posts due after it', async () => {
    const account = await world.addAccount(await world.addClient(), 'linkedin')
    for (const days of [1, 9, 11, 30]) await world.schedule(account, `In ${days} days`, days * day)
    await endIn(account, 15)
    expect(await seen(account)).toMatchObject({ state: 'connected', endangeredPosts: 0 })
    await endIn(account, 10)
    expect(await seen(account)).toMatchObject({ state: 'ending', endangeredPosts: 2 })
  })
  it('is broken with a reason once it is lost, and endangers all of its posts', async () => {
    const account = await world.addAccount(await world.addClient(), 'facebook')
    for (const days of [1, 9]) await world.schedule(account, `In ${days} days`, days * day)
    await lose(account)
    expect(await seen(account)).toMatchObject({
      state: 'broken',
      endangeredPosts: 2,
      lostBecause: 'The password was changed.',
    })
  })
  it('is "none" again after a user disconnects a broken one', async () => {
    const account = await world.addAccount(await world.addClient(), 'facebook')
    await lose(account)
    await world.commands.client(
      account.clientId,
      { type: 'DisconnectSocialAccount', accountId: account.accountId, because: 'asked' },
      world.by,
    )
    expect(await seen(account)).toMatchObject({ state: 'none', lostBecause: null })
    expect(await warnings()).toEqual([])
  })
  it('is paused until the network accepts posts again', async () => {
    const account = await world.addAccount(await world.addClient(), 'facebook')
    const until = later(world.clock.now(), 60_000)
    await world.commands.client(
      account.clientId,
      { type: 'PauseSocialAccount', accountId: account.accountId, until, cause: 'Too many posts.' },
      world.by,
    )
    expect(await seen(account)).toMatchObject({ state: 'connected', pause: { until, because: 'Too many posts.' } })
    world.clock.advance(60_000)
    expect(await seen(account)).toMatchObject({ pause: null })
  })
  it('of Instagram renews itself: its end is shown only when the renewal fails', async () => {
    const account = await world.addAccount(await world.addClient(), 'instagram')
    expect(await seen(account)).toMatchObject({ state: 'connected', endsAt: null })
    world.clock.advance(47 * day)
    expect(await seen(account)).toMatchObject({ state: 'ending', endsAt: expect.any(String) })
  })
})

describe('connection warnings', () => {
  it("cover the agency's own accounts, broken ones first, with the endangered posts", async () => {
    const clientId = await world.addClient()
    const [ending, broken, well] = [
      await world.addAccount(clientId, 'linkedin'),
      await world.addAccount(clientId, 'facebook'),
      await world.addAccount(clientId, 'twitter'),
    ]
    await endIn(ending, 3)
    await world.schedule(ending, 'Late', 5 * day)
    await lose(broken)
    for (const account of [ending, broken, well]) await seen(account)
    expect(await warnings()).toMatchObject([
      { accountId: broken.accountId, state: 'broken', posts: 0 },
      { accountId: ending.accountId, state: 'ending', posts: 1, clientId },
    ])
    expect(
      await connectionWarnings(world)(
        { agencyId: 'another-agency' },
        (await world.commands.loadAgency(world.agencyId)).state.clients,
      ),
    ).toEqual([])
    expect(await connectionWarnings(world)({ agencyId: world.agencyId }, {})).toEqual([])
  })
})
