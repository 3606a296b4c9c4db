/** The addresses of each screen's lists, for the line that counts their changes. */
import { addressOf } from './call.ts'
import type { Watched } from './live-updates.ts'
import { allClients } from './all-clients.ts'
import { calendarSearch, cardsAddress, type CalendarAsked, type PostFilter } from './queries.ts'

const clients = addressOf('GET /api/clients')
const dashboard = addressOf('GET /api/dashboard')
const analytics = addressOf('GET /api/analytics')

export const clientsWatched: readonly Watched[] = [{ kind: 'clients', lists: [clients] }]

/** @param period the address of the period that is shown */
export const figuresWatched = (period: string | null): readonly Watched[] => [
  { kind: 'figures', lists: period === null ? [analytics] : [analytics, period] },
]

export const dashboardWatched: readonly Watched[] = [
  { kind: 'clients', lists: [clients] },
  { kind: 'posts', lists: [dashboard] },
  { kind: 'accounts', lists: [dashboard] },
  { kind: 'figures', lists: [dashboard] },
]

/** @param scope a client's id, or `allClients` */
export const postsWatched = (scope: string, filter: PostFilter = {}): readonly Watched[] => [
  { kind: 'posts', clientId: scope === allClients ? undefined : scope, lists: [cardsAddress(scope, filter)] },
]

export const accountsWatched = (clientId: string): readonly Watched[] => [
  {
    kind: 'accounts',
    clientId,
    lists: [addressOf('GET /api/clients/{id}/social-accounts', { params: { id: clientId } })],
  },
]

export const calendarWatched = (asked: CalendarAsked): readonly Watched[] => [
  {
    kind: 'posts',
    clientId: asked.client,
    lists: [addressOf('GET /api/calendar', { query: calendarSearch(asked) })],
  },
]
