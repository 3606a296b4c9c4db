/** What the sandbox's file persists, and its migration from the previous version. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { SqliteFile } from '../../../domain/event-store/sqlite.ts'
import { platforms } from '../../../domain/core/values.ts'
import { later } from '../../core/clock.ts'
import { figuresOf } from '../figures.ts'
import { jpeg } from '../../features/media/test/helpers.ts'
import { hashed } from './db.ts'
import { maxUnposted, upload } from './media.ts'
import { remoteIdOf } from './profiles.ts'
import { SandboxStore } from './store.ts'

let folder: string
let store: SandboxStore
const now = '2026-03-01T10:00:00.000Z'
const allowed = {
  platform: 'facebook',
  profiles: [{ name: 'Blue Cup', kind: 'profile' }],
  scope: 'all',
  clientId: 'app',
  redirectUri: 'http://x/',
  challenge: null,
  codeLifeMs: 1_000,
} as const
const trade = { platform: 'facebook', clientId: 'app', redirectUri: 'http://x/' } as const
const post = {
  id: '1',
  platform: 'facebook',
  remoteId: '61',
  content: 'hi',
  imageUrl: null,
  imageHash: null,
  createdAt: now,
} as const

const open = () => new SandboxStore(join(folder, 'sandbox.db'))
const reopen = () => {
  store.close()
  store = open()
}
beforeEach(async () => {
  folder = await temporaryFolder('sandbox-store')
  store = open()
})
afterEach(async () => {
  store.close()
  await removeFolder(folder)
})

describe('a restart', () => {
  it('keeps consents, codes, tokens, media and posts', async () => {
    const code = await store.consents.allow(allowed, now)
    await store.media.add({ ...post, id: 'm', state: 'waiting', type: '', size: 0, caption: 'c', imageUrl: null })
    reopen()
    const consent = await store.durably(() => store.consents.redeem({ ...trade, code }, now))
    await store.durably(() =>
      store.tokens.issue({ key: 'k', consent: consent?.id ?? '', kind: 'page', remoteId: '61', expiresAt: null }, now),
    )
    await store.take(post, ['m'])
    reopen()
    expect(store.tokens.holder('facebook', 'k')).toMatchObject({ scope: 'all', kind: 'page', state: 'good' })
    expect(store.media.find('facebook', 'm')).toMatchObject({ state: 'used', caption: 'c' })
    expect(store.feed.everything()).toEqual([post])
    expect(await store.durably(() => store.consents.redeem({ ...trade, code }, now))).toBeNull()
  })
  it('keeps any text', async () => {
    const content = `a\0b \ud800 ${'長い文章'.repeat(5_000)}`
    await store.take({ ...post, content })
    reopen()
    expect(store.feed.everything()).toMatchObject([{ content }])
  })
})

describe('media without a post', () => {
  const own = (id: string, createdAt = now) => upload({ id, platform: 'facebook', remoteId: '61', createdAt })
  const day = 24 * 3_600_000
  const bytes = (width: number) => new Uint8Array(jpeg(width, 40))

  it('expire after a day, with their segments and images; those of posts stay', async () => {
    for (const id of ['posted', 'lost', 'same']) await store.media.add(own(id))
    await store.media.add({ ...own('begun'), size: 10 })
    await store.media.addSegment({ id: 'begun', size: 10 }, 0, bytes(40).slice(0, 10))
    for (const id of ['posted', 'same']) await store.media.fill(own(id), bytes(40), 'ready')
    await store.media.fill(own('lost'), bytes(41), 'ready')
    const hashOf = (id: string) => store.media.find('facebook', id)?.imageHash ?? ''
    const [posted, lost] = [hashOf('posted'), hashOf('lost')]
    await store.take({ ...post, imageHash: posted }, ['posted'])
    await store.media.add(own('today', later(now, day)))
    expect(store.media.image(lost)).not.toBeNull()
    await store.media.add(own('next', later(now, day + 1)))
    expect(['posted', 'lost', 'same', 'begun', 'today'].map((id) => store.media.find('facebook', id) !== null)).toEqual(
      [true, false, false, false, true],
    )
    expect(store.media.segments('begun')).toHaveLength(0)
    expect([store.media.image(posted), store.media.image(lost)]).toEqual([expect.anything(), null])
  })

  it('are limited in number per profile', { tags: 'long' }, async () => {
    const added = await Promise.all(
      Array.from({ length: maxUnposted.count + 1 }, (_, n) => store.media.add(own(String(n)))),
    )
    expect(added.filter((kept) => !kept)).toHaveLength(1)
    await store.take(post, ['0'])
    expect(await store.media.add(own('one more'))).toBe(true)
    expect(await store.media.add({ ...own('other'), remoteId: '62' })).toBe(true)
  })

  it('are limited in bytes per profile', async () => {
    expect(await store.media.add({ ...own('most'), size: maxUnposted.bytes - 5 })).toBe(true)
    expect(await store.media.add({ ...own('more'), size: 6 })).toBe(false)
    await store.media.add(own('begun'))
    expect(await store.media.fill(own('begun'), bytes(40), 'ready')).toBeNull()
    expect(await store.media.add({ ...own('other'), remoteId: '62', size: 6 })).toBe(true)
  })
})

describe('profiles', () => {
  it('are the same for the same name, and different for another name, network or kind', async () => {
    const ids = [
      ...platforms.map((platform) => remoteIdOf(platform, 'Acme')),
      ...platforms.map((platform) => remoteIdOf(platform, 'Acme Two')),
      remoteIdOf('linkedin', 'Acme', 'organization'),
    ]
    expect(new Set(ids).size).toBe(ids.length)
    expect(remoteIdOf('facebook', ' Cafe\u0301 ')).toBe(remoteIdOf('facebook', 'Caf\u00e9'))
    await store.consents.allow(allowed, now)
    await store.consents.allow(allowed, now)
    expect(store.profiles.accounts(100)).toMatchObject([
      { name: 'Blue Cup', remoteId: remoteIdOf('facebook', 'Blue Cup'), posts: 0 },
    ])
  })
})

describe('a file of the previous version', () => {
  const former = `
    CREATE TABLE accounts (platform TEXT, remote_id TEXT, name TEXT NOT NULL, PRIMARY KEY (platform, remote_id));
    CREATE TABLE codes (code TEXT PRIMARY KEY, platform TEXT NOT NULL, remote_id TEXT NOT NULL, redirect_uri TEXT NOT NULL, expires_at TEXT NOT NULL);
    CREATE TABLE keys (hash TEXT PRIMARY KEY, platform TEXT NOT NULL, remote_id TEXT NOT NULL);
    CREATE TABLE posts (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, platform TEXT NOT NULL, remote_id TEXT NOT NULL, content TEXT NOT NULL, image_url TEXT, created_at TEXT NOT NULL);
    INSERT INTO accounts VALUES ('facebook', 'sbx1', '"Blue Cup"'), ('linkedin', 'sbx2', '"Ada Cafe\u0301 "');
    INSERT INTO keys VALUES ('${hashed('k1')}', 'facebook', 'sbx1'), ('${hashed('k2')}', 'linkedin', 'sbx2');
    INSERT INTO posts VALUES (1, 'p1', 'facebook', 'sbx1', '"Old"', 'https://images.test/a.png', '${now}'), (2, 'p2', 'linkedin', 'sbx2', '"Older"', NULL, '${now}');`

  it('opens with its profiles, tokens and posts unchanged, repeatedly', async () => {
    store.close()
    await rm(join(folder, 'sandbox.db'))
    const file = new SqliteFile(join(folder, 'sandbox.db'), { synchronous: 'FULL' })
    file.exec(former)
    file.close()
    store = open()
    reopen()
    expect(store.profiles.accounts(100)).toMatchObject([
      { remoteId: 'sbx1', posts: 1 },
      { remoteId: 'sbx2', posts: 1 },
    ])
    expect(store.feed.everything()).toMatchObject([
      { id: 'p1', content: 'Old', imageUrl: 'https://images.test/a.png' },
      { id: 'p2', remoteId: 'sbx2' },
    ])
    // The same name stays the same profile.
    const code = await store.consents.allow(allowed, now)
    expect(await store.durably(() => store.consents.redeem({ ...trade, code }, now))).toMatchObject({
      remoteId: 'sbx1',
    })
    const again = await store.consents.allow(
      { ...allowed, platform: 'linkedin', profiles: [{ name: 'Ada Caf\u00e9', kind: 'profile' }] },
      now,
    )
    expect(
      await store.durably(() => store.consents.redeem({ ...trade, platform: 'linkedin', code: again }, now)),
    ).toMatchObject({ remoteId: 'sbx2' })
    // A former token never expires, and gives access to all of its profile.
    expect(store.tokens.holder('facebook', 'k1')).toMatchObject({
      kind: 'page',
      remoteId: 'sbx1',
      state: 'good',
      expiresAt: null,
    })
    expect(store.tokens.holder('linkedin', 'k2')).toMatchObject({
      kind: 'access',
      scope: expect.stringContaining('w_member_social'),
      expiresAt: null,
    })
    await store.take(post)
    expect(store.feed.everything()).toHaveLength(3)
  })
})

describe('figures', () => {
  it('grow with age, never decrease, and are deterministic', () => {
    for (const platform of platforms) {
      const own = { id: 'p1', platform, createdAt: now }
      const at = (ms: number) => figuresOf(own, later(now, ms))
      const views = [0, 5_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000, 30 * 24 * 3_600_000].map(
        (age) => at(age).views,
      )
      expect(views).toEqual(views.toSorted((a, b) => a - b))
      expect(views[0]).toBe(0)
      expect(views[1]).toBeGreaterThan(0)
      expect(views.at(-1)).toBeGreaterThan(100)
      expect(at(3_600_000)).toEqual(at(3_600_000))
      expect(at(24 * 3_600_000).likes).toBeLessThan(at(24 * 3_600_000).views)
    }
  })
})
