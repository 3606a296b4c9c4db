/**
 * The hash chain: each event's hash covers its canonical content and the hash of the event before it in its stream.
 * Neither the global position nor a server's time is covered, so that a log can move between stores.
 */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { EventMetadata, JsonObject, SealedEvent } from '../core/event.ts'

export type Unsealed = Omit<EventMetadata, 'hash' | 'prevHash'>

export interface ChainHead {
  /** -1 for a stream that doesn't exist yet. */
  readonly revision: number
  readonly hash: string | null
}

/** SHA-256 (hex) over the canonical JSON (RFC 8785) of stream, revision, stored name, data and metadata but `hash`. */
export function hashOf(
  stream: string,
  revision: number,
  event: { readonly name: string; readonly data: JsonObject; readonly metadata: Omit<EventMetadata, 'hash'> },
): string {
  const { name, data, metadata } = event
  const canonical = canonicalize({ stream, revision, name, data, metadata })
  if (canonical === undefined) throw new Error(`Nothing to hash in ${stream}`)
  return createHash('sha256').update(canonical).digest('hex')
}

/** Chains events to a stream's head, in order. */
export function seal(
  stream: string,
  head: ChainHead,
  events: readonly { readonly name: string; readonly data: JsonObject; readonly metadata: Unsealed }[],
): SealedEvent[] {
  let { revision, hash: prevHash } = head
  return events.map(({ name, data, metadata }) => {
    revision += 1
    const open = { ...metadata, prevHash }
    const hash = hashOf(stream, revision, { name, data, metadata: open })
    prevHash = hash
    return { name, data, metadata: { ...open, hash } }
  })
}

export interface Flaw {
  readonly revision: number
  readonly problem: 'changed' | 'not-chained' | 'gap'
}

/** The first flaw in a stream's events (given from revision 0 in order); null when the chain holds. */
export function flawIn(stream: string, events: readonly (SealedEvent & { readonly revision: number })[]): Flaw | null {
  let prevHash: string | null = null
  for (const [index, { revision, name, data, metadata }] of events.entries()) {
    if (revision !== index) return { revision: index, problem: 'gap' }
    const { hash, ...open } = metadata
    if (open.prevHash !== prevHash) return { revision, problem: 'not-chained' }
    if (hashOf(stream, revision, { name, data, metadata: open }) !== hash) return { revision, problem: 'changed' }
    prevHash = hash
  }
  return null
}
