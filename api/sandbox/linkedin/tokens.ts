/**
 * Tokens for 60 days, and for approved partners a year of refreshes.
 * https://learn.microsoft.com/linkedin/shared/authentication/programmatic-refresh-tokens
 */
import { Router, type Request, type Response } from 'express'
import { later } from '../../core/clock.ts'
import { maxBodyBytes } from '../bodies.ts'
import { underFaults } from '../faults.ts'
import { secondsUntil } from '../limits.ts'
import { given, type SandboxPorts } from '../ports.ts'
import { secret } from '../store/db.ts'
import { works } from '../store/tokens.ts'
import { forbidden, holderOf, linkedinTroubles } from './answers.ts'

const lifeSeconds = 60 * 24 * 3600
const refreshLifeMs = 365 * 24 * 3_600_000

/** Only Community Management, which LinkedIn approves per partner, includes refresh tokens. */
const isRenewable = (scope: string) => scope.split(' ').includes('w_organization_social')

const tokenReply = (key: string, scope: string) => ({
  access_token: key,
  expires_in: lifeSeconds,
  scope: scope.replaceAll(' ', ','),
  token_type: 'Bearer',
})

export function tokenRoutes(ports: SandboxPorts): Router {
  const { store, clock, faults, bodies } = ports
  const router = Router()
  const no = (response: Response, description: string, error = 'invalid_request', status = 400) =>
    void response.status(status).json({ error, error_description: description })

  const trade = async (request: Request, response: Response) => {
    const now = clock.now()
    const [key, refreshKey] = [`AQ${secret()}`, `AQ${secret()}`]
    const endsAt = later(now, refreshLifeMs)
    const consent = await store.durably(() => {
      const [code, clientId, redirectUri] = [
        given(request, 'code'),
        given(request, 'client_id'),
        given(request, 'redirect_uri'),
      ]
      const found = store.consents.redeem({ platform: 'linkedin', code, clientId, redirectUri }, now)
      if (!found) return null
      const { id, remoteId, scope } = found
      store.tokens.issue({ key, consent: id, kind: 'access', remoteId, expiresAt: later(now, lifeSeconds * 1000) }, now)
      if (isRenewable(scope))
        store.tokens.issue({ key: refreshKey, consent: id, kind: 'refresh', remoteId, expiresAt: endsAt }, now)
      return found
    })
    if (!consent)
      return no(
        response,
        'Unable to retrieve access token: the code is not valid for this app and redirect URI, or has expired.',
      )
    const refresh = { refresh_token: refreshKey, refresh_token_expires_in: secondsUntil(endsAt, now) }
    response.json({ ...tokenReply(key, consent.scope), ...(isRenewable(consent.scope) ? refresh : {}) })
  }

  const renew = async (request: Request, response: Response) => {
    const refreshKey = given(request, 'refresh_token')
    const holder = store.tokens.holder('linkedin', refreshKey)
    if (!holder?.expiresAt || holder.kind !== 'refresh' || !works(holder, clock.now())) {
      return no(
        response,
        'The provided authorization grant or refresh token is invalid, expired or revoked.',
        'invalid_grant',
      )
    }
    const { consent, remoteId, scope, expiresAt: endsAt } = holder
    await underFaults(
      faults,
      linkedinTroubles,
      { platform: 'linkedin', remoteId, step: 'renew' },
      { request, response },
      async () => {
        const now = clock.now()
        const key = `AQ${secret()}`
        await store.durably(() =>
          store.tokens.issue(
            { key, consent, kind: 'access', remoteId, expiresAt: later(now, lifeSeconds * 1000) },
            now,
          ),
        )
        const refresh = { refresh_token: refreshKey, refresh_token_expires_in: secondsUntil(endsAt, now) }
        return () => void response.json({ ...tokenReply(key, scope), ...refresh })
      },
    )
  }

  router.post('/oauth/v2/accessToken', bodies.form(maxBodyBytes.form), async (request, response) => {
    response.set('Cache-Control', 'no-store')
    if (given(request, 'client_id') === '' || given(request, 'client_secret') === '')
      return no(response, 'Client authentication failed', 'invalid_client', 401)
    const grant = given(request, 'grant_type')
    if (grant === 'authorization_code') await trade(request, response)
    else if (grant === 'refresh_token') await renew(request, response)
    else no(response, 'The passed in grant_type is invalid')
  })

  router.get('/v2/userinfo', (request, response) => {
    const holder = holderOf(ports, request, response)
    if (!holder) return
    const profile = store.profiles.profile('linkedin', holder.remoteId)
    if (!profile || !holder.scope.split(' ').includes('openid'))
      return void forbidden(response, 'userinfo.GET.NO_VERSION')
    const { name, remoteId } = profile
    response.json({
      sub: remoteId.replace('urn:li:person:', ''),
      name,
      given_name: name,
      family_name: '',
      locale: { country: 'US', language: 'en' },
    })
  })
  return router
}
