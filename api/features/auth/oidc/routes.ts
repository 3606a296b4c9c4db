/** Signs in at the provider of single sign-on, and links an account to it. */
import { URLSearchParams } from 'node:url'
import { InFlightLimit } from '../../../core/in-flight-limit.ts'
import { sourceOf } from '../../../core/source.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Handlers } from '../../../http/handler.ts'
import { notFound, Problem } from '../../../http/problem.ts'
import { completer, type CompletePorts } from '../completed.ts'
import { oidcLinkMail } from '../mails.ts'
import { refuseUnconfirmed, teller } from '../own-account.ts'
import { ownActs } from '../own-acts.ts'
import type { PendingSignIns } from '../pending-sign-ins.ts'
import type { Factors } from '../factors.ts'
import { hasPassword } from '../users.ts'
import { ProviderUnavailable } from './bounded-fetch.ts'
import type { Consent, OidcConsents, Purpose } from './consents.ts'
import { accountFinder, linker, mustBeAllowed, refusal, type IdentifyPorts } from './identified.ts'
import type { Identity, OidcProvider } from './provider.ts'

export interface OidcPorts extends IdentifyPorts, CompletePorts {
  readonly oidcConsents: OidcConsents
  readonly factors: Factors
  readonly pendingSignIns: PendingSignIns
  readonly clock: Clock
}

type Names = 'signInWithOidc' | 'linkOidc' | 'confirmWithOidc' | 'oidcCallback' | 'unlinkOidc'

/** Visits to the provider at once: it may be slow. */
const visitBounds = { maxCount: 32, maxBytes: 0, maxCountPerSource: 4, maxBytesPerSource: 0 }

/** The same for a forged, a replayed and an outdated answer, and for one of another browser. */
const refused = () => new Problem(403, 'refused', "That sign-in didn't work. Nothing was changed; please try again.")
const canceled = () => new Problem(403, 'canceled', 'The provider says that the sign-in was canceled.')
const unavailable = () =>
  new Problem(503, 'unavailable', "Single sign-on can't be reached right now. Try again in a moment.", {
    'Retry-After': '10',
  })
const busy = () =>
  new Problem(503, 'busy', 'Too many people are signing in at this moment. Try again in a moment.', {
    'Retry-After': '5',
  })

export const oidcHandlers = (ports: OidcPorts): Handlers<Names> => {
  const { oidc, oidcConsents, oidcLinks, users, sessions, factors, pendingSignIns, accountLimits, securityLog } = ports
  const { proven } = ownActs(ports)
  const tell = teller(ports)
  const complete = completer(ports)
  const accountOf = accountFinder(ports)
  const link = linker(ports)
  const visits = new InFlightLimit(visitBounds)

  const provider = (): OidcProvider => {
    if (!oidc) throw notFound('Single sign-on')
    return oidc
  }

  /** @throws Problem 503 */
  async function visit<T>(address: string, run: () => Promise<T>): Promise<T> {
    const reserved = visits.reserve(sourceOf(address), 0)
    if (typeof reserved === 'string') throw busy()
    try {
      return await run()
    } catch (error) {
      throw error instanceof ProviderUnavailable ? unavailable() : error
    } finally {
      reserved.release()
    }
  }

  async function begin(purpose: Purpose, sessionId: string | null, address: string) {
    const { cookie, asked } = await oidcConsents.begin(purpose, sessionId)
    return { url: await visit(address, () => provider().authorizationUrl(asked)), cookie }
  }

  /** The person who came back, and why they had gone. @throws Problem */
  async function answered(
    { state = '', error, ...rest }: { readonly state?: string | undefined; readonly error?: string | undefined },
    cookie: string | null,
    address: string,
  ): Promise<{ readonly consent: Consent; readonly identity: Identity }> {
    const consent = await oidcConsents.take(state, cookie)
    if (!consent) throw refused()
    if (error === 'access_denied') throw canceled()
    const given = Object.entries({ state, error, ...rest }).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    )
    const search = new URLSearchParams(given).toString()
    const identity = await visit(address, () => provider().identity(search, consent.asked))
    if (!identity) throw refused()
    return { consent, identity }
  }

  return {
    async signInWithOidc(ask) {
      const known = provider()
      try {
        await accountLimits.signingOn(sourceOf(ask.address))
        const { url, cookie } = await begin('sign-in', null, ask.address)
        return { redirect: url, oidc: cookie }
      } catch (error) {
        if (!(error instanceof Problem) || !known) throw error
        return { redirect: `/#sign-in:${error.type}` }
      }
    },

    async linkOidc(ask) {
      provider()
      return proven('begin-oidc-link', ask, async (user) => {
        refuseUnconfirmed(user)
        const { url, cookie } = await begin('link', ask.session.id, ask.address)
        return { body: { url }, oidc: cookie }
      })
    },

    confirmWithOidc: (ask) =>
      securityLog.watch('begin-oidc-confirm', ask, async (subject) => {
        const { id, userId } = ask.session
        subject.userId = userId
        provider()
        await accountLimits.signingOn(sourceOf(ask.address))
        if (!(await oidcLinks.of(userId)))
          throw new Problem(409, 'no-link', 'Your account has no link to single sign-on.')
        const { url, cookie } = await begin('confirm', id, ask.address)
        return { body: { url }, oidc: cookie }
      }),

    async oidcCallback(ask) {
      const known = provider()
      const { session, address } = ask
      // By the browser's session: which of the two pages a failure belongs to is known even without the consent.
      const back = (outcome: string, toSecurity: boolean) => ({
        redirect: toSecurity ? `/settings/security#single-sign-on:${outcome}` : `/#sign-in:${outcome}`,
        oidc: null,
      })
      let toSecurity = session !== null
      try {
        return await securityLog.watch('oidc-sign-in', ask, async (subject) => {
          await accountLimits.signingOn(sourceOf(address))
          const { consent, identity } = await answered(ask.query, ask.oidc, address)
          toSecurity = consent.purpose !== 'sign-in'
          mustBeAllowed(known, identity)
          if (consent.purpose !== 'sign-in') {
            if (!session || session.id !== consent.sessionId) throw refused()
            subject.userId = session.userId
            return back(await forSession(consent.purpose, session, identity), true)
          }
          const user = await accountOf(identity, address)
          subject.userId = user.id
          if ((await factors.methodsOf(user.id)).length > 0)
            return { ...back('second-step', false), signIn: await pendingSignIns.start(user, null, 'oidc') }
          if (session) await sessions.end(session.id)
          const signedIn = await complete(user, { ...ask, way: 'oidc' }, refused)
          return { redirect: '/', ...signedIn, oidc: null, signIn: null }
        })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return back(error.type, toSecurity)
      }
    },

    unlinkOidc: (ask) =>
      proven('remove-oidc-link', ask, async (user) => {
        if (!hasPassword(user))
          throw new Problem(
            409,
            'no-password',
            'Your account has no password, so you could not sign in any more. Set one first: sign out, and choose "Forgot your password?".',
          )
        if (await oidcLinks.remove(user.id))
          await tell(user, 'oidc-unlinked', oidcLinkMail(user.email, ports.publicUrl, 'oidc-unlinked'))
        return {}
      }),
  }

  async function forSession(
    purpose: Exclude<Purpose, 'sign-in'>,
    session: { readonly id: string; readonly userId: string },
    identity: Identity,
  ): Promise<'linked' | 'confirmed'> {
    if (purpose === 'link') {
      const user = await users.get(session.userId)
      refuseUnconfirmed(user)
      await link(user, identity)
      return 'linked'
    }
    if ((await oidcLinks.with(identity))?.id !== session.userId) throw refusal('another-account')
    await sessions.confirm(session.id)
    return 'confirmed'
  }
}
