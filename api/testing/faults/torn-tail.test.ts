/**
 * A power cut in the middle of a write: the end of the newest writes is missing, or isn't what was written.
 *
 * @module-tag long
 */
import { cp, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openEmbeddedEventStore } from '../../../domain/event-store/embedded.ts'
import { verifyLog } from '../../operations/audit/verify-log.ts'
import { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer } from '../server.ts'
import { folderFor, garble, launch, postsOf, writePosts, type Writing } from './helpers.ts'

/** The smallest commit in bytes: a page and its header. */
const frame = 4096 + 24

describe.skipIf(process.env['TEST_SHAPE'] === 'distributed')('A log whose tail is torn', () => {
  const killed = folderFor(beforeAll, afterAll)
  const here = folderFor(beforeEach, null)
  let cookie: string
  let where: Writing
  /** In the order in which they were acknowledged. */
  let acknowledged: readonly string[]

  beforeAll(async () => {
    const server = await launch(join(killed.path, 'data'))
    if (!('url' in server)) throw new Error(server.output)
    const caller = await owner(server)
    where = await brand(caller)
    acknowledged = (await writePosts(caller, where, 40)).acknowledged
    cookie = caller.cookie
    await server.kill('SIGKILL')
  })

  const startOn = (dataDir: string) => testServer({ DATA_DIR: dataDir })
  const copyKilled = (dataDir: string) =>
    cp(join(killed.path, 'data'), dataDir, { recursive: true, filter: (path) => !path.endsWith('admin.sock') })
  it.each<[string, number, (wal: string, size: number) => Promise<unknown>]>([
    ['cut by a byte', 39, (wal, size) => truncate(wal, size - 1)],
    ['cut in the middle of a page', 37, (wal, size) => truncate(wal, size - 2 * frame - 1000)],
    ['cut by many pages', 1, (wal, size) => truncate(wal, size - 30 * frame)],
    ['garbled at its end', 39, (wal, size) => garble(wal, size - 500, 500)],
    ['garbled a while before its end', 30, (wal, size) => garble(wal, size - 12 * frame, 300)],
  ])('because it was %s has all that came before the tear, nothing half, and goes on', async (_, least, tear) => {
    const dataDir = join(here.path, 'data')
    await copyKilled(dataDir)
    const wal = join(dataDir, 'events.db-wal')
    await tear(wal, (await stat(wal)).size)

    // A log that ends before the read models is refused with instructions.
    const refusal = await startOn(dataDir).then(
      (server) => server.close(),
      (error: unknown) => String(error),
    )
    if (refusal !== undefined) {
      expect(refusal).toMatch(
        /^StoreUnavailable: The read models are ahead of the event log .*Nothing was started\. (Rebuild them with `npm run projections -- rebuild --all`|The log is empty)/,
      )
      for (const rest of ['', '-wal']) await rm(join(dataDir, `views.db${rest}`), { force: true })
    }
    const events = await openEmbeddedEventStore(join(dataDir, 'events.db'))
    const { problems } = await verifyLog(events, [])
    await events.close()
    expect(problems).toEqual([])

    const server = await startOn(dataDir)
    onTestFinished(() => server.close())
    const caller = new ApiClient(server.url)
    caller.cookie = cookie
    const there = new Set(await postsOf(caller, where.clientId))
    // Only the newest posts are missing.
    expect(acknowledged.map((id) => there.has(id))).toEqual(acknowledged.map((_, index) => index < there.size))
    expect(there.size).toBeGreaterThanOrEqual(least)
    expect(there.size).toBeLessThan(acknowledged.length)
    expect((await writePosts(caller, where, 2)).refusal).toBeNull()
    expect(await postsOf(caller, where.clientId)).toHaveLength(there.size + 2)
  })

  it('loses no acknowledged write where only the process died [S93]', async () => {
    const dataDir = join(here.path, 'data')
    await copyKilled(dataDir)
    const server = await startOn(dataDir)
    onTestFinished(() => server.close())
    const caller = new ApiClient(server.url)
    caller.cookie = cookie
    expect((await postsOf(caller, where.clientId)).toSorted()).toEqual([...acknowledged].toSorted())
  })
})
