import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { removeFolder, temporaryFolder } from '../test/folder.ts'
import { maxStatements, SqliteFile } from './sqlite.ts'

it('a file keeps the statements that were used last, and one that is held works for ever', async () => {
  const folder = await temporaryFolder('sqlite')
  onTestFinished(() => removeFolder(folder))
  const sqlite = new SqliteFile(join(folder, 'a.db'), { synchronous: 'NORMAL' })
  const held = sqlite.prepare('SELECT ? + 1')
  const often = 'SELECT ? + 2'
  const first = sqlite.prepare(often)
  for (let index = 0; index < 3 * maxStatements; index++) {
    expect(sqlite.prepare(`SELECT ${index}, ?`).get([1])).toEqual([index, 1])
    expect(sqlite.prepare(often)).toBe(first)
  }
  expect(sqlite.keptStatements).toBe(maxStatements)
  expect(held.get([1])).toEqual([2])
  expect(sqlite.prepare('SELECT ? + 1')).not.toBe(held)
  sqlite.close()
})

it('the memory of statements that are no longer kept is freed', async () => {
  const folder = await temporaryFolder('sqlite')
  onTestFinished(() => removeFolder(folder))
  const sqlite = new SqliteFile(join(folder, 'a.db'), { synchronous: 'NORMAL' })
  let freed = 0
  const registry = new FinalizationRegistry(() => (freed += 1))
  for (let index = 0; index < 10 * maxStatements; index++) {
    registry.register(sqlite.prepare(`SELECT ${index}`), index)
    if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await expect.poll(() => freed).toBeGreaterThan(4 * maxStatements)
  sqlite.close()
})
