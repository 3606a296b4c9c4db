/**
 * A code gives a token for an hour, exchanged for 60 days, and refreshed for 60 days once it is a day old.
 * https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login
 */
import { createHash } from 'node:crypto'
import { Router, type Response } from 'express'
import { later } from '../../core/clock.ts'
import { maxBodyBytes } from '../bodies.ts'
import { underFaults } from '../faults.ts'
import { refuse } from '../meta.ts'
import { given, type SandboxPorts } from '../ports.ts'
import { secret } from '../store/db.ts'
import { works, type Holder } from '../store/tokens.ts'
import { instagramTroubles } from './posting.ts'

const shortSeconds = 3_600
const longSeconds = 60 * 24 * 3600
const renewableAfterMs = 24 * 3_600_000

/** The app-scoped user id; it differs from the account's own id. */
export const appScopedId = (remoteId: string): string =>
  `2${createHash('sha256').update(remoteId).digest().readBigUInt64BE().toString().slice(0, 15)}`

export function tokenRoutes(ports: SandboxPorts): Router {
  const { store, clock, faults, bodies } = ports
  const router = Router()

  const no = (response: Response, message: string) =>
    void response.status(400).json({ error_type: 'OAuthException', code: 400, error_message: message })
  const dead = (response: Response) =>
    refuse(response, {
      status: 401,
      code: 190,
      message: 'Error validating access token: Session has expired.',
      subcode: 463,
    })

  router.post('/oauth/access_token', bodies.form(maxBodyBytes.form), async (request, response) => {
    response.set('Cache-Control', 'no-store')
    if (given(request, 'grant_type') !== 'authorization_code') return no(response, 'Invalid grant_type')
    if (given(request, 'client_id') === '' || given(request, 'client_secret') === '')
      return no(response, 'Invalid platform app')
    const key = `IGAA${secret()}`
    const now = clock.now()
    const code = given(request, 'code')
    const consent = await store.durably(() => {
      const found = store.consents.redeem(
        {
          platform: 'instagram',
          code,
          clientId: given(request, 'client_id'),
          redirectUri: given(request, 'redirect_uri'),
        },
        now,
      )
      if (found)
        store.tokens.issue(
          {
            key,
            consent: found.id,
            kind: 'short',
            remoteId: found.remoteId,
            expiresAt: later(now, shortSeconds * 1000),
          },
          now,
        )
      return found
    })
    if (!consent) return no(response, 'Matching code was not found or was already used.')
    response.json({
      access_token: key,
      user_id: appScopedId(consent.remoteId),
      permissions: consent.scope.split(/[ ,]+/),
    })
  })

  const lengthen = async (response: Response, { consent, remoteId }: Holder) => {
    const key = `IGAA${secret()}`
    const now = clock.now()
    await store.durably(() =>
      store.tokens.issue({ key, consent, kind: 'access', remoteId, expiresAt: later(now, longSeconds * 1000) }, now),
    )
    return () =>
      void response
        .set('Cache-Control', 'no-store')
        .json({ access_token: key, token_type: 'bearer', expires_in: longSeconds })
  }

  router.get('/access_token', async (request, response) => {
    const holder = store.tokens.holder('instagram', given(request, 'access_token'))
    if (given(request, 'grant_type') !== 'ig_exchange_token' || given(request, 'client_secret') === '') {
      return void refuse(response, { code: 100, message: 'Unsupported request - method type: get' })
    }
    if (!holder || !works(holder, clock.now())) return void dead(response)
    if (holder.kind !== 'short')
      return void refuse(response, {
        code: 452,
        message: 'Session key invalid. This could be because the session key has an incorrect format.',
      })
    ;(await lengthen(response, holder))()
  })

  router.get('/refresh_access_token', async (request, response) => {
    const holder = store.tokens.holder('instagram', given(request, 'access_token'))
    if (given(request, 'grant_type') !== 'ig_refresh_token')
      return void refuse(response, { code: 100, message: 'Invalid grant_type' })
    if (!holder || !works(holder, clock.now())) return void dead(response)
    await underFaults(
      faults,
      instagramTroubles,
      { platform: 'instagram', remoteId: holder.remoteId, step: 'renew' },
      { request, response },
      () => {
        const isOldEnough = holder.kind === 'access' && later(holder.issuedAt, renewableAfterMs) <= clock.now()
        if (!isOldEnough)
          return () =>
            void refuse(response, {
              code: 100,
              message: 'The access token must be at least 24 hours old and long-lived to be refreshed.',
            })
        return lengthen(response, holder)
      },
    )
  })
  return router
}
