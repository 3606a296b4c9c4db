import type { Handlers } from '../../http/handler.ts'
import { countsOf } from './changes.ts'
import type { LiveUpdates } from './live-updates.ts'

export const liveUpdatesHandlers = ({
  liveUpdates,
}: {
  readonly liveUpdates: LiveUpdates
}): Handlers<'getNews' | 'countNews'> => ({
  async getNews({ agencyId, session, query, lastEventId }) {
    const listener = { agencyId, sessionId: session.id }
    liveUpdates.admit(listener)
    const token = lastEventId || query.since
    const since = token === undefined ? null : liveUpdates.sinceOf(agencyId, [token])
    return { stream: (to) => liveUpdates.open(listener, since, to) }
  },

  async countNews({ agencyId, query }) {
    const { missed, changes } = await liveUpdates.since(agencyId, liveUpdates.sinceOf(agencyId, query.since.split('.')))
    return { body: { missed, changed: countsOf(changes) } }
  },
})
