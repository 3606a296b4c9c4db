import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { platforms } from '../../../domain/core/values.ts'
import { later } from '../../clock.ts'
import { figuresOf } from './figures.ts'
import { allow, redirectUri, startSandbox, type SandboxServer } from './testing.ts'

let folder: string
let sandbox: SandboxServer
let now: string
const clock = { now: () => now }
const imageUrl = 'https://images.test/a.png'

beforeEach(async () => {
  now = '2026-03-01T10:00:00.000Z'
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  sandbox = await startSandbox(folder, clock)
})
afterEach(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true })
})

const get = async (path: string) => {
  const answer = await fetch(`${sandbox.url}${path}`)
  return { status: answer.status, text: await answer.text(), policy: answer.headers.get('content-security-policy') ?? '' }
}

describe('connecting', () => {
  it('shows a page that says plainly what it is, with Allow and Cancel', async () => {
    const query = new URLSearchParams({ redirect_uri: redirectUri, state: 'x"y', account: '<b>Söder & Co</b>' })
    const { status, text, policy } = await get(`/facebook/oauth/authorize?${query}`)
    expect(status).toBe(200)
    expect(text).toContain('This is a sandbox')
    expect(text).toContain('&lt;b&gt;Söder &amp; Co&lt;/b&gt;')
    expect(text).not.toContain('<b>')
    expect(text).toContain('>Allow</button>')
    expect(text).toContain(`${redirectUri}?error=access_denied&amp;state=x%22y`)
    expect(policy).toContain("default-src 'none'")
    expect(text).not.toMatch(/<script|style="|onclick/)
  })

  it('gives the same profile to the same name, and another to another', async () => {
    const first = await sandbox.connect('linkedin', 'Acme')
    const second = await sandbox.connect('linkedin', 'Acme')
    const other = await sandbox.connect('linkedin', 'Acme Two')
    const elsewhere = await sandbox.connect('facebook', 'Acme')
    expect(second.remoteId).toBe(first.remoteId)
    expect(new Set([first.remoteId, other.remoteId, elsewhere.remoteId]).size).toBe(3)
    expect(second.tokens.accessToken).not.toBe(first.tokens.accessToken)
  })

  it('takes a code once, in time, and for the address it was asked for', async () => {
    const network = sandbox.networks.twitter
    const ask = () => allow(network.consentUrl({ state: 's', redirectUri, accountName: 'Acme' }))
    const code = await ask()
    await expect(network.exchange({ code, redirectUri: `${redirectUri}/else` })).rejects.toThrow('did not accept')
    await network.exchange({ code, redirectUri })
    await expect(network.exchange({ code, redirectUri })).rejects.toThrow('did not accept')
    const late = await ask()
    now = later(now, 6 * 60_000)
    await expect(network.exchange({ code: late, redirectUri })).rejects.toThrow('did not accept')
  })

  it('returns to no address but those it was told', async () => {
    const query = new URLSearchParams({ redirect_uri: 'https://elsewhere.test/', state: 's', account: 'Acme' })
    expect(await get(`/facebook/oauth/authorize?${query}`)).toMatchObject({ status: 400 })
  })
})

describe('posting', () => {
  it.each(platforms)('publishes to %s, and shows it at its address', async (platform) => {
    const { remoteId, tokens } = await sandbox.connect(platform, 'Acme')
    const content = 'مرحبا <script>alert(1)</script>\nsecond line'
    const outcome = await sandbox.networks[platform].publish({ tokens, remoteId, content, imageUrl })
    expect(outcome.kind).toBe('accepted')
    const address = outcome.kind === 'accepted' ? (outcome.url ?? '') : ''
    const { text, policy } = await get(address.slice(sandbox.url.length))
    expect(text).toContain('مرحبا &lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).toContain('dir="auto"')
    expect(text).toContain(`src="${imageUrl}"`)
    expect(policy).toContain("style-src 'self'")
    expect((await get(`/${platform}/${remoteId}`)).text).toContain('second line')
    expect((await get('/')).text).toContain('1 post<')
  })

  it('keeps any text, also across a restart', async () => {
    const { remoteId, tokens } = await sandbox.connect('facebook', 'Acme')
    const content = `a\0b \ud800 ${'長い文章'.repeat(5_000)}`
    await sandbox.networks.facebook.publish({ tokens, remoteId, content, imageUrl: null })
    await sandbox.close()
    sandbox = await startSandbox(folder, clock)
    expect((await sandbox.posts()).map((post) => post.content)).toEqual([content])
    expect((await get(`/facebook/${remoteId}`)).status).toBe(200)
    expect(await sandbox.networks.facebook.lookUp({ tokens, remoteId, content, imageUrl: null }, now)).toMatchObject({
      kind: 'found',
      candidates: [{ url: expect.stringContaining(remoteId) }],
    })
  })

  it('refuses what the network would refuse, and says why', async () => {
    const { remoteId, tokens } = await sandbox.connect('twitter', 'Acme')
    const other = await sandbox.connect('twitter', 'Other')
    const submission = { tokens, remoteId, content: 'x'.repeat(281), imageUrl: null }
    expect(await sandbox.networks.twitter.publish(submission)).toMatchObject({ kind: 'rejected', final: true, cause: expect.stringContaining('280') })
    const asOther = { ...submission, content: 'hi', tokens: other.tokens }
    expect(await sandbox.networks.twitter.publish(asOther)).toMatchObject({ kind: 'rejected', final: true })
    const { tokens: keys, remoteId: page } = await sandbox.connect('instagram', 'Acme')
    const bare = { tokens: keys, remoteId: page, content: 'hi', imageUrl: null }
    expect(await sandbox.networks.instagram.publish(bare)).toMatchObject({ kind: 'rejected', cause: expect.stringContaining('image') })
    expect(await sandbox.posts()).toEqual([])
  })

  it.each([
    ['timeout-before', 'unknown', 0],
    ['timeout-after', 'unknown', 1],
    ['reset-before', 'unknown', 0],
    ['reset-after', 'unknown', 1],
    ['error-before', 'unknown', 0],
    ['error-after', 'unknown', 1],
    ['rate-limited', 'rejected', 0],
    ['unauthorized', 'rejected', 0],
    ['slow', 'accepted', 1],
  ] as const)('%s comes out as %s with %i posts in the feed', async (kind, outcome, posts) => {
    const { remoteId, tokens } = await sandbox.connect('facebook', 'Acme')
    await sandbox.plan('facebook', 'Acme', { kind, retryAfterSeconds: 17, delayMs: 20 })
    const submission = { tokens, remoteId, content: 'hi', imageUrl: null }
    const answer = await sandbox.networks.facebook.publish(submission)
    expect(answer.kind).toBe(outcome)
    if (kind === 'rate-limited') expect(answer).toMatchObject({ retryAfterSeconds: 17, final: false })
    expect(JSON.stringify(answer)).not.toContain(tokens.accessToken)
    expect(await sandbox.posts()).toHaveLength(posts)
    expect(await sandbox.networks.facebook.publish(submission)).toMatchObject({ kind: 'accepted' })
  })

  it('knows that nothing was sent when nobody is there', async () => {
    const { remoteId, tokens } = await sandbox.connect('facebook', 'Acme')
    const { networks } = sandbox
    await sandbox.close()
    const submission = { tokens, remoteId, content: 'hi', imageUrl: null }
    expect(await networks.facebook.publish(submission)).toMatchObject({ kind: 'rejected', final: false })
    expect(await networks.facebook.lookUp(submission, now)).toMatchObject({ kind: 'undecided' })
    await expect(networks.facebook.exchange({ code: 'x', redirectUri })).rejects.toThrow("can't be reached")
    sandbox = await startSandbox(folder, clock)
  })

  it('finds a post among many, and none that is older than the attempt', async () => {
    const { remoteId, tokens } = await sandbox.connect('linkedin', 'Acme')
    const publish = (content: string) => sandbox.networks.linkedin.publish({ tokens, remoteId, content, imageUrl: null })
    const lookUp = () => sandbox.networks.linkedin.lookUp({ tokens, remoteId, content: 'the one', imageUrl: null }, now)
    await publish('the one')
    now = later(now, 1)
    expect(await lookUp()).toEqual({ kind: 'found', candidates: [] })
    for (let number = 0; number < 120; number++) await publish(`another ${number}`)
    await publish('the one')
    expect(await lookUp()).toMatchObject({ candidates: [{}] })
  })
})

describe('figures', () => {
  it('grow with age, never fall, and are the same each time', () => {
    for (const platform of platforms) {
      const post = { id: 'p1', platform, createdAt: '2026-03-01T10:00:00.000Z' }
      const at = (ms: number) => figuresOf(post, later(post.createdAt, ms))
      const ages = [0, 5_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000, 30 * 24 * 3_600_000]
      const views = ages.map((age) => at(age).views)
      expect(views).toEqual(views.toSorted((a, b) => a - b))
      expect(views[0]).toBe(0)
      expect(views[1]).toBeGreaterThan(0)
      expect(views.at(-1)).toBeGreaterThan(100)
      expect(at(3_600_000)).toEqual(at(3_600_000))
      expect(at(24 * 3_600_000).likes).toBeLessThan(at(24 * 3_600_000).views)
    }
  })

  it('leave out what a network does not offer, apart from zero', async () => {
    const instagram = await sandbox.connect('instagram', 'Acme')
    const facebook = await sandbox.connect('facebook', 'Acme')
    const figures = async (platform: 'instagram' | 'facebook', { tokens, remoteId }: typeof instagram) => {
      const outcome = await sandbox.networks[platform].publish({ tokens, remoteId, content: 'hi', imageUrl })
      if (outcome.kind !== 'accepted') throw new Error(outcome.cause)
      return sandbox.networks[platform].metrics({ tokens, remoteId, postId: outcome.remoteId })
    }
    expect(await figures('instagram', instagram)).toEqual({ views: 0, likes: 0, comments: 0, shares: null })
    expect(await figures('facebook', facebook)).toEqual({ views: 0, likes: 0, comments: 0, shares: 0 })
    const missing = sandbox.networks.facebook.metrics({ ...facebook, postId: 'nowhere' })
    await expect(missing).rejects.toThrow('does not have this post')
  })
})
