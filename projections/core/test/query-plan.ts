/** How SQLite answers statements on a view's table: the steps of its plan, one a line. */
import { join } from 'node:path'
import { SqliteFile } from '../../../domain/event-store/sqlite.ts'
import { temporaryFolder } from '../../../domain/test/folder.ts'
import { openEmbeddedReadStore } from '../../read-store/embedded.ts'
import type { Sql } from '../../read-store/sql.ts'
import type { Projection } from '../projection.ts'

type View = Pick<Projection, 'name' | 'version' | 'indexes' | 'wordScope'>

export async function planOf({ name, version, indexes, wordScope }: View, statements: readonly Sql[]): Promise<string> {
  const file = join(await temporaryFolder('plan'), 'views.db')
  const store = await openEmbeddedReadStore(file)
  await store.ensure(`${name.replace('-', '_')}_v${version}`, indexes, wordScope)
  await store.close()
  const sqlite = new SqliteFile(file, { synchronous: 'NORMAL' })
  const plan = statements.flatMap(({ text, values }) => {
    const statement = sqlite.prepare(`EXPLAIN QUERY PLAN ${text}`)
    const rows = statement.all(values)
    // The driver leaves an EXPLAIN running after `all`, and the file could not be closed; `get` ends it.
    statement.get(values)
    return rows
  })
  sqlite.close()
  return plan.map((row) => String(row[3])).join('\n')
}
