import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import type { Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { completer } from './completed.ts'
import { refuseGuessable } from './password-policy.ts'
import type { Subject } from './security-log.ts'
import { secondFactorRequired, type SecondStepPorts } from './second-step.ts'
import { signIn, wrongCredentials } from './sign-in.ts'
import type { SignInThrottle } from './throttle.ts'
import { userReplyOf } from './users.ts'

export interface AuthPorts extends SecondStepPorts {
  readonly throttle: SignInThrottle
}

export const authHandlers = (
  ports: AuthPorts,
): Handlers<'getUser' | 'changeOwnName' | 'login' | 'register' | 'logout'> => {
  const { users, sessions, throttle, securityLog, factors } = ports
  const complete = completer(ports)
  return {
    async getUser({ session }) {
      const user = await users.get(session.userId)
      if (!user) throw new Problem(401, 'not-signed-in', 'Please sign in.')
      return { body: userReplyOf(user) }
    },

    async changeOwnName({ session, body }) {
      const user = await users.rename(session.userId, body)
      if (!user) throw new Problem(401, 'not-signed-in', 'Please sign in.')
      return { body: userReplyOf(user) }
    },

    login: (ask) =>
      securityLog.watch('sign-in', ask, async (subject) => {
        const { address, device, session } = ask
        const { email, password } = ask.body
        const known = await users.withEmail(email)
        subject.userId = known?.id
        subject.email = email
        const attempt = await throttle.begin(address, email, device, known)
        const user = await users.verify(email, password, attempt.asker)
        if (!user) throw wrongCredentials()
        await attempt.succeeded()
        if ((await factors.methodsOf(user.id)).length > 0) throw await secondFactorRequired(ports, user)
        if (session) await sessions.end(session.id)
        return { body: userReplyOf(user), ...(await complete(user, { ...ask, wish: ask.body.agencyId })) }
      }),

    register: (ask) =>
      securityLog.watch('register', ask, async (subject) => {
        const { body, address, session } = ask
        subject.email = body.email
        refuseGuessable('password', body.password, body.email)
        const asker = await throttle.registering(address)
        const user = await users.register(body, asker)
        if (!user)
          throw new Problem(409, 'email-taken', 'There is an account with this email already. Sign in instead.')
        subject.userId = user.id
        if (session) await sessions.end(session.id)
        return { body: userReplyOf(user), ...(await signIn(ports, user, ask)) }
      }),

    async logout(ask) {
      const { session } = ask
      const end = async (subject: Subject) => {
        subject.userId = session?.userId
        if (session) await sessions.end(session.id)
      }
      // If the end of the session can't be stored, because the disk or the database failed, this browser still drops
      // the cookie: its next user is not signed in. The following page makes no claim about copies of the cookie
      // elsewhere.
      if (session) await securityLog.watch('sign-out', ask, end).catch(unlessAway)
      return { redirect: '/', cookie: null }
    },
  }
}

function unlessAway(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error
}
