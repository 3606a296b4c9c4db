import type { Handlers } from '../http/handler.ts'
import type { News } from './news.ts'

const isPosition = (text: string | null): text is string => text !== null && /^\d{1,40}(-\d{1,20})?$/.test(text)

export const newsHandlers = ({ news }: { readonly news: News }): Handlers<'getNews'> => ({
  async getNews({ agencyId, session, query, lastEventId }) {
    const listener = { agencyId, sessionId: session.id }
    news.admit(listener)
    const since = isPosition(lastEventId) ? lastEventId : (query.since ?? null)
    return { stream: (to) => news.open(listener, since, to) }
  },
})
