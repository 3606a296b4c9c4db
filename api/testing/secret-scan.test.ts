/**
 * No secret of a network leaves the token vault: a server obtains, uses, renews, loses and returns tokens on live
 * networks; then everything that it stored, logged and answered is searched. Only the secrets folder is exempt: data
 * kept for a consent or a choice is encrypted as well.
 *
 * @module-tag long
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { platforms, type Platform } from '../../domain/core/values.ts'
import { SqliteFile } from '../../domain/event-store/sqlite.ts'
import { ApiClient, type HttpReply } from '../http/client.ts'
import { MovableClock } from '../core/clock.ts'
import { jpeg } from '../features/media/test/helpers.ts'
import { allow } from '../sandbox/test/serving.ts'
import { recordingNetworks, type RecordingNetworks } from '../networks/test/recording-networks.ts'
import { testServer, type TestServer } from './server.ts'

const hour = 3_600_000
const day = 24 * hour

interface Haystack {
  readonly name: string
  readonly text: string
}

/** Where a secret was found, plain or encoded. Never contains the secret itself. */
function findings(haystacks: readonly Haystack[], secrets: ReadonlySet<string>): string[] {
  return haystacks.flatMap(({ name, text }) =>
    [...secrets].flatMap((secret) => {
      const bytes = Buffer.from(secret)
      const shapes = {
        'as it is': secret,
        'in a URL': encodeURIComponent(secret),
        base64: bytes.toString('base64').replace(/=+$/, ''),
        hex: bytes.toString('hex'),
      }
      return Object.entries(shapes).flatMap(([shape, written]) => (text.includes(written) ? [`${name}: ${shape}`] : []))
    }),
  )
}

/** A folder's files as bytes, and every value in its databases, which may lie in pieces in the file. */
async function contentsOf(folder: string): Promise<Haystack[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !file.startsWith(join(folder, 'secrets')))
  const found: Haystack[] = []
  for (const file of files) {
    found.push({ name: file, text: (await readFile(file)).toString('latin1') })
    if (!file.endsWith('.db')) continue
    const db = new SqliteFile(file, { synchronous: 'NORMAL' })
    for (const [table] of db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()) {
      const rows = db.prepare(`SELECT * FROM "${String(table)}"`).all()
      found.push({ name: `${file}, ${String(table)}`, text: rows.map((row) => row.map(String).join('\n')).join('\n') })
    }
    db.close()
  }
  return found
}

let folder: string
let networks: RecordingNetworks
let server: TestServer
const clock = new MovableClock()
const lines: Haystack[] = []
const answers: Haystack[] = []
const accounts = new Map<Platform, { readonly id: string; readonly clientId: string; remoteId: string }>()
let caller: ApiClient
const person = { email: 'scan@example.com', password: 'correct horse' }

/** Keeps every answer, redirects and headers too. */
class Listening extends ApiClient {
  override async fetch(...sent: Parameters<ApiClient['fetch']>): Promise<HttpReply> {
    const reply = await super.fetch(...sent)
    // The redirect to a network contains the challenge; the answer after the return must not contain the code.
    answers.push({
      name: `${sent[0]} ${sent[1].split('?')[0]}`,
      text: `${reply.text}\n${[...reply.headers].join('\n')}`,
    })
    return reply
  }
}

async function connect(platform: Platform, names: readonly string[]): Promise<void> {
  const { id } = accounts.get(platform) ?? { id: '' }
  const { headers } = await caller.ask('connectSocialAccount', { params: { id } })
  const url = new URL(headers.get('location') ?? '')
  const code = await allow(url.href, names)
  const back = await caller.get(
    `/api/oauth/${platform}/callback?${new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' })}`,
  )
  const appendedEvents = new URL(back.headers.get('location') ?? '', server.url).searchParams
  if (appendedEvents.get('connect') === 'connected') return
  if (appendedEvents.get('connect') !== 'choose') throw new Error(`${platform}: ${appendedEvents}`)
  const params = { id, choice: appendedEvents.get('choice') ?? '' }
  const [first] = await caller.callOrThrow('listProfileChoices', { params })
  await caller.callOrThrow('chooseProfile', { params, body: { remoteId: first?.remoteId ?? '' } })
}

let written = 0
/** Schedules a post on each platform, and waits until something final is known of all of them. */
async function publish(
  on: readonly Platform[],
  imageUrl: string,
  isOver: (post: { status: string; delivery: string }) => boolean,
): Promise<string[]> {
  const ids: string[] = []
  for (const platform of on) {
    const account = accounts.get(platform)
    if (!account) continue
    written += 1
    const { id } = await caller.callOrThrow('writePost', {
      params: { id: account.clientId },
      body: { socialAccountId: account.id, content: `Words ${written}`, imageUrl },
    })
    const scheduledFor = new Date(Date.parse(clock.now()) + 30_000).toISOString()
    await caller.callOrThrow('changePost', { params: { id }, body: { status: 'scheduled', scheduledFor } })
    ids.push(id)
  }
  clock.advance(31_000)
  for (const id of ids) {
    const stands = async () => {
      const post = await caller.callOrThrow('getPost', { params: { id } })
      if (!isOver(post)) clock.advance(1_000)
      return isOver(post) ? 'over' : `${post.platform}: ${post.status}, ${post.delivery}`
    }
    await expect.poll(stands, { timeout: 20_000, interval: 100 }).toBe('over')
  }
  return ids
}
const isLive = ({ status }: { status: string }) => status === 'published'
const hasTrouble = ({ status, delivery }: { status: string; delivery: string }) =>
  status === 'published' || !['none', 'claimed'].includes(delivery)

async function readEverything(postIds: readonly string[]): Promise<void> {
  for (const name of ['getUser', 'getAgency', 'getDashboard', 'listClients', 'listAnalytics'] as const)
    await caller.ask(name)
  await caller.ask('getCalendar', { query: { month: clock.now().slice(0, 7) } })
  await caller.get('/api/openapi.json')
  await caller.get('/readyz')
  for (const { clientId } of accounts.values())
    for (const name of ['getClient', 'listSocialAccounts', 'listPosts'] as const)
      await caller.ask(name, { params: { id: clientId } })
  for (const id of postIds)
    for (const name of ['getPost', 'getPostHistory', 'getPostDelivery'] as const)
      await caller.ask(name, { params: { id } })
}

beforeAll(async () => {
  folder = await temporaryFolder('scan')
  networks = await recordingNetworks(folder, clock)
  const log = pino({ level: 'debug' }, { write: (text: string) => void lines.push({ name: 'a log line', text }) })
  server = await testServer(
    { ...networks.env, DATA_DIR: join(folder, 'data'), COLLECT_AFTER_SECONDS: '3600,7200' },
    { clock, log },
  )
  networks.returnTo(new URL(server.url).origin)
  caller = new Listening(server.url)
  await caller.callOrThrow('register', { body: person })
  await caller.callOrThrow('openAgency', { body: { name: 'North Star', email: person.email, timeZone: 'UTC' } })
  for (const platform of platforms) {
    const { id: clientId } = await caller.callOrThrow('addClient', { body: { name: 'Blue Cup', industry: 'Coffee' } })
    const { id } = await caller.callOrThrow('addSocialAccount', {
      params: { id: clientId },
      body: { platform, accountName: `Blue Cup ${platform}` },
    })
    accounts.set(platform, { id, clientId, remoteId: '' })
  }
}, 60_000)
afterAll(async () => {
  await networks.close()
  await removeFolder(folder)
})

describe('no key, code, verifier or secret of a network', () => {
  it(
    'is found outside the token vault after connecting, publishing, refreshing, failing and disconnecting [S81]',
    { timeout: 240_000 },
    async () => {
      for (const platform of platforms)
        await connect(platform, platform === 'facebook' || platform === 'linkedin' ? ['Acme', 'Acme Labs'] : ['Acme'])
      for (const [platform, account] of accounts) {
        const events = server.commands.loadClient(account.clientId)
        accounts.set(platform, { ...account, remoteId: (await events).state.accounts[account.id]?.remoteId ?? '' })
      }
      // An abandoned consent: its verifier and its keys stay until they expire.
      const abandoned = await caller.ask('connectSocialAccount', { params: { id: accounts.get('facebook')?.id ?? '' } })
      const upload = await caller.ask('uploadImage', {
        body: new Blob([new Uint8Array(jpeg(1080, 1080))], { type: 'image/jpeg' }),
      })
      const { url } = JSON.parse(upload.text) as { url: string }
      const posts = await publish(platforms, url, isLive)

      for (const kind of ['unauthorized', 'rate-limited', 'error-before', 'reset-after', 'duplicate']) {
        for (const [platform, { remoteId }] of accounts) await networks.plan(platform, remoteId, kind)
        posts.push(...(await publish(platforms, url, hasTrouble)))
        // A network's backoff may last an hour.
        clock.advance(70 * 60_000)
        for (const [platform, { clientId }] of accounts) {
          const [account] = await caller.callOrThrow('listSocialAccounts', { params: { id: clientId } })
          if (account && !account.isConnected) await connect(platform, ['Acme'])
        }
      }
      for (const how of ['error', 'garbage'] as const) {
        networks.quoteKeys(how)
        posts.push(...(await publish(platforms, url, hasTrouble)))
        networks.quoteKeys(null)
        for (const [platform] of accounts) await connect(platform, ['Acme'])
      }

      for (const [platform, { remoteId }] of accounts)
        await networks.plan(platform, remoteId, 'error-before', 'metrics')
      clock.advance(3 * hour)
      await expect
        .poll(
          async () =>
            (await caller.callOrThrow('listAnalytics')).filter(({ measuredAt }) => measuredAt !== null).length,
          {
            timeout: 20_000,
          },
        )
        .toBeGreaterThanOrEqual(3)
      await networks.revoke('facebook', accounts.get('facebook')?.remoteId ?? '')
      posts.push(...(await publish(['facebook'], url, hasTrouble)))
      await readEverything(posts)

      // The token refresher renews expiring tokens.
      clock.advance(52 * day)
      for (const part of [
        'refresh_access_token',
        '/linkedin/oauth/v2/accessToken {"grant_type":"refresh_token"',
        '/x/2/oauth2/token {"grant_type":"refresh_token"',
      ]) {
        const asked = () => {
          clock.advance(hour)
          return networks.asked(part)
        }
        await expect.poll(asked, { timeout: 20_000, interval: 250 }).toBeGreaterThan(0)
      }
      await caller.callOrThrow('login', { body: person })
      for (const { id } of accounts.values()) await caller.ask('disconnectSocialAccount', { params: { id } })
      await readEverything(posts)

      const events: Haystack[] = []
      for await (const batch of server.commands.ports.events.readAll(null))
        for (const event of batch) events.push({ name: event.name, text: JSON.stringify(event) })
      const dataDir = server.dataDir
      const own = await Promise.all(
        ['encryption-key', 'session-secret'].map(async (name) =>
          (await readFile(join(dataDir, 'secrets', name), 'utf8')).trim(),
        ),
      )
      await server.close()
      const everything = [...events, ...lines, ...answers, ...(await contentsOf(dataDir))]
      const secrets = new Set([...networks.secrets, ...own])

      // Every intended step happened, and the searched data include what was written.
      expect(secrets.size).toBeGreaterThan(40)
      expect(abandoned.status).toBe(302)
      expect(lines.length).toBeGreaterThan(0)
      expect(new Set(events.map(({ name }) => name))).toEqual(
        new Set([
          ...events.map(({ name }) => name),
          'SocialAccountConnectionLost',
          'SocialAccountConnectionRenewed',
          'PostPublished',
          'PublishingFailed',
          'PublishingRejected',
          'PostMetricsRecorded',
          'SocialAccountDisconnected',
        ]),
      )
      for (const file of ['events.db', 'views.db', 'records.db'])
        expect(everything.filter(({ name }) => name.startsWith(join(dataDir, file))).length).toBeGreaterThan(1)
      expect(everything.some(({ name, text }) => name.includes('events.db,') && text.includes('Words 1'))).toBe(true)

      expect([...new Set(findings(everything, secrets))]).toEqual([])
    },
  )
})

describe('the search for secrets', () => {
  const secrets = new Set(['a+very/secret=key'])
  it.each([
    ['as it is', '{"cause":"a+very/secret=key"}'],
    ['in a URL', 'https://x.example/?access_token=a%2Bvery%2Fsecret%3Dkey&b=1'],
    ['base64', Buffer.from('a+very/secret=key').toString('base64')],
    ['hex', Buffer.from('a+very/secret=key').toString('hex')],
  ])('finds a secret %s', (shape, text) => {
    expect(findings([{ name: 'a log line', text }], secrets)).toEqual([`a log line: ${shape}`])
  })
  it('finds a secret that spans several database pages', async () => {
    const place = await temporaryFolder('planted')
    const db = new SqliteFile(join(place, 'records.db'), { synchronous: 'NORMAL' })
    db.exec('CREATE TABLE kept (record TEXT)')
    db.prepare('INSERT INTO kept VALUES (?)').run([`${'x'.repeat(4_070)}a+very/secret=key${'x'.repeat(9_000)}`])
    db.close()
    expect(findings(await contentsOf(place), secrets)).toContain(`${join(place, 'records.db')}, kept: as it is`)
    await removeFolder(place)
  })
})
