import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { randoms } from '../../processes/test/randoms.ts'
import { submitted, written } from '../../../domain/post/test/examples.ts'
import { Projector } from '../../../projections/core/projector.ts'
import { contents, temporaryStores, type TestStores } from '../../../projections/core/test/helpers.ts'
import { run as runCommandLine } from '../test/run.ts'
import * as commandLine from './projections.ts'
import { projections } from '../../../projections/registry.ts'
import { verifyProjection } from '../../../projections/verify.ts'
import { sample } from '../../../domain/test/sample.ts'

/** `npm run soak` sets the full number. */
const kills = sample('REBUILD_KILLS', { test: 1, long: 3 })

let on: TestStores
beforeEach(async () => {
  on = await temporaryStores()
})
afterEach(() => on.remove())

/** Runs it in a process of its own, to be killed. */
function start(args: readonly string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'api/bin/command.ts', 'projections', ...args], {
    env: { ...process.env, DATA_DIR: on.folder },
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<{ code: number | null; text: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, text })),
  )
  return { child, ended }
}
const run = (...args: readonly string[]) => runIn(on.folder, ...args)
async function runIn(dataDir: string, ...args: readonly string[]): Promise<{ code: number; text: string }> {
  const { code, all } = await runCommandLine(commandLine, args, { DATA_DIR: dataDir })
  return { code, text: all }
}

async function filled(count: number): Promise<void> {
  for (let done = 0; done < count; done += 500) {
    await Promise.all(Array.from({ length: 500 }, (_, i) => on.log.write(`post-p${done + i}`, written, submitted)))
  }
  const projector = new Projector(projections, { events: on.events, store: on.store, onError: () => {} })
  await projector.start()
  await projector.stop()
}

describe('The command line', () => {
  it('maintains a stopped store: status, rebuild, verify, prune', async () => {
    await filled(500)
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
      text: expect.stringMatching(/posts +v3 +posts_v3_g1 +\d{16} +0 +500/),
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

  it.each([
    ['killed', 'SIGKILL'],
    ['interrupted', 'SIGTERM'],
  ] as const)(
    '%s during a rebuild, the live views stay live and correct, and the next rebuild succeeds',
    async (_, signal) => {
      await filled(2_000)
      const before = JSON.stringify([...(await contents(on.store, 'posts_v3'))])
      await on.close()
      const { child, ended } = start(['rebuild', 'agency', 'posts', 'calendar', 'due-posts'])
      // The first line shows that the work has begun; `posts` comes next.
      child.stdout.once('data', () => child.kill(signal))
      const { code } = await ended
      expect(code).toBe(signal === 'SIGKILL' ? null : 130)
      on = await temporaryStores(on.folder)
      const live = (await on.store.live('posts')) ?? ''
      expect(JSON.stringify([...(await contents(on.store, live))])).toBe(before)
      for (const projection of projections) expect(await verifyProjection(projection, on.events, on.store)).toEqual([])
      await on.close()
      expect(await run('rebuild', 'posts')).toMatchObject({ code: 0 })
      on = await temporaryStores(on.folder)
      const rebuilt = (await on.store.live('posts')) ?? ''
      expect(rebuilt).not.toBe(live)
      expect(JSON.stringify([...(await contents(on.store, rebuilt))])).toBe(before)
    },
  )

  it(
    `killed at ${kills} random points of a rebuild, the live views stay live, and the next rebuild succeeds`,
    { timeout: 60_000 + kills * 10_000 },
    async () => {
      await filled(2_000)
      const before = JSON.stringify([...(await contents(on.store, 'posts_v3'))])
      const random = randoms(20_261_122)
      for (let kill = 0; kill < kills; kill++) {
        await on.close()
        const { child, ended } = start(['rebuild', 'agency', 'posts'])
        child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), random.whole(0, 400)))
        await ended
        on = await temporaryStores(on.folder)
        const live = (await on.store.live('posts')) ?? ''
        expect(JSON.stringify([...(await contents(on.store, live))])).toBe(before)
      }
      await on.close()
      expect(await run('rebuild', 'posts')).toMatchObject({ code: 0 })
      on = await temporaryStores(on.folder)
      expect(JSON.stringify([...(await contents(on.store, (await on.store.live('posts')) ?? ''))])).toBe(before)
    },
  )
})
