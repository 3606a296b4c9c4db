/** A data folder that commit 2a3e484 wrote, opened by this version. Its views are of earlier versions, or absent. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../domain/test/folder.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import { projections } from '../../projections/registry.ts'
import { isOfVersion } from '../../projections/core/projection.ts'
import { MovableClock } from '../core/clock.ts'
import { ApiClient } from '../http/client.ts'
import { testServer, type TestServer } from '../testing/server.ts'
import { openFiles } from './embedded.ts'

const archive = fileURLToPath(new URL('test/data-folder-2a3e484.tgz', import.meta.url))
const environment = {
  SESSION_SECRET: 's'.repeat(32),
  ENCRYPTION_KEY: 'ab'.repeat(32),
  AUDIT_SIGNING_KEY: 'cd'.repeat(32),
}
/** Within the trial of the agency in the folder. */
const clock = () => new MovableClock('2026-11-25T08:00:00.000Z')

let folder: string
let server: TestServer
let open = () => {}
beforeEach(async () => {
  folder = await temporaryFolder('earlier')
  await promisify(execFile)('tar', ['-xzf', archive, '--strip-components=1', '-C', folder])
})
afterEach(async () => {
  open()
  await server.remove()
})

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

const signIn = async () => {
  const caller = new ApiClient(server.url)
  await caller.callOrThrow('login', { body: { email: 'owner@example.com', password: 'correct horse' } })
  const [client] = await caller.callOrThrow('listClients')
  if (!client) throw new Error('No client')
  return { caller, clientId: client.id }
}
const cardsOf = async ({ caller, clientId }: Awaited<ReturnType<typeof signIn>>) => {
  const { text } = await caller.get(`/api/clients/${clientId}/posts?view=card`)
  return JSON.parse(text) as readonly { readonly id: string; readonly excerpt: string; readonly truncated: boolean }[]
}

describe('A server on a data folder of 2a3e484', () => {
  it('reads earlier views until the new ones are built, and the new ones then', async () => {
    const stores = await openFiles(folder)
    server = await testServer(
      { ...environment, DATA_DIR: folder },
      {
        clock: clock(),
        servesAfterMs: 0,
        openStores: () => Promise.resolve({ ...stores, events: held(stores.events) }),
      },
    )
    const before = await signIn()
    const cards = await cardsOf(before)
    const { text } = await before.caller.get('/api/calendar?month=2027-03')
    const calendar: unknown = JSON.parse(text)
    expect(cards).toMatchObject([
      { excerpt: 'Post 3', truncated: false },
      { excerpt: 'Post 2', truncated: false },
      { excerpt: expect.stringMatching(/^A long story about coffee\..*…$/), truncated: true },
    ])
    expect(calendar).toMatchObject([{ truncated: true }, { excerpt: 'Post 2' }, { excerpt: 'Post 3' }])
    const search = await before.caller.get(`/api/clients/${before.clientId}/posts?view=card&q=coffee`)
    expect(search.status).toBe(503)
    expect(search.text).toMatch(/^This list is being prepared after an update\./)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)

    open()
    await vi.waitFor(() => expect(server.projector.health.every(({ state }) => state === 'live')).toBe(true), 10_000)
    for (const projection of projections)
      expect(isOfVersion(projection, server.projector.live.of(projection.name))).toBe(true)
    expect(await cardsOf(before)).toEqual(cards)
    const found = await before.caller.get(`/api/clients/${before.clientId}/posts?view=card&q=coffee`)
    expect(JSON.parse(found.text)).toMatchObject([{ truncated: true }])
    expect(JSON.parse((await before.caller.get('/api/calendar?month=2027-03')).text)).toEqual(calendar)
  })

  it('has built its views before it serves, where that takes little time', async () => {
    server = await testServer({ ...environment, DATA_DIR: folder }, { clock: clock() })
    const { caller, clientId } = await signIn()
    expect(await cardsOf({ caller, clientId })).toHaveLength(3)
    expect(server.projector.health.map(({ state }) => state)).toEqual(projections.map(() => 'live'))
  })
})
