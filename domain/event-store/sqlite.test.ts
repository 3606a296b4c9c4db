/** @module-tag long */
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
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

/**
 * Node has it only where the flag is set.
 * https://nodejs.org/docs/latest-v20.x/api/v8.html#v8setflagsfromstringflags
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}

it('the memory of statements that are no longer kept is freed', async () => {
  const folder = await temporaryFolder('sqlite')
  onTestFinished(() => removeFolder(folder))
  const sqlite = new SqliteFile(join(folder, 'a.db'), { synchronous: 'NORMAL' })
  let freed = 0
  const registry = new FinalizationRegistry(() => (freed += 1))
  for (let index = 0; index < 4 * maxStatements; index++) {
    registry.register(sqlite.prepare(`SELECT ${index}`), index)
  }
  await expect
    .poll(() => {
      collectGarbage()
      return freed
    })
    .toBeGreaterThanOrEqual(2 * maxStatements)
  sqlite.close()
})
