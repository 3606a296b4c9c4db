/**
 * Rebuilds that are killed or interrupted: each is a process of its own.
 *
 * @module-tag long
 */
import { spawn } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { randoms } from '../../processes/test/randoms.ts'
import { contents, temporaryStores, type TestStores } from '../../../projections/core/test/helpers.ts'
import { run as runCommandLine } from '../test/run.ts'
import * as commandLine from './projections.ts'
import { projections } from '../../../projections/registry.ts'
import { verifyProjection } from '../../../projections/verify.ts'
import { sample } from '../../../domain/test/sample.ts'
import { fillWithPosts } from './test/fill.ts'
import { compiled } from '../../../domain/test/compiled.ts'

const kills = sample('REBUILD_KILLS', { test: 1, long: 3 })

let on: TestStores
beforeEach(async () => {
  on = await temporaryStores()
})
afterEach(() => on.remove())

/** Runs it in a process of its own, to be killed. */
function start(args: readonly string[]) {
  const child = spawn(process.execPath, [compiled('api/bin/command.ts'), 'projections', ...args], {
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
const run = (...args: readonly string[]) => runCommandLine(commandLine, args, { DATA_DIR: on.folder })

describe('The command line', () => {
  it.each([
    ['killed', 'SIGKILL'],
    ['interrupted', 'SIGTERM'],
  ] as const)(
    '%s during a rebuild, the live views stay live and correct, and the next rebuild succeeds',
    async (_, signal) => {
      await fillWithPosts(on, 2_000)
      const before = JSON.stringify([...(await contents(on.store, 'posts_v5'))])
      await on.close()
      const early = ['agency', 'posts']
      const others = projections.map(({ name }) => name).filter((name) => !early.includes(name))
      const { child, ended } = start(['rebuild', ...early, ...others])
      // The first line shows that the work has begun; `posts` comes next, and all others after it.
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
    'killed at random points of a rebuild, the live views stay live, and the next rebuild succeeds',
    { timeout: 60_000 + kills * 10_000 },
    async () => {
      await fillWithPosts(on, 2_000)
      const before = JSON.stringify([...(await contents(on.store, 'posts_v5'))])
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
