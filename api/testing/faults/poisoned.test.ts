/**
 * Changed events, and events that this version can't handle: what stops, what reports it, and what continues.
 *
 * @module-tag long
 */
import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteFile } from '../../../domain/event-store/sqlite.ts'
import { byServer } from '../../operations/backup/test/helpers.ts'
import { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../server.ts'
import { postsOf, ready, writePosts, type Writing } from './helpers.ts'

const unreadable =
  "Something that this server keeps can't be read, so this can't be done. Nothing was changed; please tell its operator."

describe.skipIf(process.env['TEST_SHAPE'] === 'distributed')('A log with an event that', () => {
  let server: TestServer
  let caller: ApiClient
  let where: Writing
  let victim: string
  let others: readonly string[]
  beforeEach(async () => {
    server = await testServer({ LOG_LEVEL: 'silent' })
    caller = await owner(server)
    where = await brand(caller)
    const { acknowledged } = await writePosts(caller, where, 6)
    ;[victim = '', ...others] = acknowledged
  })
  afterEach(() => server.remove())

  /** Changes the log of the stopped server. Returns a function that repairs it. */
  const change = (sql: string): (() => void) => {
    const run = (text: string) => {
      const file = new SqliteFile(join(server.dataDir, 'events.db'), { synchronous: 'FULL' })
      try {
        file.exec(text)
      } finally {
        file.close()
      }
    }
    run(`CREATE TABLE IF NOT EXISTS kept AS SELECT * FROM events; ${sql}`)
    return () =>
      run(
        `UPDATE events SET (name, data) = (SELECT name, data FROM kept WHERE kept.position = events.position) WHERE ${isVictims()}; DROP TABLE kept`,
      )
  }
  const stopped = () => server.close()
  const started = async (withViews: 'kept' | 'anew') => {
    if (withViews === 'anew') await rm(join(server.dataDir, 'views.db'))
    const { cookie } = caller
    const { dataDir } = server
    server = await testServer({ LOG_LEVEL: 'silent', DATA_DIR: dataDir })
    caller = new ApiClient(server.url)
    caller.cookie = cookie
  }
  const isVictims = () => `stream = 'post-${victim}'`
  const history = (id: string) => caller.ask('getPostHistory', { params: { id } })
  const revise = (id: string) => caller.ask('changePost', { params: { id }, body: { content: 'Changed' } })

  const poisoned = {
    'can not be read': {
      sql: () => `UPDATE events SET data = '{"half' WHERE ${isVictims()}`,
      view: 'posts',
      named: /event 0 of post-\S+, can't be read: it was changed$/,
    },
    'a view can not take in': {
      sql: () => `UPDATE events SET name = 'SampleFiguresAdded', data = '{}' WHERE ${isVictims()}`,
      view: 'analytics',
      named: /^(503 )?analytics is failing: analytics can't apply SampleFiguresAdded \(revision 0 of post-\S+\): /,
    },
  }
  const standing = async (view: string) =>
    (await ready(server))
      .replace(/^503 /, '')
      .split('\n')
      .find((line) => line.startsWith(`${view} is failing: `)) ?? ''

  it.each(Object.entries(poisoned))(
    '%s stops only the views that need it, which name the event; they continue once it is repaired',
    async (_, { sql, view, named }) => {
      await stopped()
      const mend = change(sql())
      await started('anew')
      expect(await ready(server)).toMatch(/^503 /)
      expect(await standing(view)).toMatch(named)
      expect(await standing('clients')).toBe('')
      // What doesn't need it is there, and commands go on.
      expect((await caller.ask('addClient', { body: { name: 'Another', industry: 'Tea' } })).status).toBe(201)
      expect(await caller.callOrThrow('listClients')).toHaveLength(2)
      expect((await revise(others[0] ?? '')).status).toBeLessThan(300)
      // So does the command line.
      expect(await byServer(server.dataDir, 'projections', 'rebuild', view)).toMatchObject({
        code: 4,
        text: expect.stringContaining(`of post-${victim}`),
      })
      await stopped()
      mend()
      await started('kept')
      expect(await ready(server)).toBe('200 ready')
      if (view === 'posts') expect(await postsOf(caller, where.clientId)).toHaveLength(6)
    },
  )

  it("can not be read makes a rebuild fail with the event's stream, and leaves the live view unchanged", async () => {
    await stopped()
    change(poisoned['can not be read'].sql())
    await started('kept')
    expect(await byServer(server.dataDir, 'projections', 'rebuild', 'posts')).toMatchObject({
      code: 4,
      text: expect.stringContaining(`of post-${victim}`),
    })
    expect(await ready(server)).toBe('200 ready')
    expect(await postsOf(caller, where.clientId)).toHaveLength(6)
    expect((await revise(others[0] ?? '')).status).toBeLessThan(300)
  })

  it('has an unknown type blocks only its own stream [S95]', async () => {
    await stopped()
    change(`UPDATE events SET name = 'PostTeleported' WHERE ${isVictims()}`)
    await started('kept')
    expect(await ready(server)).toBe('200 ready')
    expect(await postsOf(caller, where.clientId)).toHaveLength(6)
    expect(await revise(victim)).toMatchObject({ status: 500, text: unreadable })
    expect((await revise(others[0] ?? '')).status).toBeLessThan(300)
    expect((await history(victim)).text).toBe(unreadable)
  })
})
