/**
 * The log checkpointer: reads what is new in the log, verifies the hash chain of the events, adds them to the log's
 * Merkle tree, and signs a checkpoint at intervals. Each checkpoint keeps its tree's frontier, so that any process can
 * go on from there: each event is read once in the life of an installation.
 */
import type { Logger } from 'pino'
import { LogTree } from '../../../domain/audit/log-tree.ts'
import type { Instant } from '../../../domain/core/event.ts'
import { flawOf } from '../../../domain/event-store/chain.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { Checkpoints, KeptCheckpoint } from '../../features/audit/checkpoints.ts'
import { isOfFuture, later, type Clock } from '../../core/clock.ts'
import { pause } from '../../../projections/core/pause.ts'
import { settledWithin, startLoop, type Loop } from '../../core/loop.ts'
import { checkpointsPart, wholeWork, type WorkShares } from '../work-shares.ts'
import { RecentHeads } from './recent-heads.ts'

export interface LogCheckpointerConfig {
  /** Poll interval. */
  readonly pollMs: number
  /** Minimum time between two checkpoints, over all processes. */
  readonly apartMs: number
  /** Work without a pause; the pause that follows is as long, because a long log must not slow down the process. */
  readonly stretchMs: number
  readonly stopWithinMs: number
}

export const logCheckpointerDefaults: LogCheckpointerConfig = {
  pollMs: 60_000,
  apartMs: 3_600_000,
  stretchMs: 10,
  stopWithinMs: 10_000,
}

export interface LogCheckpointerPorts {
  readonly events: Pick<EventStore, 'read' | 'readAll'>
  readonly checkpoints: Checkpoints
  readonly clock: Clock
  readonly log: Logger
  /** Among several workers, only the leader reads and signs. */
  readonly shares?: WorkShares
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
  shares = wholeWork,
  config: given,
}: LogCheckpointerPorts): LogCheckpointer {
  const config = { ...logCheckpointerDefaults, ...given }
  const heads = new RecentHeads(events)
  /** How far this process has read: further than the latest checkpoint, if a round was interrupted. */
  let reached = new LogTree()
  let isSound = true
  let loop: Loop | null = null

  const isDue = (latest: KeptCheckpoint | null) => {
    const now = clock.now()
    // A checkpoint from the future comes from a clock that ran ahead: it would delay the next one until its date.
    return latest === null || later(latest.at, config.apartMs) <= now || isOfFuture(latest.at, now)
  }

  /** The latest checkpoint's tree, at its place in this log: after a move, its last event has another position. */
  async function treeToContinue(): Promise<LogTree> {
    const signed = await checkpoints.latestTree()
    if (!signed?.state || signed.events <= reached.events) return reached
    const { last } = signed.state
    for await (const [event] of events.read(last.stream, last.revision)) {
      if (event?.revision !== last.revision || event.metadata.hash !== last.hash) break
      return LogTree.restore({ ...signed.state, last: { ...last, position: event.position } }) ?? reached
    }
    // Another log than the one that was signed, such as a restored one: it is read from its beginning.
    return reached
  }

  /** The lease may be lost in the middle of a round: a checkpoint of the new leader could then lie further ahead. */
  const signIfLeading = async (tree: LogTree, at: Instant) => {
    if (shares.leads(checkpointsPart)) await checkpoints.sign(tree, at)
  }

  /** False when the log was changed. */
  async function goOn(tree: LogTree, signal: AbortSignal): Promise<boolean> {
    let signedAt = clock.now()
    let began = performance.now()
    for await (const batch of events.readAll(tree.position)) {
      for (const event of batch) {
        const workedMs = performance.now() - began
        if (workedMs > config.stretchMs) {
          await pause(workedMs, signal)
          began = performance.now()
        }
        if (signal.aborted || !shares.leads(checkpointsPart)) return true
        const problem = flawOf(event, await heads.before(event))
        const { stream, revision, position, metadata } = event
        if (problem) {
          // No checkpoint is signed beyond the flaw: the earlier ones still show up to where the log was sound.
          log.error({ stream, revision, problem }, 'The event log was changed: run npm run audit -- verify for details')
          return false
        }
        heads.keep(event)
        tree.pass({ stream, revision, position, hash: metadata.hash })
      }
      // A first reading of a very long log is kept on the way.
      if (later(signedAt, config.apartMs) <= clock.now()) await signIfLeading(tree, (signedAt = clock.now()))
    }
    return true
  }

  async function round(signal: AbortSignal): Promise<void> {
    if (!isSound || !shares.leads(checkpointsPart)) return
    const latest = await checkpoints.latest()
    if (!isDue(latest)) return
    const tree = await treeToContinue()
    if (tree !== reached) heads.forget()
    reached = tree
    isSound = await goOn(tree, signal)
    if (isSound && !signal.aborted && latest?.root !== tree.root()) await signIfLeading(tree, clock.now())
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
