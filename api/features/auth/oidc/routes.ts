/** Signs in at the provider of single sign-on, and links an account to it. */
import { URLSearchParams } from 'node:url'
import { InFlightLimit } from '../../../core/in-flight-limit.ts'
import { sourceOf } from '../../../core/source.ts'
import type { Clock } from '../../../core/clock.ts'
import { signOnPages, type SignOnPage } from '../../../contract/oidc.ts'
import type { SearchParams, Routes } from '../../../contract/index.ts'
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
import type { Consent, OidcConsents, Purpose, Visit } from './consents.ts'
import { accountFinder, linker, mustBeAllowed, refusal, type IdentifyPorts } from './identified.ts'
import type { Identity, OidcProvider } from './provider.ts'

export interface OidcPorts extends IdentifyPorts, CompletePorts {
  readonly oidcConsents: OidcConsents
  readonly factors: Factors
  readonly pendingSignIns: PendingSignIns
  readonly clock: Clock
}

type ProviderAnswer = SearchParams<Routes['oidcCallback']>
type Names = 'signInWithOidc' | 'linkOidc' | 'confirmWithOidc' | 'oidcCallback' | 'unlinkOidc'

/** Visits to the provider at once: it may be slow. */
const visitBounds = { maxCount: 32, maxBytes: 0, maxCountPerSource: 4, maxBytesPerSource: 0 }

const pageOf = (from: SignOnPage | undefined): string => (from === undefined ? '/' : signOnPages[from])
const signInAt = (page: string) => (outcome: string) => `${page}#sign-in:${outcome}`
const atSecurity = (outcome: string) => `/settings/security#single-sign-on:${outcome}`

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

  async function begin(about: Visit, address: string) {
    const { cookie, asked } = await oidcConsents.begin(about)
    return { url: await visit(address, () => provider().authorizationUrl(asked)), cookie }
  }

  /** The person who came back. @throws Problem */
  async function answered(query: ProviderAnswer, { asked }: Consent, address: string): Promise<Identity> {
    if (query.error === 'access_denied') throw canceled()
    const { error_description: _, ...told } = query
    const given = Object.entries(told).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    )
    if (given.some(([, value]) => value === '')) throw refused()
    const search = new URLSearchParams(given).toString()
    const identity = await visit(address, () => provider().identity(search, asked))
    if (!identity) throw refused()
    return identity
  }

  return {
    async signInWithOidc(ask) {
      const known = provider()
      try {
        await accountLimits.signingOn(sourceOf(ask.address))
        const about = { purpose: 'sign-in', sessionId: null, from: ask.query.from, cookie: ask.oidc } as const
        const { url, cookie } = await begin(about, ask.address)
        return { redirect: url, oidc: cookie }
      } catch (error) {
        if (!(error instanceof Problem) || !known) throw error
        return { redirect: `${pageOf(ask.query.from)}#sign-in:${error.type}` }
      }
    },

    async linkOidc(ask) {
      provider()
      return proven('begin-oidc-link', ask, async (user) => {
        refuseUnconfirmed(user)
        const { url, cookie } = await begin(
          { purpose: 'link', sessionId: ask.session.id, cookie: ask.oidc },
          ask.address,
        )
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
        const { url, cookie } = await begin({ purpose: 'confirm', sessionId: id, cookie: ask.oidc }, ask.address)
        return { body: { url }, oidc: cookie }
      }),

    async oidcCallback(ask) {
      const known = provider()
      const { session, address } = ask
      // By the browser's session: which of the two pages a failure belongs to is known even without the consent.
      let page = session === null ? signInAt('/') : atSecurity
      try {
        return await securityLog.watch('oidc-sign-in', ask, async (subject) => {
          await accountLimits.signingOn(sourceOf(address))
          const consent = await oidcConsents.take(ask.query.state ?? '', ask.oidc)
          if (!consent) throw refused()
          page = consent.purpose === 'sign-in' ? signInAt(pageOf(consent.from)) : atSecurity
          const identity = await answered(ask.query, consent, address)
          mustBeAllowed(known, identity)
          if (consent.purpose !== 'sign-in') {
            if (!session || session.id !== consent.sessionId) throw refused()
            subject.userId = session.userId
            return { redirect: page(await forSession(consent.purpose, session, identity)) }
          }
          const user = await accountOf(identity, address)
          subject.userId = user.id
          if ((await factors.methodsOf(user.id)).length > 0)
            return { redirect: page('second-step'), signIn: await pendingSignIns.start(user, null, 'oidc') }
          if (session) await sessions.end(session.id)
          const signedIn = await complete(user, { ...ask, way: 'oidc' }, refused)
          return { redirect: pageOf(consent.from), ...signedIn, signIn: null }
        })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return { redirect: page(error.type) }
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
