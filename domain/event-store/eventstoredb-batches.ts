/** Turns the client's stream into batches: all events available, without waiting for more. */
import type { Readable } from 'node:stream'
import { ClientReplaced, MissedDeadline, slowMs } from './eventstoredb-client.ts'

/** A read ends by itself and can be cancelled; a subscription is unsubscribed. */
export type Source = Readable & ({ cancel(): Promise<void> } | { unsubscribe(): Promise<void> })

export interface Bounds {
  /** How long the source may be silent; null: for ever. */
  readonly pauseMs: number | null
  /** Ends the batches. */
  readonly signal: AbortSignal
  /** Aborts when the source's client is replaced. */
  readonly replaced: AbortSignal
  /** Called each second of a silence that may not last for ever. */
  readonly onSlow: () => void
}

const maxInABatch = 500

/**
 * Ends with the source, or when the signal aborts, and then leaves the server. Events not consumed stay on the server.
 * @throws MissedDeadline after a longer silence, ClientReplaced; otherwise the source's error, after all events before
 */
export async function* batchesOf<Item>(
  source: Source,
  { pauseMs, signal, replaced, onSlow }: Bounds,
): AsyncIterable<Item[]> {
  let failure: { readonly error: unknown } | null = null
  let hasEnded = false
  let wake = () => {}
  source.on('readable', () => wake())
  source.on('end', () => {
    hasEnded = true
    wake()
  })
  source.on('error', (error) => {
    failure = { error }
    wake()
  })
  const aborted = () => wake()
  for (const each of [signal, replaced]) each.addEventListener('abort', aborted, { once: true })

  try {
    while (!signal.aborted) {
      const batch = taken<Item>(source)
      if (batch.length > 0) {
        yield batch
        continue
      }
      const failed = failure as { readonly error: unknown } | null
      if (failed) throw failed.error
      if (hasEnded) return
      if (replaced.aborted) throw new ClientReplaced()
      await new Promise<void>((resolve, reject) => {
        const late = () => reject(new MissedDeadline())
        const timer = pauseMs === null ? undefined : setTimeout(late, pauseMs)
        const slow = pauseMs === null ? undefined : setInterval(onSlow, slowMs)
        wake = () => {
          clearTimeout(timer)
          clearInterval(slow)
          resolve()
        }
      }).finally(() => wake())
      wake = () => {}
    }
  } finally {
    for (const each of [signal, replaced]) each.removeEventListener('abort', aborted)
    // Errors are ignored: nothing here depends on whether the server gets this message.
    const leaving = 'cancel' in source ? source.cancel() : source.unsubscribe()
    leaving.catch(() => {})
    source.on('error', () => {})
    // Drains the stream: the client's `dispose` waits for its end.
    source.resume()
  }
}

function taken<Item>(source: Readable): Item[] {
  const batch: Item[] = []
  while (batch.length < maxInABatch) {
    const next: Item | null = source.read()
    if (next === null) break
    batch.push(next)
  }
  return batch
}
