import type { Handlers } from '../../http/handler.ts'
import { countsOf } from './changes.ts'
import type { LiveUpdates } from './live-updates.ts'

export const newsHandlers = ({ news }: { readonly news: LiveUpdates }): Handlers<'getNews' | 'countNews'> => ({
  async getNews({ agencyId, session, query, lastEventId }) {
    const listener = { agencyId, sessionId: session.id }
    news.admit(listener)
    const token = lastEventId || query.since
    const since = token === undefined ? null : news.sinceOf(agencyId, [token])
    return { stream: (to) => news.open(listener, since, to) }
  },

  async countNews({ agencyId, query }) {
    const { missed, changes } = await news.since(agencyId, news.sinceOf(agencyId, query.since.split('.')))
    return { body: { missed, changed: countsOf(changes) } }
  },
})
