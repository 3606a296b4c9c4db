/** A backup of EventStoreDB and MongoDB while people work, and its way back into empty stores or into a folder. */
import { cp, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { openEventStoreDB } from '../../../domain/event-store/eventstoredb.ts'
import { event } from '../../../domain/event-store/test/samples.ts'
import * as audit from '../../bin/commands/audit.ts'
import { run, type Ran } from '../../bin/test/run.ts'
import { openEmbeddedOrigin } from '../../composition/embedded-origin.ts'
import { later } from '../../core/clock.ts'
import { ApiClient } from '../../http/client.ts'
import { testServer } from '../../testing/server.ts'
import { readManifest } from './manifest.ts'
import { linesOfLog } from './test/digests.ts'
import { folderIn, modesIn, program } from './test/helpers.ts'
import {
  isSkipped,
  secrets,
  startSharedInstallation,
  writer,
  type SharedInstallation,
} from './test/shared-installation.ts'
import { digestsIn, newStores } from './test/shared-stores.ts'

describe.skipIf(isSkipped)('A backup of EventStoreDB and MongoDB', () => {
  let here: SharedInstallation
  const acknowledged = new Set<string>()
  let before: readonly string[]
  /** Made while people worked. */
  let backup: string
  /** What the command said. */
  let said: Ran

  beforeAll(async () => {
    here = await startSharedInstallation()
    const other = openEventStoreDB(here.source.events.url)
    // Another program on the same server.
    const { name, data } = event('InvoiceSent')
    const metadata = { eventId: event().metadata.eventId } as ReturnType<typeof event>['metadata']
    await other.append('invoice-1', 'no-stream', [{ name, data, metadata }])
    await other.close()
    const over = new AbortController()
    const writeOn = async () => {
      while (!over.signal.aborted) acknowledged.add(await here.write(`Post ${acknowledged.size}`))
    }
    const writing = [writeOn(), writeOn()]
    await vi.waitUntil(() => acknowledged.size > 4, patience)
    before = [...acknowledged]
    said = await here.backUp()
    over.abort()
    await Promise.all(writing)
    backup = folderIn(said.text)
  })
  afterAll(() => here.remove())

  it('is made while commands are acknowledged, and has the format of the backup of a folder [P19.1]', async () => {
    expect(said).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        /^Work done: .*\nLog: copied, \d+ events .*\nRecords: .*\nPositions: .*\nImages: copied, 2 images .*\nBacked up to \S+: \d+ events, 2 images, \d+ MB, in [\d.]+ s\.\nThe backup does not contain SESSION_SECRET, ENCRYPTION_KEY, AUDIT_SIGNING_KEY, /,
      ),
      errors: '',
    })
    expect(acknowledged.size).toBeGreaterThan(before.length)
    expect((await stat(backup)).mode & 0o777).toBe(0o700)
    const modes = await modesIn(backup)
    expect([...modes.keys()].sort()).toEqual(
      ['events.db', 'manifest.json', 'media', ...here.images.map(({ hash }) => `media/${hash}`), 'records.db'].sort(),
    )
    expect([...modes].filter(([path, mode]) => mode !== (path === 'media' ? 0o700 : 0o600))).toEqual([])
    expect(await readManifest(backup)).toMatchObject({ format: 1, problems: [] })
  })

  it('has every command acknowledged before it, and all that its log needs [P19.2]', async () => {
    const target = join(here.folder, 'restored')
    expect(await program('restore', target, [backup, '--to', target], here.source.env)).toMatchObject({
      code: 0,
      text: expect.stringContaining('The backup has no keys. Give the server the SESSION_SECRET'),
    })
    const origin = await openEmbeddedOrigin(target)
    const streams = new Set((await linesOfLog(origin.events)).map((line) => JSON.parse(line).stream))
    await origin.close()
    expect(before.filter((id) => !streams.has(`post-${id}`))).toEqual([])
    expect(await run(audit, ['verify'], { DATA_DIR: target, ...secrets })).toMatchObject({ code: 0 })
  })

  describe('of an installation at rest', () => {
    let whole: Awaited<ReturnType<typeof digestsIn>>
    let still: string
    let people: object
    let reviewed: object
    beforeAll(async () => {
      people = await here.team.seenBy(here.caller)
      reviewed = await here.review.seenBy(here.caller)
      await here.server.close()
      whole = await digestsIn(here.source)
      const made = await here.backUp()
      expect(made).toMatchObject({ code: 0, errors: '' })
      still = folderIn(made.text)
    })

    it('is the same digest for digest in a folder, where work goes on [P19.3]', async () => {
      const target = join(here.folder, 'same')
      expect(await program('restore', target, [still, '--to', target])).toMatchObject({ code: 0 })
      expect(await digestsIn(target)).toEqual(whole)
      // A file of the sandbox, as the networks are others' in production.
      await cp(join(here.folder, 'data', 'sandbox.db'), join(target, 'sandbox.db'))
      const there = await testServer({ ...secrets, DATA_DIR: target })
      try {
        const caller = new ApiClient(there.url)
        await caller.callOrThrow('login', { body: { email: here.email, password: 'correct horse' } })
        const invitations = [expect.objectContaining({ role: 'manager', letter: null })]
        expect(await here.team.seenBy(caller)).toEqual({ ...people, invitations })
        await here.team.signsIn(there)
        // Contacts, links, reviewers and the words of discussions.
        expect(await here.review.seenBy(caller)).toEqual(reviewed)
        await here.review.worksAt(there.url)
        const id = await writer({ ...here, caller })('After the restore')
        const scheduledFor = later(there.clock.now(), 60_000)
        await caller.callOrThrow('changePost', { params: { id }, body: { status: 'scheduled', scheduledFor } })
        there.clock.advance(120_000)
        const status = async () => (await caller.callOrThrow('getPost', { params: { id } })).status
        await expect.poll(status, patience).toBe('published')
      } finally {
        await there.close()
      }
    })

    it('is the same digest for digest in other stores [P19.4]', async () => {
      const empty = await newStores()
      expect(await here.restoreTo(empty, still)).toMatchObject({
        code: 0,
        text: expect.stringMatching(
          /Restored the backup of \S+ to EVENTSTORE_URL and MONGODB_URL: \d+ events, \d+ records, 2 images\./,
        ),
      })
      expect(await digestsIn(empty)).toEqual(whole)
    })

    it('shares images with an earlier backup', async () => {
      const [{ hash = '' } = {}] = here.images
      expect((await stat(join(still, 'media', hash))).nlink).toBeGreaterThan(1)
    })
  })
})
