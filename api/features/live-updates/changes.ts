/** Which events cause a live update, and for which list. */
import type { AgencyEvent } from '../../../domain/agency/events.ts'
import { includesClient, type ClientScope } from '../../../domain/agency/roles.ts'
import type { Position, StoredEvent } from '../../../domain/core/event.ts'
import { events as catalogue } from '../../../domain/event-store/catalogue.ts'
import type { Batch, EventStore } from '../../../domain/event-store/port.ts'
import { calendarProjection } from '../../../projections/calendar/projection.ts'
import { clientsProjection } from '../../../projections/clients/projection.ts'
import { idOf } from '../../../projections/core/projection.ts'
import { membersProjection } from '../../../projections/members/projection.ts'
import { socialAccountsProjection } from '../../../projections/social-accounts/projection.ts'
import type { Change, ChangeCounts, ChangeKind, ChangesMessage } from '../../contract/index.ts'

/**
 * An event is a live update when it changes a view that the lists show. The calendar's events include those of the post
 * lists.
 */
const types: Readonly<Record<ChangeKind, readonly string[]>> = {
  posts: calendarProjection.types,
  clients: clientsProjection.types,
  accounts: socialAccountsProjection.types,
  figures: ['PostMetricsRecorded', 'SampleFiguresAdded', 'SampleFiguresRemoved'],
}

const kinds = new Map(Object.entries(types).flatMap(([kind, names]) => names.map((name) => [name, kind as ChangeKind])))

/**
 * Changes of the people, which may end or narrow a stream, and what is appended together with them: all events of an
 * append carry the position of its last one, which must be heard, too.
 */
const teamTypes: ReadonlySet<string> = new Set<string>([
  ...membersProjection.types,
  ...(['TrialStarted', 'MemberInvited', 'InvitationWithdrawn'] satisfies AgencyEvent['type'][]),
])

export const isTeamEvent = ({ name }: Pick<StoredEvent, 'name'>): boolean => teamTypes.has(catalogue.typeOf(name))
export const isHeard = (type: string): boolean => kinds.has(type) || teamTypes.has(type)
export const liveUpdatesFilter = { names: catalogue.namesOf([...kinds.keys(), ...teamTypes]) }

export function changeOf({ name, data, stream, metadata, position }: StoredEvent): Change | null {
  const kind = kinds.get(catalogue.typeOf(name))
  if (kind === undefined) return null
  const id = idOf(stream)
  const text = (value: unknown) => (typeof value === 'string' ? value : id)
  switch (kind) {
    case 'posts':
      return { kind, id, clientId: metadata.clientId ?? '', position }
    case 'accounts':
      return { kind, id: text(data['accountId']), clientId: id, position }
    case 'clients': {
      const clientId = text(data['clientId'])
      return { kind, id: clientId, clientId, position }
    }
    case 'figures': {
      const clientId = metadata.clientId ?? id
      return { kind, id: clientId, clientId, position }
    }
  }
}

/** What a member hears of: changes of the clients in their scope. */
export const changesFor = (scope: ClientScope, { missed, changes }: ChangesMessage): ChangesMessage => ({
  missed,
  changes: changes.filter(({ clientId }) => includesClient(scope, clientId)),
})

export const changesOf = (batch: Batch, agencyId: string): Change[] =>
  batch.filter(({ metadata }) => metadata.agencyId === agencyId).flatMap((event) => changeOf(event) ?? [])

/** The limit on events read for one API client; with more, it is told that anything may have changed. */
const maxToCatchUp = 5_000
const maxChangesAtOnce = 1_000

/**
 * An agency's changes between two positions, from the log. Null when there are too many to read. @param since null:
 * from the log's beginning
 */
export async function readChanges(
  events: Pick<EventStore, 'readAll'>,
  agencyId: string,
  since: Position | null,
  until: Position,
): Promise<Change[] | null> {
  const changes: Change[] = []
  let looked = 0
  if (since === until) return changes
  for await (const batch of events.readAll(since, liveUpdatesFilter)) {
    changes.push(
      ...changesOf(
        batch.filter(({ position }) => position <= until),
        agencyId,
      ),
    )
    looked += batch.length
    if (looked > maxToCatchUp || changes.length > maxChangesAtOnce) return null
    if ((batch.at(-1)?.position ?? '') >= until) break
  }
  return changes
}

/** The number of changed items per kind and client. */
export function countsOf(changes: readonly Change[]): ChangeCounts['changed'] {
  const counts = new Map<string, ChangeCounts['changed'][number]>()
  for (const { kind, clientId } of newestOf(changes)) {
    const key = `${kind} ${clientId}`
    counts.set(key, { kind, clientId, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()]
}

/** The last change of each item. */
export function newestOf(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map((change) => [`${change.kind} ${change.id}`, change])).values()]
}
