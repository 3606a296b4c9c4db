/** Accounts connected with the sandbox's previous version keep working: no user has to connect again. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { platforms, type Platform } from '../../domain/core/values.ts'
import { SqliteFile } from '../../domain/event-store/sqlite.ts'
import { photo } from '../networks/test/helpers.ts'
import { hashed } from './store/db.ts'
import { startSandbox, type SandboxServer } from './test/helpers.ts'

const former = `
  CREATE TABLE accounts (platform TEXT, remote_id TEXT, name TEXT NOT NULL, PRIMARY KEY (platform, remote_id));
  CREATE TABLE codes (code TEXT PRIMARY KEY, platform TEXT NOT NULL, remote_id TEXT NOT NULL, redirect_uri TEXT NOT NULL, expires_at TEXT NOT NULL);
  CREATE TABLE keys (hash TEXT PRIMARY KEY, platform TEXT NOT NULL, remote_id TEXT NOT NULL);
  CREATE TABLE posts (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, platform TEXT NOT NULL, remote_id TEXT NOT NULL, content TEXT NOT NULL, image_url TEXT, created_at TEXT NOT NULL);`

const remoteId = 'sbx0123456789abcdef'
const postOn = (platform: Platform) => `p000000000000000${platforms.indexOf(platform)}`
const clock = { now: () => '2026-03-01T10:00:00.000Z' }
let folder: string
let sandbox: SandboxServer

beforeEach(async () => {
  folder = await temporaryFolder('sandbox-former')
  const file = new SqliteFile(join(folder, 'sandbox.db'), { synchronous: 'FULL' })
  file.exec(former)
  for (const platform of platforms) {
    file.prepare('INSERT INTO accounts VALUES (?, ?, ?)').run([platform, remoteId, '"Blue Cup"'])
    file.prepare('INSERT INTO keys VALUES (?, ?, ?)').run([hashed(`key-of-${platform}`), platform, remoteId])
    file
      .prepare('INSERT INTO posts VALUES (NULL, ?, ?, ?, ?, NULL, ?)')
      .run([postOn(platform), platform, remoteId, '"Old"', clock.now()])
  }
  file.close()
  sandbox = await startSandbox(folder, clock)
})
afterEach(async () => {
  await sandbox.close()
  await removeFolder(folder)
})

describe.each(platforms)('an account on %s connected before the upgrade', (platform) => {
  it('still publishes, as the same profile', async () => {
    const network = sandbox.networks[platform]
    const tokens = { accessToken: `key-of-${platform}`, refreshToken: null, expiresAt: null, endsAt: null }
    const submission = { tokens, remoteId, content: 'After the upgrade', image: photo() }
    await network.check({ tokens, remoteId })
    const ready = await network.prepare(submission)
    expect(ready).toMatchObject({ kind: 'ready' })
    expect(await network.publish(submission, ready.kind === 'ready' ? ready.media : [])).toMatchObject({
      kind: 'accepted',
    })
    expect((await sandbox.posts()).at(-1)).toMatchObject({ platform, remoteId, content: 'After the upgrade' })
  })

  it('has its old id after a reconnect, while a new name gets an id of the new kind', async () => {
    expect(await sandbox.connect(platform, 'Blue Cup')).toMatchObject({ remoteId })
    expect((await sandbox.connect(platform, 'Red Cup')).remoteId).not.toMatch(/^sbx/)
  })

  it("keeps its posts' URLs", async () => {
    const answer = await fetch(`${sandbox.url}/${platform}/${remoteId}/${postOn(platform)}`, {
      headers: { connection: 'close' },
    })
    expect(answer.status).toBe(200)
    expect(answer.url).toBe(`${sandbox.url}/feeds/${platform}/${remoteId}/${postOn(platform)}`)
  })
})
