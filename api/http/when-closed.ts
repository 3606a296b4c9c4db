/** Cleans up after a request, also when its connection closed before the cleanup was registered. */
import type { Writable } from 'node:stream'

/**
 * Calls `cleanUp` once the stream is closed: at once if it is closed already. Node emits `close` only once, so a
 * listener that is added later, for example to a request that waited for its turn, would never be called.
 */
export function whenClosed(stream: Writable, cleanUp: () => void): void {
  if (stream.closed) cleanUp()
  else stream.once('close', cleanUp)
}
