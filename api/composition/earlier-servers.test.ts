/**
 * Logs, records, images and read models that processes of earlier builds wrote over EventStoreDB and MongoDB, opened by
 * processes of this version: e2e/fixtures has them, and what those builds answered. Their processes were killed.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keptLog } from '../testing/all-logs.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { patience } from '../../domain/test/patience.ts'
import { startEventStore, type TestEventStore } from '../../domain/event-store/test/fake-eventstoredb/server.ts'
import { dropDatabase, hasMongo, newDatabase } from '../../projections/read-store/test/mongodb.ts'
import { later, MovableClock } from '../core/clock.ts'
import { readConfig } from '../runtime/config.ts'
import { serveSandbox, type Served } from '../sandbox/test/serving.ts'
import { expectEverythingWorks, expectPublishingGoesOn, expectVerified, signIn } from '../testing/earlier/checks.ts'
import { archivesOf, goBackTo, unpackEarlier, type Earlier } from '../testing/earlier/fixture.ts'
import { losses, nothingMoves } from '../testing/earlier/losses.ts'
import { eventLines, restoreDocuments, restoreEvents } from '../testing/earlier/stores.ts'
import { startProcess, type Role, type RunningProcess } from './distributed.ts'

describe.skipIf(!hasMongo).each(await archivesOf('distributed'))('Processes on the stores of %s', (archive) => {
  let folder: string
  let earlier: Earlier
  let database: string
  let eventStore: TestEventStore
  let sandbox: Served
  let clock: MovableClock
  let env: Record<string, string>
  let goForward = () => {}
  const running: RunningProcess[] = []

  beforeAll(async () => {
    folder = await temporaryFolder('earlier-servers')
    earlier = await unpackEarlier(archive, folder)
    goForward = goBackTo(earlier.at)
    clock = new MovableClock(later(earlier.at, 60_000))
    database = newDatabase()
    eventStore = await startEventStore()
    restoreEvents(eventStore.log, await readFile(join(folder, 'events.jsonl'), 'utf8'))
    await restoreDocuments(database, await readFile(join(folder, 'documents.jsonl'), 'utf8'))
    sandbox = await serveSandbox(folder, clock)
    env = {
      PORT: '0',
      PUBLIC_URL: earlier.url,
      SANDBOX_URL: sandbox.url,
      PUBLISH_POLL_MS: '25',
      DATA_DIR: folder,
      EVENTSTORE_URL: eventStore.url,
      MONGODB_URL: database,
      SESSION_SECRET: 's'.repeat(40),
      ENCRYPTION_KEY: 'ab'.repeat(32),
      AUDIT_SIGNING_KEY: 'cd'.repeat(32),
    }
  })
  afterAll(async () => {
    await Promise.all(running.map((each) => each.close())).finally(goForward)
    await sandbox.close()
    await eventStore.close()
    await dropDatabase(database)
    await removeFolder(folder)
  })

  const start = async (role: Role): Promise<RunningProcess> => {
    const log = keptLog(process.env['TEST_LOG_LEVEL'] ?? 'silent')
    const limits = { failures: 10, perAddress: 100_000, registrations: 100_000 }
    const started = await startProcess(role, readConfig(env), { log, webRoot: join(folder, 'no-web'), limits, clock })
    running.push(started)
    const status = async () => (await fetch(`${started.localUrl}/readyz`)).status
    await expect.poll(status, patience).toBe(200)
    return started
  }

  it('lost nothing, let people in as before, and end what was begun', async () => {
    const before = eventLines(eventStore.log).split('\n')
    await start('projector')
    const api = await start('api')
    // Without a worker nothing moves.
    expect(await losses(api.localUrl, earlier, 'owner', nothingMoves)).toEqual([])
    expect(await losses(api.localUrl, earlier, 'late', nothingMoves)).toEqual([])
    await expectEverythingWorks(api.localUrl, earlier, folder)

    // A worker gives up the claim of a killed process when its time is over, by any clock.
    clock.advance(10 * 60_000)
    await start('worker')
    await expectPublishingGoesOn(api.localUrl, earlier)
    const owner = await signIn(api.localUrl, earlier, 'owner')
    const params = { id: earlier.story.postIds['scheduled'] ?? '' }
    const { scheduledFor } = await owner.callOrThrow('getPost', { params })
    clock.advance(Date.parse(scheduledFor ?? '') - Date.parse(clock.now()) + 1_000)
    const status = async () => (await owner.callOrThrow('getPost', { params })).status
    await expect.poll(status, patience).toBe('published')

    const published = (await sandbox.posts()).map(({ content }) => content)
    for (const content of ['Fresh bread from seven', 'lost-answer of a post', 'turned-down for now', 'Tea at five'])
      expect(published.filter((one) => one === content)).toHaveLength(1)
    await Promise.all(running.splice(0).map((each) => each.close()))
    await expectVerified(env, earlier, folder)
    expect(eventLines(eventStore.log).split('\n').slice(0, before.length)).toEqual(before)
  })
})
