import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type Account, type World } from '../processes/test/helpers.ts'
import { absentNetwork } from './absent.ts'
import { createConnect, type Connect, type Finished } from './connect.ts'
import { allow, redirectUri } from '../sandbox/test/helpers.ts'
import { TokenCipher } from './token-cipher.ts'

let world: World
let account: Account

beforeEach(async () => {
  world = await openWorld()
  account = await world.addAccount(await world.addClient(), 'facebook', false)
})
afterEach(() => world.remove())

const minute = 60_000
const asked = ({ accountId, clientId }: Account = account, sessionId = 'mine') => ({
  target: { accountId },
  clientId,
  agencyId: world.agencyId,
  userId: 'owner',
  sessionId,
  redirectUri,
})

async function consent(names: readonly string[], sessionId = 'mine'): Promise<Finished> {
  const begun = await world.connect.begin(asked(account, sessionId))
  if (begun.kind !== 'redirect') throw new Error(begun.sentence)
  const state = new URL(begun.url).searchParams.get('state') ?? ''
  return world.connect.finish({ platform: account.platform, state, code: await allow(begun.url, names), sessionId })
}
async function offered(...names: string[]) {
  const done = await consent(names)
  if (done.kind !== 'choose') throw new Error(done.kind)
  const choice = { agencyId: world.agencyId, accountId: account.accountId, choiceId: done.choiceId, sessionId: 'mine' }
  return { choice, profiles: (await world.connect.choices(choice)) ?? [] }
}
const connectedTo = async () => (await world.vault.get(account.accountId))?.remoteId ?? null
const rowsOf = async (table: string) => {
  const records = await world.records.table<{ id: string; agencyId: string; expiresAt: string }>({
    table,
    indexed: ['expiresAt', 'agencyId'],
  })
  return records.find('agencyId', world.agencyId)
}

describe('a consent that covers several profiles', () => {
  it('lets the user choose one by name, and connects it', async () => {
    const { choice, profiles } = await offered('Acme', 'Acme Labs', 'Acme Café')
    expect(profiles.map(({ name }) => name)).toEqual(['Acme', 'Acme Labs', 'Acme Café'])
    expect(await connectedTo()).toBeNull()
    const remoteId = profiles[1]?.remoteId ?? ''
    expect(await world.connect.choose({ ...choice, remoteId })).toMatchObject({
      kind: 'connected',
      platform: 'facebook',
    })
    expect(await connectedTo()).toBe(remoteId)
    expect(await world.connect.choices(choice)).toBeNull()
  })
  it('sends no tokens to the user who chooses', async () => {
    const { profiles } = await offered('Acme', 'Acme Labs')
    for (const profile of profiles) expect(Object.keys(profile)).toEqual(['remoteId', 'name'])
  })
  it('belongs to its session: another session finds nothing and chooses nothing', async () => {
    const { choice, profiles } = await offered('Acme', 'Acme Labs')
    const remoteId = profiles[0]?.remoteId ?? ''
    expect(await world.connect.choices({ ...choice, sessionId: 'another' })).toBeNull()
    expect(await world.connect.choose({ ...choice, sessionId: 'another', remoteId })).toMatchObject({ kind: 'expired' })
    expect(await world.connect.choices(choice)).toHaveLength(2)
  })
  it('belongs to its account: no other account can use it', async () => {
    const { choice, profiles } = await offered('Acme', 'Acme Labs')
    const other = await world.addAccount(account.clientId, 'facebook', false)
    const elsewhere = { ...choice, accountId: other.accountId }
    expect(await world.connect.choices(elsewhere)).toBeNull()
    expect(await world.connect.choose({ ...elsewhere, remoteId: profiles[0]?.remoteId ?? '' })).toMatchObject({
      kind: 'expired',
    })
  })
  it('expires after ten minutes', async () => {
    const { choice, profiles } = await offered('Acme', 'Acme Labs')
    world.clock.advance(10 * minute)
    expect(await world.connect.choices(choice)).toBeNull()
    expect(await world.connect.choose({ ...choice, remoteId: profiles[0]?.remoteId ?? '' })).toMatchObject({
      kind: 'expired',
    })
    expect(await connectedTo()).toBeNull()
  })
  it('connects one profile when two are chosen concurrently', async () => {
    const { choice, profiles } = await offered('Acme', 'Acme Labs')
    const both = await Promise.all(profiles.map(({ remoteId }) => world.connect.choose({ ...choice, remoteId })))
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['connected', 'expired'])
    const events = await world.eventsOf(`client-${account.clientId}`)
    expect(events.filter(({ type }) => type === 'SocialAccountConnected')).toHaveLength(1)
  })
  it('stays open when the user names a profile that it does not cover', async () => {
    const { choice, profiles } = await offered('Acme', 'Acme Labs')
    const wrong = await world.connect.choose({ ...choice, remoteId: 'made-up' })
    expect(wrong).toMatchObject({ kind: 'not-offered', sentence: expect.stringContaining('not one of those') })
    expect(await world.connect.choose({ ...choice, remoteId: profiles[0]?.remoteId ?? '' })).toMatchObject({
      kind: 'connected',
    })
  })
  it('connects nothing for a client that has been removed meanwhile', async () => {
    const { choice, profiles } = await offered('Acme', 'Acme Labs')
    await world.commands.agency(world.agencyId, { type: 'RemoveClient', clientId: account.clientId }, world.by)
    expect(await world.connect.choose({ ...choice, remoteId: profiles[0]?.remoteId ?? '' })).toMatchObject({
      kind: 'unknown-account',
    })
    expect(await connectedTo()).toBeNull()
  })
  it('skips the choice for an account that was connected before: it takes the same profile', async () => {
    const { choice, profiles } = await offered('Acme', 'Acme Labs')
    const remoteId = profiles[1]?.remoteId ?? ''
    await world.connect.choose({ ...choice, remoteId })
    expect(await consent(['Acme', 'Acme Labs', 'Acme Café'])).toMatchObject({ kind: 'connected' })
    expect(await connectedTo()).toBe(remoteId)
  })
  it('offers a choice when the previous profile is not among them', async () => {
    await consent(['Acme Old'])
    expect(await consent(['Acme', 'Acme Labs'])).toMatchObject({ kind: 'choose' })
  })
  it('expires when the encryption key that sealed it is replaced', async () => {
    const { choice } = await offered('Acme', 'Acme Labs')
    const rotated: Connect = await createConnect({ ...world, cipher: new TokenCipher({ current: randomBytes(32) }) })
    expect(await rotated.choices(choice)).toBeNull()
    expect(await rotated.choose({ ...choice, remoteId: 'any' })).toMatchObject({ kind: 'expired' })
  })
  it('stores the profiles encrypted until then', async () => {
    await offered('Acme Visible', 'Acme Labs')
    const [row] = await rowsOf('profile_choices')
    expect(row).toMatchObject({ profiles: { data: expect.any(String) } })
    expect(JSON.stringify(row)).not.toMatch(/Acme|accessToken/)
  })
})

describe('an abandoned consent', () => {
  it('is swept with its verifiers and tokens, even if no user starts another', async () => {
    await offered('Acme', 'Acme Labs')
    await world.connect.begin(asked())
    expect(await rowsOf('oauth_states')).toHaveLength(1)
    expect(await rowsOf('profile_choices')).toHaveLength(1)
    world.clock.advance(9 * minute)
    await world.connect.sweep()
    expect(await rowsOf('oauth_states')).toHaveLength(1)
    world.clock.advance(2 * minute)
    await world.connect.sweep()
    expect(await rowsOf('oauth_states')).toEqual([])
    expect(await rowsOf('profile_choices')).toEqual([])
  })
})

describe('the PKCE verifier', () => {
  it("is sent with the code, and matches the link's challenge", async () => {
    const x = await world.addAccount(account.clientId, 'twitter', false)
    await world.connectAccount(x)
    const traded = world.sandbox.requests().filter(({ path }) => path.endsWith('/oauth2/token'))
    expect(traded).toMatchObject([
      { body: { grant_type: 'authorization_code', code_verifier: expect.stringMatching(/^[\w-]{43}$/) } },
    ])
  })
  it('is different for every link', async () => {
    const links = await Promise.all(
      [1, 2].map(async () => world.connect.begin(asked(await world.addAccount(account.clientId, 'twitter', false)))),
    )
    const challenges = links.map((begun) =>
      begun.kind === 'redirect' ? new URL(begun.url).searchParams.get('code_challenge') : null,
    )
    expect(new Set(challenges).size).toBe(2)
  })
})

describe('a network that is not set up', () => {
  it('gets an error, and nothing is stored', async () => {
    const connect = await createConnect({
      ...world,
      networks: { ...world.networks, facebook: absentNetwork('facebook') },
    })
    expect(await connect.begin(asked())).toEqual({
      kind: 'network-failed',
      sentence: 'Facebook is not set up on this server.',
    })
    expect(await rowsOf('oauth_states')).toEqual([])
  })
})
