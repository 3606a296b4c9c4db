/** The log checkpointer: reads the log, verifies the hash chain of the events, and signs a checkpoint at intervals. */
import type { Logger } from 'pino'
import { Ledger } from '../../../domain/audit/ledger.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { Checkpoints } from '../../features/audit/checkpoints.ts'
import { later, type Clock } from '../../core/clock.ts'
import { pause } from '../../../projections/core/pause.ts'
import { settledWithin, startLoop, type Loop } from '../../core/loop.ts'

export interface LogCheckpointerConfig {
  /** Poll interval. */
  readonly pollMs: number
  /** Minimum time between two checkpoints, over all processes. */
  readonly apartMs: number
  readonly stopWithinMs: number
}

export const logCheckpointerDefaults: LogCheckpointerConfig = {
  pollMs: 60_000,
  apartMs: 3_600_000,
  stopWithinMs: 10_000,
}

export interface LogCheckpointerPorts {
  readonly events: Pick<EventStore, 'readAll'>
  readonly checkpoints: Checkpoints
  readonly clock: Clock
  readonly log: Logger
  readonly config?: Partial<LogCheckpointerConfig>
}

export interface LogCheckpointer {
  start(): void
  wake(): void
  /** Starts no new round and waits for the current one, up to `stopWithinMs`. */
  stop(): Promise<void>
}

export function createLogCheckpointer({
  events,
  checkpoints,
  clock,
  log,
  config: given,
}: LogCheckpointerPorts): LogCheckpointer {
  const config = { ...logCheckpointerDefaults, ...given }
  // The ledger keeps its position, so that this process verifies each event once.
  const ledger = new Ledger()
  let isSound = true
  let loop: Loop | null = null

  async function round(signal: AbortSignal): Promise<void> {
    const latest = await checkpoints.latest()
    if (!isSound || (latest && later(latest.at, config.apartMs) > clock.now())) return
    for await (const batch of events.readAll(ledger.position)) {
      const began = performance.now()
      for (const event of batch) {
        const flaw = ledger.take(event)
        if (!flaw) continue
        isSound = false
        // No checkpoint is signed beyond the flaw: the earlier ones still show up to where the log was sound.
        log.error(flaw, 'The event log was changed: run npm run audit -- verify for details')
        return
      }
      if (signal.aborted) return
      // Verifying a long log must not slow down the process: pause for as long as the batch took.
      await pause(performance.now() - began, signal)
    }
    if (latest?.position !== ledger.position) await checkpoints.sign(ledger, clock.now())
  }

  return {
    start() {
      loop = startLoop({
        everyMs: config.pollMs,
        round,
        onError: (error) => log.error({ err: error }, 'Could not read the event log for a checkpoint'),
      })
    },
    wake: () => loop?.wake(),
    async stop() {
      if (!(await settledWithin(Promise.resolve(loop?.stop()), config.stopWithinMs)))
        log.warn('The log checkpointer stopped before it reached the end of the event log')
    },
  }
}
