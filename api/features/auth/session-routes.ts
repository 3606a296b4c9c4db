/** A user looks at the own sessions and ends them. */
import type { Handlers } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import type { SecurityLog } from './security-log.ts'
import type { Sessions } from './sessions.ts'

interface Ports {
  readonly sessions: Sessions
  readonly securityLog: SecurityLog
}

export const sessionHandlers = ({
  sessions,
  securityLog,
}: Ports): Handlers<'listSessions' | 'endSession' | 'endOtherSessions'> => ({
  async listSessions({ session }) {
    return { body: await sessions.listOf(session) }
  },

  endSession: (ask) =>
    securityLog.watch('end-session', ask, async (subject) => {
      const { session, params } = ask
      subject.userId = session.userId
      const ended = await sessions.endShown(session.userId, params.id)
      if (ended === null) throw notFound('This session')
      return ended === session.id ? { cookie: null } : {}
    }),

  endOtherSessions: (ask) =>
    securityLog.watch('end-other-sessions', ask, async (subject) => {
      subject.userId = ask.session.userId
      await sessions.endAllOf(ask.session.userId, ask.session.id)
      return {}
    }),
})
