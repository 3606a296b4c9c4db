/** Makes one backup per day while the server runs. */
import type { Logger } from 'pino'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { pause } from '../../../projections/core/pause.ts'
import { later, type Clock } from '../../core/clock.ts'
import { startLoop } from '../../core/loop.ts'
import type { Backups } from './backups.ts'
import { CantBackUp } from './snapshot.ts'

export interface DailyConfig {
  /** Delay after the start, because users wait for the server's first responses. */
  readonly firstAfterMs: number
  readonly pollMs: number
  readonly apartMs: number
  /** Backoff after a failure. */
  readonly backoffMs: number
}
export const dailyDefaults: DailyConfig = {
  firstAfterMs: 60_000,
  pollMs: 60_000,
  apartMs: 24 * 3_600_000,
  backoffMs: 3_600_000,
}

interface DailyPorts {
  readonly backups: Backups
  readonly clock: Clock
  readonly log: Logger
  readonly config?: Partial<DailyConfig>
}

export interface Daily {
  wake(): void
  /** Aborts a backup in progress and removes the partial one. */
  stop(): Promise<void>
}

export function startDaily({ backups, clock, log, config: given }: DailyPorts): Daily {
  const config = { ...dailyDefaults, ...given }
  let backoffUntil = ''
  let isFirst = true

  async function round(signal: AbortSignal): Promise<void> {
    if (isFirst) await pause(config.firstAfterMs, signal)
    isFirst = false
    const now = clock.now()
    const newest = await backups.newest()
    const isFresh = newest !== null && later(newest, config.apartMs) > now
    if (signal.aborted || isFresh || now < backoffUntil) return
    backoffUntil = later(now, config.backoffMs)
    const { folder, manifest, bytes, removed, left } = await backups.make(signal)
    backoffUntil = ''
    log.info({ folder, bytes, events: manifest.log.events, removed: removed.length }, 'Made a backup')
    if (left.length > 0) log.error({ left }, 'Could not remove files of earlier backups: remove these folders yourself')
    if (manifest.problems.length > 0)
      log.error(
        { folder, problems: manifest.problems.slice(0, 20) },
        'Made a backup, but some of its data is damaged: run npm run audit -- verify for details',
      )
  }

  const advice =
    'Could not make the daily backup; the earlier ones are unchanged. Retrying in an hour: once the cause is fixed, npm run backup makes one at once'
  return startLoop({
    everyMs: config.pollMs,
    round,
    onError: (error) =>
      log.error(
        error instanceof CantBackUp || error instanceof StoreUnavailable ? { reason: error.message } : { err: error },
        advice,
      ),
  })
}
