/**
 * A backup made during live traffic contains everything needed, and is restored into an empty folder.
 *
 * @module-tag long
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { ApiClient } from '../../http/client.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { keptReview, type KeptReview } from '../../testing/review-kept.ts'
import { keptTeam, type KeptTeam } from '../../testing/team-kept.ts'
import { backupsIn, readManifest } from './manifest.ts'
import { byServer, filled, folderIn, forgotten, modesIn, program, temporary, type Kept } from './test/helpers.ts'

let server: TestServer
let restored: TestServer | null = null
let kept: Kept
let target = ''
let backup: string
let said: string
let email: string
let team: KeptTeam
let people: object
let review: KeptReview
let reviewed: object
const acknowledged = new Set<string>()
let acknowledgedBefore: readonly string[]

/** Writes posts until aborted; remembers each acknowledged one. */
async function write(over: AbortSignal, writer: number): Promise<void> {
  for (let at = 0; !over.aborted; at++) {
    const { id } = await kept.caller.callOrThrow('writePost', {
      params: { id: kept.clientId },
      body: { socialAccountId: kept.accountId, content: `Post ${at} of writer ${writer}` },
    })
    acknowledged.add(id)
  }
}
const posts = async (caller: ApiClient) =>
  (await caller.callOrThrow('listPosts', { params: { id: kept.clientId } })).map(({ id }) => id)

describe.skipIf(process.env['TEST_SHAPE'] === 'distributed')('A backup made during live traffic', () => {
  beforeAll(async () => {
    server = await testServer()
    kept = await filled(server)
    email = (await kept.caller.callOrThrow('getUser')).email
    team = await keptTeam(server, kept.caller, kept)
    people = await team.seenBy(kept.caller)
    review = await keptReview(server, kept.caller, kept)
    reviewed = await review.seenBy(kept.caller)
    const over = new AbortController()
    const writing = [1, 2, 3, 4].map((writer) => write(over.signal, writer))
    await vi.waitUntil(() => acknowledged.size > 40, patience)
    acknowledgedBefore = [...acknowledged]
    const { code, text } = await byServer(server.dataDir, 'backup')
    over.abort()
    await Promise.all(writing)
    expect({ code, text }).toEqual({
      code: 0,
      text: expect.stringMatching(/^Backed up to \S+: [\d,]+ events, 2 images, \d+ MB, in [\d.]+ s\.\n$/),
    })
    said = text
    backup = folderIn(text)
    target = join(await temporary(), 'restored')
  })
  afterAll(async () => {
    await restored?.close()
    await server.remove()
    if (target) await forgotten(join(target, '..'))
  })

  it('blocks no commands: they were acknowledged while it was made', () => {
    expect(acknowledged.size).toBeGreaterThan(acknowledgedBefore.length + 10)
  })

  it('is readable only by its owner, and contains everything except what can be rebuilt', async () => {
    expect((await stat(backup)).mode & 0o777).toBe(0o700)
    const modes = await modesIn(backup)
    const images = kept.images.map(({ hash }) => `media/${hash}`)
    const secrets = ['audit-signing-key', 'encryption-key', 'session-secret'].map((name) => `secrets/${name}`)
    expect([...modes.keys()].sort()).toEqual(
      ['events.db', 'manifest.json', 'media', 'records.db', 'sandbox.db', 'secrets', ...images, ...secrets].sort(),
    )
    for (const [path, mode] of modes)
      expect([path, mode]).toEqual([path, path === 'media' || path === 'secrets' ? 0o700 : 0o600])
    // New files in the data folder must be added here or to the backup.
    const left = (await readdir(server.dataDir)).filter(
      (name) => !modes.has(name) && !/^(events|records|sandbox)\.db-wal$/.test(name),
    )
    expect(left.sort()).toEqual(['admin.sock', 'backups', 'outbox', 'uploads', 'views.db', 'views.db-wal'])
  })

  it("lists every file with its size and digest, and the log's position", async () => {
    const { files, log, problems, version } = await readManifest(backup)
    expect(problems).toEqual([])
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(files).toHaveLength(8)
    expect(log.events).toBeGreaterThan(acknowledgedBefore.length)
    expect(Number(log.position)).toBe(log.events)
    expect(said).toContain(log.events.toLocaleString('en-US'))
  })

  describe('restored into an empty folder', () => {
    beforeAll(async () => {
      const { code, text, errors } = await program('restore', server.dataDir, ['latest', '--to', target])
      expect({ code, errors }).toEqual({ code: 0, errors: '' })
      expect(text).toMatch(
        /^Restored the backup of \S+ to \S+restored: [\d,]+ events, 2 images\.\nStart the server now: it rebuilds the read models from the log\. All users have to sign in again\.\n$/,
      )
      const modes = await modesIn(target)
      for (const [path, mode] of modes)
        expect([path, mode]).toEqual([path, path === 'media' || path === 'secrets' ? 0o700 : 0o600])
      restored = await testServer({ DATA_DIR: target })
    })
    const again = () => restored ?? server

    const signedInAgain = async () => {
      const caller = new ApiClient(again().url)
      await caller.callOrThrow('login', { body: { email, password: 'correct horse' } })
      return caller
    }

    it("accepts the users' passwords, but none of the backup's sessions: they may have been ended since", async () => {
      const former = new ApiClient(again().url)
      former.cookie = kept.caller.cookie
      expect((await former.ask('getUser')).status).toBe(401)
      expect((await new ApiClient(again().url).ask('login', { body: { email, password: 'wrong horse' } })).status).toBe(
        401,
      )
      expect((await (await signedInAgain()).callOrThrow('getUser')).email).toBe(email)
    })

    it('has every post acknowledged before it began, and its views match its log [S96]', { tags: 'long' }, async () => {
      const caller = await signedInAgain()
      const there = new Set(await posts(caller))
      expect(acknowledgedBefore.filter((id) => !there.has(id))).toEqual([])
      const invented = [...there].filter((id) => !acknowledged.has(id))
      // The posts with images, the assigned and the reviewed one, and those stored while their response was in flight.
      expect(invented.length).toBeLessThanOrEqual(4 + 4)
      expect(await byServer(target, 'projections', 'verify')).toMatchObject({
        code: 0,
        text: expect.not.stringContaining('differ'),
      })
    })

    it('has the people, their roles, invitations, assignments and factors; letters are not sent again', async () => {
      const invitations = [expect.objectContaining({ role: 'manager', letter: null })]
      expect(await team.seenBy(await signedInAgain())).toEqual({ ...people, invitations })
      await team.signsIn(again())
      const former = new ApiClient(again().url)
      former.cookie = team.writer.cookie
      expect((await former.ask('getUser')).status).toBe(401)
    })

    it('has the contacts, links and reviewers of a client, and the words of discussions', async () => {
      expect(await review.seenBy(await signedInAgain())).toEqual(reviewed)
      await review.worksAt(again().url)
    })

    it('has the images, byte for byte', async () => {
      for (const { hash } of kept.images) {
        const [before, after] = await Promise.all(
          [server, again()].map(async ({ url }) =>
            Buffer.from(await (await fetch(`${url}/media/${hash}`)).arrayBuffer()),
          ),
        )
        expect(after?.length).toBeGreaterThan(50)
        expect(after).toEqual(before)
      }
    })

    it('publishes to the connected accounts', async () => {
      const caller = await signedInAgain()
      const { id } = await caller.callOrThrow('writePost', {
        params: { id: kept.clientId },
        body: { socialAccountId: kept.accountId, content: 'After the restore' },
      })
      const scheduledFor = new Date(Date.parse(again().clock.now()) + 60_000).toISOString()
      await caller.callOrThrow('changePost', { params: { id }, body: { status: 'scheduled', scheduledFor } })
      again().clock.advance(61_000)
      await expect.poll(async () => (await caller.callOrThrow('getPost', { params: { id } })).status).toBe('published')
    })
  })

  it('contains no other backup: the next one is stored beside it', { tags: 'long' }, async () => {
    const { text } = await byServer(server.dataDir, 'backup')
    const next = folderIn(text)
    expect((await backupsIn(join(server.dataDir, 'backups'))).map(({ folder }) => folder)).toEqual([backup, next])
    expect((await readdir(next, { recursive: true })).filter((path) => path.includes('backups'))).toEqual([])
    // Images never change: two backups share one copy of the same image.
    const [image = ''] = kept.images.map(({ hash }) => join('media', hash))
    const inode = async (folder: string) => (await stat(join(folder, image))).ino
    expect(await inode(next)).toBe(await inode(backup))
    expect(await inode(next)).not.toBe(await inode(server.dataDir))
  })
})
