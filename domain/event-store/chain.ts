/**
 * The hash chain: each event's hash covers its canonical content and the hash of the previous event of its stream. It
 * covers neither the global position nor a server's time, so that a log can move between stores.
 */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { EventMetadata, JsonObject, ChainedEvent } from '../core/event.ts'

export type UnchainedMetadata = Omit<EventMetadata, 'hash' | 'prevHash'>

export interface ChainHead {
  /** -1 for a stream that doesn't exist yet. */
  readonly revision: number
  readonly hash: string | null
}

/**
 * SHA-256 (hex) over the canonical JSON (RFC 8785) of stream, revision, stored name, data and metadata except `hash`.
 */
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

/** Adds hashes to events that follow a stream's head, in order. */
export function chainHashes(
  stream: string,
  head: ChainHead,
  events: readonly { readonly name: string; readonly data: JsonObject; readonly metadata: UnchainedMetadata }[],
): ChainedEvent[] {
  let { revision, hash: prevHash } = head
  return events.map(({ name, data, metadata }) => {
    revision += 1
    const open = { ...metadata, prevHash }
    const hash = hashOf(stream, revision, { name, data, metadata: open })
    prevHash = hash
    return { name, data, metadata: { ...open, hash } }
  })
}

/**
 * `missing`: earlier events are gone; `inserted`: it does not follow the event before it; `changed`: its hash does not
 * match.
 */
export type FlawKind = 'missing' | 'inserted' | 'changed'

/** The flaw of an event that follows `before` (null: none) in its stream. */
export function flawOf(
  { stream, revision, name, data, metadata }: ChainedEvent & { readonly stream: string; readonly revision: number },
  before: { readonly revision: number; readonly hash: string } | null,
): FlawKind | null {
  const expected = before ? before.revision + 1 : 0
  if (revision > expected) return 'missing'
  if (revision < expected) return 'inserted'
  const { hash, ...open } = metadata
  if (!isMade(hash, () => hashOf(stream, revision, { name, data, metadata: open }))) return 'changed'
  return open.prevHash === (before?.hash ?? null) ? null : 'inserted'
}

/** An event that can't be hashed was never appended by us. */
function isMade(hash: string, make: () => string): boolean {
  try {
    return make() === hash
  } catch {
    return false
  }
}

export interface Flaw {
  /** The revision of the first flaw, or where the missing event would be. */
  readonly revision: number
  readonly problem: FlawKind
}

/** The first flaw in a stream's events (from revision 0, in order); null when the chain is valid. */
export function flawIn(stream: string, events: readonly (ChainedEvent & { readonly revision: number })[]): Flaw | null {
  let before: { readonly revision: number; readonly hash: string } | null = null
  for (const [index, event] of events.entries()) {
    const problem = flawOf({ ...event, stream }, before)
    if (problem) return { revision: index, problem }
    before = { revision: event.revision, hash: event.metadata.hash }
  }
  return null
}
