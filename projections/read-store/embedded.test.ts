import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { NoRoom } from '../../domain/event-store/port.ts'
import { SqliteFile } from '../../domain/event-store/sqlite.ts'
import { openEmbeddedReadStore } from './embedded.ts'
import type { Query, ReadStore } from './port.ts'
import type { Mark } from './sql.ts'
import { pages } from './sql.ts'
import { readStoreContract } from './test/suite.ts'

readStoreContract('One SQLite file', async () => {
  const { file, remove } = await newFile()
  let store = await openEmbeddedReadStore(file)
  const reopen = async () => {
    await store.close()
    return (store = await openEmbeddedReadStore(file))
  }
  const cleanup = async () => {
    await store.close()
    await remove()
  }
  return { store, reopen, cleanup }
})

describe("The read store's file", () => {
  it('has one owner: a second opener gets an error', async () => {
    const { file, remove } = await newFile()
    onTestFinished(remove)
    const store = await openEmbeddedReadStore(file)
    await expect(openEmbeddedReadStore(file)).rejects.toThrow(/^Another SocialAI is already running on .*Stop it first/)
    await store.close()
    await (await openEmbeddedReadStore(file)).close()
  })

  it('goes on after a restart with the removal of a dropped collection', { tags: 'long' }, async () => {
    const { file, remove } = await newFile()
    onTestFinished(remove)
    const fill = async (store: ReadStore) => {
      await store.ensure('posts_v1', [['agency']], 'agency')
      await store.write('posts_v1', documents, '1')
    }
    const documents = Array.from({ length: 3_000 }, (_, index) => {
      const id = String(index)
      return { id, position: '1', doc: { id, agency: 'a', words: 'fresh bread' }, isNew: true }
    })
    const store = await openEmbeddedReadStore(file)
    await fill(store)
    await store.drop('posts_v1')
    expect(await store.collections()).toEqual([])
    await store.close()
    expect(tablesOf(file)).toContain('c_posts_v1')

    const again = await openEmbeddedReadStore(file)
    await fill(again)
    const { items } = await again.find('posts_v1', { where: { agency: 'a' }, words: 'bre', limit: 1_000 })
    expect(items).toHaveLength(1_000)
    expect(await again.count('posts_v1')).toBe(3_000)
    await again.drop('posts_v1')
    // Waits for the removal, because the name is wanted again.
    await again.ensure('posts_v1', [])
    await again.close()
    expect(tablesOf(file).filter((name) => /posts_v1/.test(name))).toEqual(['c_posts_v1'])
  })

  it.each([1, 2])(
    'removes a collection again whose removal failed, before its name is used again: %i times',
    async (times) => {
      const { file, remove } = await newFile()
      onTestFinished(remove)
      const store = await openEmbeddedReadStore(file)
      const again = () => store.ensure('posts_v1', [['agency']], 'agency')
      await again()
      await store.write('posts_v1', [{ id: 'a', position: '9', doc: { id: 'a', agency: 'a', words: 'bread' } }], '9')
      const exec = SqliteFile.prototype.exec
      let failures = 0
      const spy = vi.spyOn(SqliteFile.prototype, 'exec').mockImplementation(function (this: SqliteFile, sql) {
        if (sql.includes('DROP') && failures++ < times) throw new NoRoom('There is no room left on the disk')
        return exec.call(this, sql)
      })
      onTestFinished(() => spy.mockRestore())
      await store.drop('posts_v1')
      for (let failed = 1; failed < times; failed++) await expect(again()).rejects.toThrow('There is no room left')
      await again()
      expect([await store.count('posts_v1'), await store.checkpoint('posts_v1')]).toEqual([0, null])
      await store.close()
    },
  )

  it('throws for a collection that was never ensured', async () => {
    const { file, remove } = await newFile()
    onTestFinished(remove)
    const store = await openEmbeddedReadStore(file)
    await expect(store.get('posts_v1', 'a')).rejects.toThrow('There is no collection "posts_v1"')
    await expect(store.swap('posts', 'posts_v1')).rejects.toThrow('There is no collection "posts_v1"')
    await store.close()
  })

  const mark: Mark = { id: 'x', value: '2026' }
  const due = { field: 'due', order: 'desc' } as const
  const indexed: readonly (readonly [string, Query, Mark | null, RegExp])[] = [
    [
      'equality, newest first',
      { where: { agency: 'a' }, sort: due },
      null,
      /INDEX posts_v1\.agency\.due \(<expr>=\?\)/,
    ],
    [
      'equality, oldest first',
      { where: { agency: 'a' }, sort: { field: 'due', order: 'asc' } },
      null,
      /posts_v1\.agency\.due/,
    ],
    [
      'equality, a further page',
      { where: { agency: 'a' }, sort: due },
      mark,
      /agency\.due \(<expr>=\? AND <expr><\?\)/,
    ],
    [
      'a range',
      { where: { agency: 'a', due: { gte: '1', lt: '2' } }, sort: due },
      null,
      /due \(<expr>=\? AND <expr>>\? AND <expr><\?\)/,
    ],
    ['no condition, sorted', { sort: due }, null, /SCAN c_posts_v1 USING INDEX posts_v1\.due/],
    ['no condition, a further page', { sort: due }, mark, /posts_v1\.due \(<expr><\?\)/],
    ['null', { where: { agency: null }, sort: due }, null, /agency\.due \(<expr>=\?\)/],
    ['an awkward text', { where: { agency: 'a\0' }, sort: due }, null, /agency\.due \(<expr>=\?\)/],
    ['by id, a further page', {}, mark, /sqlite_autoindex_c_posts_v1_1 \(id>\?\)/],
    ['nothing but the id', {}, null, /sqlite_autoindex_c_posts_v1_1/],
  ]
  it.each(indexed)('uses an index, without sorting: %s', async (_, query, from, expected) => {
    const plan = await planOf(query, from)
    expect(plan).toMatch(expected)
    expect(plan).not.toContain('TEMP B-TREE')
  })

  it.each([
    ['several values', { agency: { in: ['a', 'b'] } }, null],
    ['several values, a further page', { agency: { in: ['a', 'b'] } }, mark],
  ] as const)('merges the first documents of each value from an index, newest first: %s', async (_, where, from) => {
    const plan = await planOf({ where, sort: due }, from)
    expect(plan.match(/SEARCH c_posts_v1/g)?.length).toBeGreaterThanOrEqual(2)
    expect(plan.match(/SEARCH c_posts_v1/g)).toHaveLength(plan.match(/posts_v1\.agency\.due \(<expr>=\?/g)?.length ?? 0)
    expect(plan).not.toContain('SCAN c_posts_v1')
  })

  it('uses an index for a membership condition', async () => {
    expect(await planOf({ where: { agency: { in: ['a', 'b'] } } }, null)).toMatch(/agency\.due \(<expr>=\?\)/)
  })
})

async function planOf(query: Query, mark: Mark | null): Promise<string> {
  const { file, remove } = await newFile()
  onTestFinished(remove)
  const store = await openEmbeddedReadStore(file)
  await store.ensure('posts_v1', [['agency', 'due'], ['due']])
  await store.close()
  const sqlite = new SqliteFile(file, { synchronous: 'NORMAL' })
  const plan = pages('c_posts_v1', query, mark, 10).flatMap(({ text, values }) => {
    const statement = sqlite.prepare(`EXPLAIN QUERY PLAN ${text}`)
    const rows = statement.all(values)
    // The driver leaves an EXPLAIN running after \`all\`, and the file could not be closed; \`get\` ends it.
    statement.get(values)
    return rows
  })
  sqlite.close()
  return plan.map((row) => String(row[3])).join('\n')
}

async function newFile(): Promise<{ file: string; remove: () => Promise<void> }> {
  const folder = await temporaryFolder('read-store')
  return { file: join(folder, 'views.db'), remove: () => removeFolder(folder) }
}

function tablesOf(file: string): readonly string[] {
  const sqlite = new SqliteFile(file, { synchronous: 'NORMAL' })
  const tables = sqlite.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
  sqlite.close()
  return tables.map(([name]) => String(name))
}
