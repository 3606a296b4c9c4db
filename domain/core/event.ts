/** The common structure of all events. */

/** JSON values as the log stores them; `undefined` never reaches a store. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** An ISO 8601 instant in UTC with milliseconds, as `Date#toISOString` writes it. */
export type Instant = string

/** An event's place in the whole log: opaque, zero-padded, sortable as a string. */
export type Position = string

/** What caused an event. A reviewer acts by a review link; a process is one of ours (`publisher`, `collector`, …). */
export interface Actor {
  readonly type: 'user' | 'auditor' | 'reviewer' | 'process'
  readonly id: string
}

export interface EventMetadata {
  readonly eventId: string
  /** Never decreases within a stream. */
  readonly at: Instant
  readonly actor: Actor
  readonly correlationId: string
  readonly causationId: string
  readonly schemaVersion: number
  /** Makes an event's tenant known from the event alone, even after a deletion. */
  readonly agencyId: string
  readonly clientId?: string
  /** Hash of the stream's previous event; null for its first. */
  readonly prevHash: string | null
  readonly hash: string
}

/** An event's type and data, always in the newest shape. */
export interface Fact {
  readonly type: string
  readonly data: object
}

/** The user who caused an event; null for a process, and where a fact is folded without its metadata. */
export function userOf(fact: object): string | null {
  const { metadata } = fact as { readonly metadata?: Pick<EventMetadata, 'actor'> }
  return metadata?.actor.type === 'user' ? metadata.actor.id : null
}

/** When it happened; null where a fact is folded without its metadata. */
export function timeOf(fact: object): Instant | null {
  const { metadata } = fact as { readonly metadata?: Partial<Pick<EventMetadata, 'at'>> }
  return metadata?.at ?? null
}

/** An event ready to be stored: its name is the stored literal (`PostScheduled.v2`), its data as stored. */
export interface ChainedEvent {
  readonly name: string
  readonly data: JsonObject
  readonly metadata: EventMetadata
}

/** An event as a store returns it. */
export interface StoredEvent extends ChainedEvent {
  readonly stream: string
  /** 0 for the stream's first event. */
  readonly revision: number
  readonly position: Position
}

interface Place {
  readonly metadata: EventMetadata
  readonly stream: string
  readonly revision: number
  readonly position: Position
}

/** A stored event in the newest shape of its type. */
export type Recorded<E extends Fact = Fact> = E & Place
