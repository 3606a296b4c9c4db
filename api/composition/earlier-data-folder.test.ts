/**
 * Data folders that earlier builds wrote, opened by this version: e2e/fixtures has them, and what those builds
 * answered. Their servers were killed. The views of 2a3e484 are of earlier versions.
 *
 * @module-tag long
 */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import { SqliteFile } from '../../domain/event-store/sqlite.ts'
import { projections } from '../../projections/registry.ts'
import { isOfVersion } from '../../projections/core/projection.ts'
import { later, MovableClock } from '../core/clock.ts'
import { ApiClient } from '../http/client.ts'
import { expectEverythingWorks, expectPublishingGoesOn, expectVerified, signIn } from '../testing/earlier/checks.ts'
import { archivesOf, goBackTo, unpackEarlier, type Earlier } from '../testing/earlier/fixture.ts'
import { losses, type Moving } from '../testing/earlier/losses.ts'
import { testServer, type TestServer } from '../testing/server.ts'
import { openFiles } from './embedded.ts'

const archives = await archivesOf('data-folder')

let folder: string
let data: string
let earlier: Earlier
let server: TestServer
let clock: MovableClock
let open = () => {}
beforeEach(async () => {
  folder = await temporaryFolder('earlier')
  data = join(folder, 'data')
})
afterEach(async () => {
  open()
  await server.remove()
  await removeFolder(folder)
})

async function unpack(archive: string): Promise<void> {
  earlier = await unpackEarlier(archive, folder)
  onTestFinished(goBackTo(earlier.at))
  // Later than the next look-up of an open outcome.
  clock = new MovableClock(later(earlier.at, 11 * 60_000))
}
const start = (options: Parameters<typeof testServer>[1] = {}) =>
  testServer({ DATA_DIR: data, PUBLIC_URL: earlier.url }, { clock, ...options })

/** Full reads of the log wait until `open` is called. */
function held(events: EventStore): EventStore {
  const opened = new Promise<void>((resolve) => (open = resolve))
  const readAll: EventStore['readAll'] = async function* (...asked) {
    await opened
    yield* events.readAll(...asked)
  }
  const get = (target: EventStore, key: keyof EventStore) => {
    const value = key === 'readAll' ? readAll : target[key]
    return typeof value === 'function' ? value.bind(target) : value
  }
  return new Proxy(events, { get: (target, key) => get(target, key as keyof EventStore) })
}

/** Every row of the log, as its file has it. */
function rows(): string[] {
  const file = new SqliteFile(join(data, 'events.db'), { synchronous: 'FULL' })
  const all = file.prepare('SELECT * FROM events ORDER BY position').all()
  file.close()
  return all.map((row) => row.map(String).join('\n'))
}
const secrets = async () =>
  Promise.all((await readdir(join(data, 'secrets'))).map((name) => readFile(join(data, 'secrets', name), 'utf8')))

const cardsOf = async (client: ApiClient) => {
  const { text } = await client.get(`/api/clients/${earlier.story.clientIds.cup}/posts?view=card`)
  return JSON.parse(text) as readonly { readonly id: string; readonly excerpt: string; readonly truncated: boolean }[]
}

describe('A server on a data folder of 2a3e484', () => {
  it('reads earlier views until the new ones are built, and the new ones then', async () => {
    await unpack('data-folder-2a3e484.tar.br')
    const stores = await openFiles(data)
    const openStores = () => Promise.resolve({ ...stores, events: held(stores.events) })
    server = await start({ servesAfterMs: 0, openStores })
    const owner = await signIn(server.localUrl, earlier, 'owner')
    const cards = await cardsOf(owner)
    const calendar = (await owner.get('/api/calendar?month=2026-11')).text
    const asListed = earlier.answers.owner[`/api/clients/${earlier.story.clientIds.cup}/posts`] as readonly {
      id: string
    }[]
    expect(cards.map(({ id }) => id)).toEqual(asListed.map(({ id }) => id))
    expect(cards.find(({ id }) => id === earlier.story.postIds['draft'])).toMatchObject({
      excerpt: expect.stringMatching(/^A long story about coffee\..*…$/),
      truncated: true,
    })
    const search = await owner.get(`/api/clients/${earlier.story.clientIds.cup}/posts?view=card&q=coffee`)
    expect(search.status).toBe(503)
    expect(search.text).toMatch(/^This list is being prepared after an update\./)
    expect((await fetch(`${server.localUrl}/readyz`)).status).toBe(503)

    open()
    await vi.waitFor(() => expect(server.projector.health.every(({ state }) => state === 'live')).toBe(true), patience)
    for (const projection of projections)
      expect(isOfVersion(projection, server.projector.live.of(projection.name))).toBe(true)
    const found = await owner.get(`/api/clients/${earlier.story.clientIds.cup}/posts?view=card&q=goes`)
    expect(JSON.parse(found.text)).toMatchObject([{ id: earlier.story.postIds['draft'] }])
    expect((await cardsOf(owner)).map(({ id }) => id)).toEqual(cards.map(({ id }) => id))
    expect(JSON.parse((await owner.get('/api/calendar?month=2026-11')).text)).toHaveLength(JSON.parse(calendar).length)
  })
})

describe('A server on the data folder of an earlier build', () => {
  it.each(archives)('lost nothing, and goes on: %s', async (archive) => {
    await unpack(archive)
    const before = { rows: rows(), secrets: await secrets() }
    server = await start()
    expect(server.projector.health.map(({ state }) => state)).toEqual(projections.map(() => 'live'))
    const { unknown = '', turnedDown = '', underWay = '' } = earlier.story.postIds
    const moving: Moving = {
      ids: new Set([unknown, turnedDown, underWay]),
      fields: new Set(['activePosts', 'dueThisWeek', 'endangeredPosts']),
    }
    expect(await losses(server.localUrl, earlier, 'owner', moving)).toEqual([])
    expect(await losses(server.localUrl, earlier, 'late', moving)).toEqual([])
    await expectEverythingWorks(server.localUrl, earlier, folder)
    await expectPublishingGoesOn(server.localUrl, earlier)

    // Approved and planned by the earlier build, published by this one with the connections of then.
    const owner = await signIn(server.localUrl, earlier, 'owner')
    for (const name of ['scheduled', 'approved']) {
      const params = { id: earlier.story.postIds[name] ?? '' }
      const { scheduledFor } = await owner.callOrThrow('getPost', { params })
      clock.advance(Date.parse(scheduledFor ?? '') - Date.parse(clock.now()) + 1_000)
      const status = async () => (await owner.callOrThrow('getPost', { params })).status
      await expect.poll(status).toBe('published')
    }
    await server.close()
    await expectVerified({ DATA_DIR: data }, earlier, folder)
    expect(rows().slice(0, before.rows.length)).toEqual(before.rows)
    expect(await secrets()).toEqual(before.secrets)
  })
})
