/** Which facts are news, and of what. */
import type { StoredEvent } from '../../domain/core/event.ts'
import { events as catalogue } from '../../domain/event-store/catalogue.ts'
import { calendarProjection } from '../../projections/calendar/projection.ts'
import { clientsProjection } from '../../projections/clients/projection.ts'
import { idOf } from '../../projections/core/projection.ts'
import { socialAccountsProjection } from '../../projections/social-accounts/projection.ts'
import type { Change, NewsKind } from '../contract/index.ts'

/** What a view shows is news once it changes. Of posts the calendar has what every list of them has. */
const types: Readonly<Record<NewsKind, readonly string[]>> = {
  posts: calendarProjection.types,
  clients: clientsProjection.types,
  accounts: socialAccountsProjection.types,
  figures: ['PostMetricsRecorded', 'SampleFiguresAdded', 'SampleFiguresRemoved'],
}

const kinds = new Map(Object.entries(types).flatMap(([kind, names]) => names.map((name) => [name, kind as NewsKind])))

export const isNews = (type: string): boolean => kinds.has(type)
export const newsFilter = { names: catalogue.namesOf([...kinds.keys()]) }

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

/** Each thing once, as it was last heard of. */
export function newestOf(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map((change) => [`${change.kind} ${change.id}`, change])).values()]
}
