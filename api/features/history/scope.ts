/** The readable part of the log: a whole agency, or one client. */
import type { ClientScope } from '../../../domain/agency/roles.ts'
import type { StoredEvent } from '../../../domain/core/event.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { Where } from '../../../projections/read-store/port.ts'
import type { Views } from '../../../projections/registry.ts'
import type { StreamView } from '../../../projections/streams/view.ts'

export interface AuditScope {
  readonly agencyId: string
  /** Null: the whole agency. */
  readonly clientId: string | null
  /** Of the whole agency, only these clients: those that a member works for. */
  readonly among?: readonly string[]
}

/** The scope of a member. */
export const auditScopeOf = (agencyId: string, clients: ClientScope): AuditScope => ({
  agencyId,
  clientId: null,
  ...(clients !== 'all' && { among: clients }),
})

/** The scope's documents, by agency or by client. */
export const whereIn = ({ agencyId, clientId, among }: AuditScope): Where =>
  clientId !== null ? { clientId } : among ? { clientId: { in: among } } : { agencyId }

const page = 1_000

/** The streams in a scope, by name, read page by page, so that they are never all in memory. */
export async function* streamsIn(scope: AuditScope, views: Pick<Views, 'streams'>): AsyncGenerator<StreamView> {
  let after = ''
  for (;;) {
    const where = { agencyId: scope.agencyId, ...whereIn(scope), id: { gte: after } }
    const found = await views.streams.find({ where, limit: page })
    for (const stream of found) if (stream.id !== after) yield stream
    const last = found.at(-1)
    if (!last || found.length < page) return
    after = last.id
  }
}

/**
 * A stream's events up to an instant, one by one, from a revision on. They are a prefix: time never runs backwards in a
 * stream.
 */
export async function* eventsUpTo(
  events: EventStore,
  stream: string,
  upTo: string | null,
  from = 0,
): AsyncGenerator<StoredEvent> {
  for await (const batch of events.read(stream, from)) {
    for (const event of batch) {
      if (upTo !== null && event.metadata.at > upTo) return
      yield event
    }
  }
}

/** Folds a stream's events up to an instant without keeping them in memory. */
export async function foldUpTo<State>(
  events: EventStore,
  stream: string,
  upTo: string | null,
  initial: State,
  step: (state: State, event: StoredEvent) => State,
): Promise<State> {
  let state = initial
  for await (const event of eventsUpTo(events, stream, upTo)) state = step(state, event)
  return state
}

/** A stream's first event names its agency and client. */
export function isIn(scope: AuditScope, [first]: readonly Pick<StoredEvent, 'metadata'>[]): boolean {
  const { agencyId, clientId, among } = scope
  if (first?.metadata.agencyId !== agencyId) return false
  if (clientId !== null) return first.metadata.clientId === clientId
  return among === undefined || among.includes(first.metadata.clientId ?? '')
}

export async function firstOf(events: EventStore, stream: string): Promise<StoredEvent | null> {
  for await (const [first] of events.read(stream)) return first ?? null
  return null
}
