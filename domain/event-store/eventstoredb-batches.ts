/** Turns the client's stream into batches: all events available, without waiting for more. */
import type { Readable } from 'node:stream'
import { StoreUnavailable } from './port.ts'

/** A read ends by itself and can be cancelled; a subscription is unsubscribed. */
export type Source = Readable & ({ cancel(): Promise<void> } | { unsubscribe(): Promise<void> })

const maxInABatch = 500

/**
 * Ends with the source, or when the signal aborts, and then leaves the server. Events not consumed stay on the server.
 * @param pauseMs how long the source may be silent; null: for ever
 * @throws StoreUnavailable after a longer silence; otherwise the source's error, after all events before it
 */
export async function* batchesOf<Item>(
  source: Source,
  { pauseMs, signal }: { readonly pauseMs: number | null; readonly signal: AbortSignal },
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
  signal.addEventListener('abort', aborted, { once: true })

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
      await new Promise<void>((resolve, reject) => {
        const late = () => reject(new StoreUnavailable('EventStoreDB took too long to answer'))
        const timer = pauseMs === null ? undefined : setTimeout(late, pauseMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      wake = () => {}
    }
  } finally {
    signal.removeEventListener('abort', aborted)
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
