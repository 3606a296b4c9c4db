/** Work that is done again and again until it is told to stop. */
import { pause } from '../../projections/core/pause.ts'

export interface Loop {
  /** The next round begins now, or right after the one that runs. */
  wake(): void
  /** Begins no further round and settles when the present one is over. */
  stop(): Promise<void>
}

export interface LoopOptions {
  /** Pause between the end of a round and the beginning of the next, in milliseconds. */
  readonly everyMs: number
  readonly round: (signal: AbortSignal) => Promise<void>
  /** A round that throws ends; the next one begins after the pause. */
  readonly onError: (error: unknown) => void
}

/** The first round begins at once. */
export function startLoop({ everyMs, round, onError }: LoopOptions): Loop {
  const stopping = new AbortController()
  let nap = new AbortController()

  const run = async () => {
    while (!stopping.signal.aborted) {
      nap = new AbortController()
      try {
        await round(stopping.signal)
      } catch (error) {
        if (!stopping.signal.aborted) onError(error)
      }
      await pause(everyMs, AbortSignal.any([stopping.signal, nap.signal]))
    }
  }
  const running = run()

  return {
    wake: () => nap.abort(),
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** True when the work settled in time; false when the wait ran out. The work itself goes on. */
export async function settledWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const waiting = new AbortController()
  const settled = work.then(
    () => true,
    () => true,
  )
  const first = await Promise.race([settled, pause(ms, waiting.signal).then(() => false)])
  waiting.abort()
  return first
}
