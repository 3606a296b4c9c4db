/** Repeats work until it is stopped. */
import { pause } from '../../projections/core/pause.ts'

export interface Loop {
  /** Starts the next round now, or right after the current one. */
  wake(): void
  /** Starts no further round, and settles after the current one. */
  stop(): Promise<void>
}

export interface LoopOptions {
  /** Pause between two rounds, in milliseconds. */
  readonly everyMs: number
  readonly round: (signal: AbortSignal) => Promise<void>
  /** Called when a round throws; the next one starts after the pause. */
  readonly onError: (error: unknown) => void
}

/** The first round starts at once. */
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

/** True when the work settled in time; false on timeout. The work itself continues. */
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
