/** Every kind of record has a bound, and a running server enforces it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { clientLimit } from '../../domain/agency/commands.ts'
import { accountLimit } from '../../domain/client/commands.ts'
import { newEmail, password } from '../features/auth/test/helpers.ts'
import { ApiClient } from '../http/client.ts'
import { openFiles } from '../composition/embedded.ts'
import { openImageQuota } from '../features/media/quota.ts'
import { maxTokens } from '../features/review/tokens.ts'
import { isTestCode } from '../testing/layout/imports.ts'
import { brand, owner, testServer } from '../testing/server.ts'
import { boundedRecords, RecordsFull } from './bounded.ts'
import { bounds, type Bound } from './bounds.ts'
import { openRecordSource } from './embedded-source.ts'
import { openEmbeddedRecords } from './embedded.ts'
import type { Records } from './port.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const rows: Readonly<Record<string, Bound>> = bounds

let folder: string
let records: Records
beforeEach(async () => {
  folder = await temporaryFolder('bounds')
  records = await openEmbeddedRecords(join(folder, 'records.db'))
})
afterEach(async () => {
  await records.close()
  await removeFolder(folder)
})

const of = (inAll: number, atMaximum: Bound['atMaximum']): Bound => ({
  what: 'a thing',
  each: null,
  inAll,
  atMaximum,
  kept: 'for good',
})
const refuse = { act: 'refuse', sentence: 'No more things.' } as const

it('A count that fails is repeated before the next record is added', async () => {
  const things = await records.table({ table: 'things' })
  for (const id of ['1', '2']) await things.insert({ id })
  const count = vi.spyOn(things, 'count').mockRejectedValueOnce(new StoreUnavailable('The records are away'))
  const kept = { ...records, table: async () => things as never }
  const bounded = await boundedRecords(kept, { bounds: { things: of(2, refuse) } }).table({ table: 'things' })
  await expect(bounded.insert({ id: '3' })).rejects.toThrow(StoreUnavailable)
  await expect(bounded.insert({ id: '3' })).rejects.toThrow(RecordsFull)
  expect(count).toHaveBeenCalledTimes(2)
})

describe('the table of bounds', () => {
  it('has a row for every collection that the product opens [S12]', async () => {
    const server = await testServer()
    await brand(await owner(server))
    await server.close()
    const source = openRecordSource(join(server.dataDir, 'records.db'))
    const opened = source.tables.map(({ definition }) => definition.table)
    source.close()
    await server.remove().catch(() => undefined)
    await removeFolder(server.dataDir)
    expect(opened.length).toBeGreaterThan(12)
    expect(opened.filter((table) => rows[table] === undefined)).toEqual([])
  })

  it('has a row for every collection named in the sources, and no other', async () => {
    const files = (await readdir(join(root, 'api'), { recursive: true })).filter(
      (name) => name.endsWith('.ts') && !isTestCode(`api/${name}`),
    )
    const named = new Set<string>()
    for (const name of files)
      for (const [, table = ''] of (await readFile(join(root, 'api', name), 'utf8')).matchAll(/\btable: '([a-z_]+)'/g))
        named.add(table)
    expect([...named].toSorted()).toEqual(Object.keys(bounds).toSorted())
  })

  it('is required to open a collection', async () => {
    await expect(boundedRecords(records).table({ table: 'something_else' })).rejects.toThrow(
      'The collection something_else has no bound: add a row to api/records/bounds.ts',
    )
    await expect(boundedRecords(records).table({ table: 'sessions' })).rejects.toThrow(
      'The collection sessions has no index on expire',
    )
  })

  it('bounds connections as the deciders do', () => {
    expect(bounds.tokens.each.max).toBe(clientLimit * accountLimit)
  })

  it('bounds the addresses of review links as their records do', () => {
    expect(bounds.review_tokens.each.max).toBe(maxTokens)
  })
})

describe('a full kind of record', () => {
  const things = async (bound: Bound, options: Partial<Parameters<typeof boundedRecords>[1]> = {}) =>
    boundedRecords(records, { bounds: { things: bound }, ...options }).table<{
      readonly id: string
      readonly at?: string
    }>({ table: 'things', indexed: ['at'] })

  it('refuses a new record with an explanation, and accepts one after a removal', async () => {
    const table = await things(of(3, refuse))
    for (const id of ['a', 'b', 'c']) expect(await table.insert({ id })).toBe(true)
    await expect(table.insert({ id: 'd' })).rejects.toMatchObject({
      name: 'RecordsFull',
      kind: 'things',
      sentence: 'No more things.',
    })
    await expect(table.put({ id: 'd' })).rejects.toBeInstanceOf(RecordsFull)
    await table.put({ id: 'a', at: 'again' })
    expect([await table.insert({ id: 'b' }), await table.count()]).toEqual([false, 3])
    await table.remove('b')
    expect(await table.insert({ id: 'd' })).toBe(true)
  })

  it('is reported to the operator once, and counted at most once a second', async () => {
    const full: string[] = []
    let counted = 0
    const { table: open } = records
    const observed: Records = {
      ...records,
      table: async (definition) => Object.assign(await open(definition), { count: async () => ((counted += 1), 2) }),
    }
    const table = await boundedRecords(observed, {
      bounds: { things: of(2, refuse) },
      onFull: (kind) => full.push(kind),
      elapsed: () => 0,
    }).table({ table: 'things' })
    for (let time = 0; time < 50; time++) await table.insert({ id: String(time) }).catch(() => undefined)
    expect({ full, counted }).toEqual({ full: ['things'], counted: 1 })
  })

  it('evicts the oldest records', async () => {
    const table = await things(of(5, { act: 'remove-first', by: 'at' }))
    for (let at = 1; at <= 12; at++) await table.insert({ id: `t${at}`, at: String(at).padStart(4, '0') })
    expect((await table.first('at', 10)).map(({ id }) => id)).toEqual(['t8', 't9', 't10', 't11', 't12'])
  })

  it('sees the records of other processes within a minute', async () => {
    let elapsed = 0
    const table = await things(of(4, refuse), { elapsed: () => elapsed })
    const elsewhere = await things(of(4, refuse))
    await table.insert({ id: 'a' })
    for (const id of ['b', 'c', 'd']) await elsewhere.insert({ id })
    elapsed = 60_001
    await expect(table.insert({ id: 'e' })).rejects.toBeInstanceOf(RecordsFull)
  })
})

describe('a server at its maximum of accounts', () => {
  it('explains this at registration, and lets all users sign in', async () => {
    const dataDir = await temporaryFolder('full')
    const server = await testServer(
      { DATA_DIR: dataDir },
      {
        openStores: async () => {
          const stores = await openFiles(dataDir)
          return {
            ...stores,
            records: boundedRecords(stores.records, { bounds: { ...bounds, users: { ...bounds.users, inAll: 2 } } }),
          }
        },
      },
    )
    const emails = [newEmail(), newEmail(), newEmail()]
    const register = (email: string | undefined) =>
      new ApiClient(server.url).ask('register', { body: { email, password } })
    expect([(await register(emails[0])).status, (await register(emails[1])).status]).toEqual([201, 201])
    expect(await register(emails[2])).toMatchObject({
      status: 503,
      text: 'This server takes no more accounts. Please ask its operator.',
    })
    expect((await new ApiClient(server.url).ask('login', { body: { email: emails[0], password } })).status).toBe(200)
    await server.remove()
  })
})

describe('one owner', () => {
  it('has twenty pending consents at most: the oldest ends when the next starts', { tags: 'long' }, async () => {
    const server = await testServer()
    const caller = await owner(server)
    const { accountId } = await brand(caller)
    const begun: string[] = []
    for (let time = 0; time < 25; time++) {
      server.clock.advance(1_000)
      const asked = await caller.ask('connectSocialAccount', { params: { id: accountId } })
      begun.push(new URL(asked.headers.get('location') ?? '').searchParams.get('state') ?? '')
    }
    const finish = async (state = '') =>
      (
        await caller.get(`/api/oauth/facebook/callback?${new URLSearchParams({ state, error: 'access_denied' })}`)
      ).headers.get('location') ?? ''
    const [first, sixth] = [await finish(begun[0]), await finish(begun[5])]
    expect([first.includes('connect=expired'), sixth.includes('connect=canceled')]).toEqual([true, true])
    await server.remove()
  })

  it('has a maximum number of images, however small they are', async () => {
    const quota = await openImageQuota(boundedRecords(records), 1, 3)
    const image = (hash: string) => ({ hash, size: 10, type: 'image/png', width: 1, height: 1 }) as const
    for (const hash of ['a', 'b', 'b', 'c']) {
      expect(await quota.hasRoom('ada', 10)).toBe(true)
      await quota.count('ada', image(hash))
    }
    expect([await quota.hasRoom('ada', 10), await quota.hasRoom('bob', 10)]).toEqual([false, true])
  })
})
