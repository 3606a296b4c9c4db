/** Connecting and disconnecting accounts over HTTP, with the server's own sandbox. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type ApiClient } from '../../http/client.ts'
import { scripted } from '../../networks/test/helpers.ts'
import { allow } from '../../sandbox/test/serving.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let caller: ApiClient
beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
})
afterAll(() => server.remove())

async function account(platform: 'facebook' | 'twitter' | 'linkedin' = 'facebook', by = caller) {
  const client = await by.callOrThrow('addClient', { body: { name: 'Blue Cup', industry: 'Coffee' } })
  return by.callOrThrow('addSocialAccount', { params: { id: client.id }, body: { platform, accountName: 'Blue Cup' } })
}
const reads = async ({ id, clientId }: { id: string; clientId: string }) =>
  (await caller.callOrThrow('listSocialAccounts', { params: { id: clientId } })).find((one) => one.id === id)

/** Consents to the named profiles, and returns the browser's final address. */
async function consent(id: string, names: readonly string[], by = caller): Promise<URL> {
  const { headers } = await by.ask('connectSocialAccount', { params: { id } })
  const url = new URL(headers.get('location') ?? '')
  const code = await allow(url.href, names)
  const back = await by.get(
    `/api/oauth/facebook/callback?${new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' })}`,
  )
  return new URL(back.headers.get('location') ?? '', server.url)
}

describe('consent to several profiles', () => {
  it('leads to a choice, and the choice connects the account', async () => {
    const { id, clientId } = await account()
    const appendedEvents = await consent(id, ['Acme', 'Acme Labs'])
    expect([
      appendedEvents.pathname,
      appendedEvents.searchParams.get('connect'),
      appendedEvents.searchParams.get('account'),
    ]).toEqual([`/clients/${clientId}`, 'choose', id])
    const params = { id, choice: appendedEvents.searchParams.get('choice') ?? '' }
    const profiles = await caller.callOrThrow('listProfileChoices', { params })
    expect(profiles.map(({ name }) => name)).toEqual(['Acme', 'Acme Labs'])

    const wrong = await caller.ask('chooseProfile', { params, body: { remoteId: 'made-up' } })
    expect([wrong.status, wrong.text]).toEqual([
      409,
      'This profile is not one of those that you allowed. Choose one of the list.',
    ])
    const chosen = await caller.callOrThrow('chooseProfile', {
      params,
      body: { remoteId: profiles[1]?.remoteId ?? '' },
    })
    expect(chosen).toMatchObject({ id, isConnected: true, state: 'connected', network: 'sandbox' })

    const over = await caller.ask('listProfileChoices', { params })
    expect([over.status, over.text]).toEqual([404, "This choice doesn't exist."])
    const again = await caller.ask('chooseProfile', { params, body: { remoteId: profiles[1]?.remoteId ?? '' } })
    expect([again.status, again.text]).toEqual([409, 'This choice is too old. Connect the account again.'])
  })

  it('is hidden from other agencies and other sessions', async () => {
    const { id } = await account()
    const appendedEvents = await consent(id, ['Acme', 'Acme Labs'])
    const params = { id, choice: appendedEvents.searchParams.get('choice') ?? '' }
    const stranger = await owner(server)
    expect((await stranger.ask('listProfileChoices', { params })).status).toBe(404)
    const theirs = await account('facebook', stranger)
    expect((await stranger.ask('listProfileChoices', { params: { ...params, id: theirs.id } })).status).toBe(404)
    expect(
      (await stranger.ask('chooseProfile', { params: { ...params, id: theirs.id }, body: { remoteId: 'x' } })).status,
    ).toBe(409)
    expect(await caller.callOrThrow('listProfileChoices', { params })).toHaveLength(2)
  })
})

describe('a network that fails during connecting', () => {
  it('sends the browser back with an error code, not to an error page', { tags: 'long' }, async () => {
    const nowhere = await scripted(() => ({ status: 500 }))
    const live = await testServer({
      FACEBOOK_APP_ID: 'id',
      FACEBOOK_APP_SECRET: 'secret',
      FACEBOOK_GRAPH_URL: nowhere.url,
    })
    try {
      const by = await owner(live)
      const { id } = await account('facebook', by)
      const { headers } = await by.ask('connectSocialAccount', { params: { id } })
      const state = new URL(headers.get('location') ?? '').searchParams.get('state') ?? ''
      const back = await by.get(`/api/oauth/facebook/callback?${new URLSearchParams({ code: 'a-code', state })}`)
      expect(back.status).toBe(302)
      expect(back.headers.get('location')).toContain('connect=network-failed')
      expect(back.headers.get('location')).not.toContain('a-code')
    } finally {
      await live.remove()
      await nowhere.close()
    }
  })
})

describe('disconnecting', () => {
  it('deletes the keys and shows the account as disconnected', async () => {
    const { accountId: id, clientId } = await brand(caller, 'twitter')
    await caller.callOrThrow('disconnectSocialAccount', { params: { id } })
    expect(await reads({ id, clientId })).toMatchObject({ isConnected: false, state: 'none', network: null })
    await connect(caller, id)
    expect(await reads({ id, clientId })).toMatchObject({ isConnected: true, state: 'connected' })
  })
  it('revokes the keys at X', { tags: 'long' }, async () => {
    const network = await scripted(({ path }) => ({
      body: path.endsWith('/users/me')
        ? { data: { id: '42', name: 'Blue Cup', username: 'bluecup' } }
        : {
            token_type: 'bearer',
            expires_in: 7200,
            access_token: 'an-access-key',
            refresh_token: 'a-refresh-key',
            scope: '',
          },
    }))
    const live = await testServer({
      X_CLIENT_ID: 'id',
      X_CLIENT_SECRET: 'secret',
      X_API_URL: network.url,
      X_AUTHORIZE_URL: network.url,
    })
    try {
      const by = await owner(live)
      const { id } = await account('twitter', by)
      const { headers } = await by.ask('connectSocialAccount', { params: { id } })
      const state = new URL(headers.get('location') ?? '').searchParams.get('state') ?? ''
      const back = await by.get(`/api/oauth/twitter/callback?${new URLSearchParams({ code: 'a-code', state })}`)
      expect(back.headers.get('location')).toContain('connect=connected')
      await by.callOrThrow('disconnectSocialAccount', { params: { id } })
      await expect.poll(() => network.seen.filter(({ path }) => path === '/2/oauth2/revoke').length).toBe(2)
    } finally {
      await live.remove()
      await network.close()
    }
  })
})

describe('An account that was never connected', () => {
  const accounts = (clientId: string) => caller.callOrThrow('listSocialAccounts', { params: { id: clientId } })
  const added = async () => {
    const { id: clientId } = await caller.callOrThrow('addClient', { body: { name: 'Red Door' } })
    const body = { platform: 'linkedin', accountName: 'Red Dor' } as const
    const { id } = await caller.callOrThrow('addSocialAccount', { params: { id: clientId }, body })
    return { clientId, id }
  }

  it('can be renamed [P12.3]', async () => {
    const { clientId, id } = await added()
    const body = { accountName: 'Red Door', accountUrl: 'https://www.linkedin.com/company/red-door' }
    expect(await caller.callOrThrow('changeSocialAccount', { params: { id }, body })).toMatchObject(body)
    expect(await accounts(clientId)).toMatchObject([body])
  })

  it('can be removed, unless a post or a schedule names it [P12.4]', async () => {
    const { clientId, id } = await added()
    const body = { socialAccountId: id, content: 'Soon' }
    const post = await caller.callOrThrow('writePost', { params: { id: clientId }, body })
    const remove = () => caller.ask('removeSocialAccount', { params: { id } })
    expect(await remove()).toMatchObject({
      status: 409,
      text: 'Posts or a posting schedule name this account. Delete them first.',
    })
    await caller.callOrThrow('deletePost', { params: { id: post.id } })
    expect((await remove()).status).toBe(204)
    expect(await accounts(clientId)).toEqual([])
    expect((await remove()).status).toBe(404)
  })

  it('keeps its name once it was connected', async () => {
    const { accountId } = await brand(caller)
    const params = { id: accountId }
    const changed = await caller.ask('changeSocialAccount', { params, body: { accountName: 'Other' } })
    const removed = await caller.ask('removeSocialAccount', { params })
    expect([changed.status, removed.status]).toEqual([409, 409])
  })
})
