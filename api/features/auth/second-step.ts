/** The second step of a sign-in: a code, after a password whose account has a second factor. */
import type { CookieSettings } from '../../http/cookies.ts'
import { signInCookie } from '../../http/cookies.ts'
import type { Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { completer, type CompletePorts } from './completed.ts'
import type { Factors } from './factors.ts'
import { recoveryCodeMail } from './mails.ts'
import { teller } from './own-account.ts'
import type { PendingSignIn, PendingSignIns } from './pending-sign-ins.ts'
import type { SecurityLog } from './security-log.ts'
import type { SignInThrottle } from './throttle.ts'
import { changesOf, userReplyOf, type UserRecord } from './users.ts'

export interface SecondStepPorts extends CompletePorts {
  readonly factors: Factors
  readonly pendingSignIns: PendingSignIns
  /** Counts codes apart from passwords: a right password must not give back attempts at codes. */
  readonly factorThrottle: SignInThrottle
  readonly securityLog: SecurityLog
  readonly cookies: CookieSettings
}

/** The first step's answer: no session yet, only a cookie for the second step. */
export async function secondFactorRequired(
  { pendingSignIns, cookies }: Pick<SecondStepPorts, 'pendingSignIns' | 'cookies'>,
  user: UserRecord,
): Promise<Problem> {
  const cookie = signInCookie(cookies, await pendingSignIns.start(user))
  const sentence = 'Your password is right. Enter a code from your authenticator app, or use a passkey, to sign in.'
  return new Problem(401, 'second-factor-required', sentence, { 'Set-Cookie': cookie })
}

export const signInOver = (): Problem =>
  new Problem(401, 'sign-in-over', 'This sign-in took too long. Enter your email and password again.')
/** The same for a wrong, a used and an outdated code. */
const wrongCode = () => new Problem(401, 'wrong-code', "That code isn't right, or was used before. Try another one.")

/** @throws Problem 401 unless a sign-in waits for its second step */
export async function waiting(
  { pendingSignIns, users }: Pick<SecondStepPorts, 'pendingSignIns' | 'users'>,
  token: string | null,
): Promise<{ readonly pending: PendingSignIn; readonly user: UserRecord }> {
  const pending = await pendingSignIns.find(token)
  const user = pending?.userId ? await users.get(pending.userId) : null
  if (!pending || !user || changesOf(user) !== pending.passwordChanges) throw signInOver()
  return { pending, user }
}

export const secondStepHandlers = (ports: SecondStepPorts): Handlers<'getSignIn' | 'completeSignIn'> => {
  const { sessions, factors, pendingSignIns, factorThrottle, securityLog, publicUrl } = ports
  const complete = completer(ports)
  const tell = teller(ports)
  return {
    async getSignIn(ask) {
      const { user } = await waiting(ports, ask.signIn)
      return { body: { methods: await factors.methodsOf(user.id) } }
    },

    completeSignIn: (ask) =>
      securityLog.watch('second-factor', ask, async (subject) => {
        const { address, device, session, body } = ask
        const { pending, user } = await waiting(ports, ask.signIn)
        subject.userId = user.id
        const attempt = await factorThrottle.begin(address, user.email, device, user)
        const used = await factors.use(user.id, body.code, attempt.asker)
        if (used === null) throw wrongCode()
        await attempt.succeeded()
        if (!(await pendingSignIns.end(pending))) throw signInOver()
        if (session) await sessions.end(session.id)
        const from = { ...ask, way: pending.way ?? 'password', wish: body.agencyId } as const
        const signedIn = await complete(user, from, signInOver)
        if (used === 'recovery') {
          const left = (await factors.get(user.id)).recovery?.digests.length ?? 0
          await tell(user, 'recovery-code-used', recoveryCodeMail(user.email, publicUrl, left))
        }
        return { body: userReplyOf(user), ...signedIn, signIn: null }
      }),
  }
}
