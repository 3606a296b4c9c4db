import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryStores, type TestStores } from '../../../projections/core/test/helpers.ts'
import { run as runCommandLine } from '../test/run.ts'
import * as commandLine from './projections.ts'
import { fillWithPosts } from './test/fill.ts'

let on: TestStores
beforeEach(async () => {
  on = await temporaryStores()
})
afterEach(() => on.remove())

const run = (...args: readonly string[]) => runIn(on.folder, ...args)
async function runIn(dataDir: string, ...args: readonly string[]): Promise<{ code: number; text: string }> {
  const { code, all } = await runCommandLine(commandLine, args, { DATA_DIR: dataDir })
  return { code, text: all }
}

describe('The command line', () => {
  it('maintains a stopped store: status, rebuild, verify, prune', { tags: 'long' }, async () => {
    await fillWithPosts(on, 500)
    await on.close()
    const rebuilt = await run('rebuild', 'posts', 'calendar')
    expect(rebuilt).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^posts: rebuilt, 1,000 events in .* s\ncalendar: rebuilt, /),
    })
    expect(await run('verify')).toMatchObject({ code: 0, text: expect.stringContaining('posts: matches the log') })
    expect(await run('prune')).toMatchObject({ code: 0, text: 'No collection to drop\nDeleted 0 tombstones\n' })
    expect(await run('status')).toMatchObject({
      code: 0,
      text: expect.stringMatching(/posts +v5 +posts_v5_g1 +\d{16} +0 +500/),
    })
    on = await temporaryStores(on.folder)
  })

  it('reports a running server, and the remedy', async () => {
    expect(await run('status')).toMatchObject({
      code: 3,
      text: expect.stringMatching(/^Another SocialAI is already running on .*events\.db\. Stop it first/),
    })
  })

  it('creates no store in an empty place', async () => {
    const dataDir = join(on.folder, 'nowhere')
    expect(await runIn(dataDir, 'status')).toEqual({
      code: 3,
      text: `There is no event log in ${dataDir}. Set DATA_DIR to the folder of your data.\n`,
    })
  })

  it('reports wrong usage with its own exit code', async () => {
    await on.close()
    expect(await run('rebuild', 'poste')).toMatchObject({
      code: 2,
      text: expect.stringContaining('There is no projection named poste'),
    })
    expect(await run('rebuild')).toMatchObject({ code: 2 })
    expect(await run('repair')).toMatchObject({ code: 2, text: expect.stringContaining("unknown command 'repair'") })
    expect(await run('--help')).toMatchObject({ code: 0, text: expect.stringContaining('Exit codes: 0 success') })
    on = await temporaryStores(on.folder)
  })
})
