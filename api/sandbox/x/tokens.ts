/**
 * Tokens for two hours, refreshed with single-use refresh tokens.
 * https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code
 */
import { Router, type Request, type Response } from 'express'
import { later } from '../../core/clock.ts'
import { maxBodyBytes } from '../bodies.ts'
import { underFaults } from '../faults.ts'
import { given, type SandboxPorts } from '../ports.ts'
import { secret } from '../store/db.ts'
import { works } from '../store/tokens.ts'
import { xTroubles } from './answers.ts'

const lifeSeconds = 7_200
/** X documents no lifetime; here a refresh token unused for half a year expires. */
const refreshLifeMs = 180 * 24 * 3_600_000

export function tokenRoutes({ store, clock, faults, bodies }: SandboxPorts): Router {
  const router = Router()
  const troubles = xTroubles(clock)

  const no = (response: Response, description: string, error = 'invalid_request', status = 400) =>
    void response.status(status).json({ error, error_description: description })

  /** A confidential client identifies itself in the header, and may repeat its id in the form. */
  const clientOf = (request: Request): string | null => {
    const basic = /^Basic (\S+)$/i.exec(request.get('authorization') ?? '')?.[1]
    const [id = '', secretPart = ''] = Buffer.from(basic ?? '', 'base64')
      .toString()
      .split(':')
      .map(decodeURIComponent)
    return id === '' || secretPart === '' || !['', id].includes(given(request, 'client_id')) ? null : id
  }

  /** Within a transaction. */
  const pair = (consent: string, remoteId: string, scope: string) => {
    const now = clock.now()
    const [accessToken, refreshToken] = [secret(), secret()]
    store.tokens.issue(
      { key: accessToken, consent, kind: 'access', remoteId, expiresAt: later(now, lifeSeconds * 1000) },
      now,
    )
    const renewable = scope.split(' ').includes('offline.access')
    if (renewable)
      store.tokens.issue(
        { key: refreshToken, consent, kind: 'refresh', remoteId, expiresAt: later(now, refreshLifeMs) },
        now,
      )
    return {
      token_type: 'bearer',
      expires_in: lifeSeconds,
      access_token: accessToken,
      scope,
      ...(renewable ? { refresh_token: refreshToken } : {}),
    }
  }

  const trade = async (request: Request, response: Response, clientId: string) => {
    const keys = await store.durably(() => {
      const [code, redirectUri, verifier] = [
        given(request, 'code'),
        given(request, 'redirect_uri'),
        given(request, 'code_verifier'),
      ]
      const consent = store.consents.redeem({ platform: 'twitter', code, clientId, redirectUri, verifier }, clock.now())
      return consent && pair(consent.id, consent.remoteId, consent.scope)
    })
    if (keys === null) return no(response, 'Value passed for the authorization code was invalid.')
    response.json(keys)
  }

  const renew = async (request: Request, response: Response) => {
    const key = given(request, 'refresh_token')
    const known = store.tokens.holder('twitter', key)
    if (known?.kind !== 'refresh') return no(response, 'Value passed for the token was invalid.')
    const { consent, remoteId, scope } = known
    await underFaults(
      faults,
      troubles,
      { platform: 'twitter', remoteId, step: 'renew' },
      { request, response },
      async () => {
        const keys = await store.durably(() => {
          const holder = store.tokens.holder('twitter', key)
          // Used before: it may be stolen, so all tokens of the family are revoked.
          if (holder?.state === 'used') store.tokens.endFamily(consent)
          if (!holder || !works(holder, clock.now())) return null
          store.tokens.markUsed(key)
          return pair(consent, remoteId, scope)
        })
        return () =>
          void (keys === null ? no(response, 'Value passed for the token was invalid.') : response.json(keys))
      },
    )
  }

  router.post('/2/oauth2/token', bodies.form(maxBodyBytes.form), async (request, response) => {
    response.set('Cache-Control', 'no-store')
    const clientId = clientOf(request)
    if (clientId === null) return no(response, 'Missing valid authorization header', 'unauthorized_client', 401)
    const grant = given(request, 'grant_type')
    if (grant === 'authorization_code') await trade(request, response, clientId)
    else if (grant === 'refresh_token') await renew(request, response)
    else no(response, 'Value passed for the grant type was invalid.', 'unsupported_grant_type')
  })

  router.post('/2/oauth2/revoke', bodies.form(maxBodyBytes.form), async (request, response) => {
    if (clientOf(request) === null)
      return no(response, 'Missing valid authorization header', 'unauthorized_client', 401)
    const holder = store.tokens.holder('twitter', given(request, 'token'))
    if (holder) await store.durably(() => store.tokens.endFamily(holder.consent))
    response.json({ revoked: true })
  })
  return router
}
