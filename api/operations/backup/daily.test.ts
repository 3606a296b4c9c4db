/**
 * One backup per day, across restarts and failures.
 *
 * @module-tag long
 */
import pino from 'pino'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { MovableClock } from '../../core/clock.ts'
import { readConfig } from '../../runtime/config.ts'
import { startEmbedded, type Running } from '../../composition/embedded.ts'
import { owner } from '../../testing/server.ts'
import type { Backups, Made } from './backups.ts'
import { startDaily, type Daily } from './daily.ts'
import { backupsIn } from './manifest.ts'
import { CantBackUp } from './snapshot.ts'

const day = 24 * 3_600_000
const soon = { firstAfterMs: 0, pollMs: 5 }

let folder: string
let running: Running | null = null
const clock = new MovableClock('2026-03-01T10:00:00.000Z')
beforeEach(async () => {
  folder = await temporaryFolder('daily')
})
afterEach(async () => {
  await running?.close()
  running = null
  await removeFolder(folder)
})

describe('A server', () => {
  const start = async (env: Readonly<Record<string, string>> = {}) => {
    const config = readConfig({ PORT: '0', DATA_DIR: folder, ...env })
    running = await startEmbedded(config, {
      log: pino({ level: 'error' }),
      webRoot: join(folder, 'no-web'),
      clock,
      daily: soon,
    })
    return running
  }
  const made = async () => (await backupsIn(join(folder, 'backups'))).length
  const lastSuccess = async (at: Running) =>
    /^socialai_backup_last_success_timestamp_seconds (\S+)$/m.exec(
      await (await fetch(`${at.localUrl}/metrics`, { headers: { connection: 'close' } })).text(),
    )?.[1] ?? null

  it('makes a backup soon after its start and one per day, across restarts, and reports the time of the last success', async () => {
    const server = await start()
    await owner(server)
    await expect.poll(made).toBe(1)
    expect(Math.abs(Number(await lastSuccess(server)) - Date.parse(clock.now()) / 1000)).toBeLessThan(60)
    clock.advance(day)
    await expect.poll(made).toBe(2)
    await server.close()
    clock.advance(day / 2)
    await (await start()).close()
    expect(await made()).toBe(2)
    clock.advance(day / 2)
    const at = clock.now()
    await start()
    await expect.poll(made).toBe(3)
    const last =
      (await backupsIn(join(folder, 'backups')))
        .map((each) => each.at)
        .toSorted()
        .at(-1) ?? ''
    expect(Date.parse(last)).toBeGreaterThanOrEqual(Date.parse(at))
  })

  it('makes one backup per day although another is dated in the future by a wrong clock', async () => {
    await owner(await start())
    await expect.poll(made).toBe(1)
    const [one] = await backupsIn(join(folder, 'backups'))
    await rename(one?.folder ?? '', join(folder, 'backups', '2031-01-01T00-00-00.000Z'))
    await expect.poll(made).toBe(2)
    clock.advance(day)
    await expect.poll(made).toBe(3)
  })

  it('makes none when backups are off, and reports no time', async () => {
    const server = await start({ BACKUP: 'off' })
    await owner(server)
    expect(await lastSuccess(server)).toBeNull()
    const first = running
    onTestFinished(() => first?.close())
    // A server that began later has made its backup by now, so this one would have too.
    const elsewhere = await temporaryFolder('daily-elsewhere')
    onTestFinished(() => removeFolder(elsewhere))
    await start({ DATA_DIR: elsewhere })
    await expect.poll(async () => (await backupsIn(join(elsewhere, 'backups'))).length).toBe(1)
    expect(await made()).toBe(0)
  })
})

describe('The daily backup', () => {
  let daily: Daily | null = null
  afterEach(async () => {
    await daily?.stop()
    daily = null
  })
  /** Starts the daily backup with these fakes; returns its log lines. */
  const begin = (newest: () => string | null, make: () => Promise<Made>, at: MovableClock) => {
    const result: { level: number; msg: string; reason?: string; problems?: readonly string[] }[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void result.push(JSON.parse(line)) })
    const backups: Backups = { newest: async () => newest(), make }
    daily = startDaily({ backups, clock: at, log, config: soon })
    return result
  }
  const madeWith = (problems: readonly string[], at: string): Made => ({
    folder,
    at,
    bytes: 1,
    removed: [],
    ofFuture: [],
    left: [],
    manifest: {
      format: 1,
      at,
      version: '1.0.0',
      log: { events: 1, position: '1' },
      problems: [...problems],
      files: [],
    },
  })

  it('is retried an hour after a failure, not before, and logs the failure with the remedy', async () => {
    const at = new MovableClock('2026-03-01T10:00:00.000Z')
    let tries = 0
    let looks = 0
    const result = begin(
      () => (looks++, null),
      () => (tries++, Promise.reject(new CantBackUp('There is not enough room for the backup.'))),
      at,
    )
    await expect.poll(() => result.length).toBe(1)
    expect(result[0]).toMatchObject({
      level: 50,
      reason: 'There is not enough room for the backup.',
      msg: expect.stringMatching(/the earlier ones are unchanged.*npm run backup/),
    })
    at.advance(59 * 60_000)
    const looked = looks
    await expect.poll(() => looks).toBeGreaterThan(looked + 3)
    expect(tries).toBe(1)
    at.advance(61_000)
    await expect.poll(() => tries).toBe(2)
  })

  it('logs an error when the data was tampered with', async () => {
    const at = new MovableClock('2026-03-01T10:00:00.000Z')
    let newest: string | null = null
    const result = begin(
      () => newest,
      async () => madeWith(['PostWritten, event 0 of post-1, was changed.'], (newest = at.now())),
      at,
    )
    await expect.poll(() => result.length).toBe(2)
    expect(result[1]).toMatchObject({ level: 50, problems: ['PostWritten, event 0 of post-1, was changed.'] })
  })
})
