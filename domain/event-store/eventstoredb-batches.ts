/** What the client streams, in batches: as much as there is, without waiting for more. */
import type { Readable } from 'node:stream'
import type { ResolvedEvent } from '@eventstore/db-client'
import { StoreUnavailable } from './port.ts'

/** A read ends by itself and can be cancelled, a subscription is left. */
export type Source = Readable & ({ cancel(): Promise<void> } | { unsubscribe(): Promise<void> })

const maxInABatch = 500

/**
 * Ends with the source, or when the signal aborts; leaves the server then. What is not taken stays with the server.
 * @param pauseMs how long the source may say nothing; null: for ever
 * @throws StoreUnavailable after a longer pause; else what the source failed with, after everything that came before
 */
export async function* batchesOf(
  source: Source,
  { pauseMs, signal }: { readonly pauseMs: number | null; readonly signal: AbortSignal },
): AsyncIterable<ResolvedEvent[]> {
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
      const batch = taken(source)
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
    // Whether the server hears of it changes nothing here.
    const leaving = 'cancel' in source ? source.cancel() : source.unsubscribe()
    leaving.catch(() => {})
    source.on('error', () => {})
    // To its end, which the client waits for when it is closed.
    source.resume()
  }
}

function taken(source: Readable): ResolvedEvent[] {
  const batch: ResolvedEvent[] = []
  while (batch.length < maxInABatch) {
    const next: ResolvedEvent | null = source.read()
    if (next === null) break
    batch.push(next)
  }
  return batch
}
