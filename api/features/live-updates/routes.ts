import type { Handlers } from '../../http/handler.ts'
import { countsOf } from './changes.ts'
import type { LiveUpdates } from './live-updates.ts'

export const liveUpdatesHandlers = ({
  liveUpdates,
}: {
  readonly liveUpdates: LiveUpdates
}): Handlers<'getNews' | 'countNews'> => ({
  async getNews({ agencyId, session, me, query, lastEventId }) {
    const listener = { agencyId, sessionId: session.id, userId: session.userId, scope: me.clients }
    liveUpdates.admit(listener)
    const token = lastEventId || query.since
    const since = token === undefined ? null : liveUpdates.sinceOf(agencyId, [token])
    return { stream: (to) => liveUpdates.open(listener, since, to) }
  },

  async countNews({ agencyId, me, query }) {
    const since = liveUpdates.sinceOf(agencyId, query.since.split('.'))
    const { missed, changes } = await liveUpdates.since(agencyId, since, me.clients)
    return { body: { missed, changed: countsOf(changes) } }
  },
})
