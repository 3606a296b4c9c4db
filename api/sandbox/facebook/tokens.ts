/**
 * User tokens: short-lived (about an hour), exchanged for 60 days.
 * https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived
 */
import { Router, type Request, type Response } from 'express'
import { later } from '../../core/clock.ts'
import { maxBodyBytes } from '../bodies.ts'
import { holderOf, refuse } from '../meta.ts'
import { given, type SandboxPorts } from '../ports.ts'
import { secret } from '../store/db.ts'
import { works } from '../store/tokens.ts'

const shortSeconds = 5_400
const longSeconds = 60 * 24 * 3600

export function tokenRoutes(ports: SandboxPorts): Router {
  const { store, clock, bodies } = ports
  const router = Router()

  const trade = async (request: Request, response: Response) => {
    const key = `EAAG${secret()}`
    const now = clock.now()
    const issued = await store.durably(() => {
      const consent = store.consents.redeem(
        {
          platform: 'facebook',
          code: given(request, 'code'),
          clientId: given(request, 'client_id'),
          redirectUri: given(request, 'redirect_uri'),
        },
        now,
      )
      if (!consent) return false
      store.tokens.issue(
        { key, consent: consent.id, kind: 'short', remoteId: '', expiresAt: later(now, shortSeconds * 1000) },
        now,
      )
      return true
    })
    if (!issued)
      return void refuse(response, {
        code: 100,
        subcode: 36009,
        message: 'This authorization code has been used, has expired, or belongs elsewhere.',
      })
    response.json({ access_token: key, token_type: 'bearer', expires_in: shortSeconds })
  }

  const lengthen = async (request: Request, response: Response) => {
    const now = clock.now()
    const holder = store.tokens.holder('facebook', given(request, 'fb_exchange_token'))
    if (!holder || !works(holder, now) || holder.kind === 'page') {
      return void refuse(response, {
        status: 401,
        code: 190,
        message: 'Error validating access token: it is not valid any more.',
      })
    }
    const key = `EAAG${secret()}`
    await store.durably(() =>
      store.tokens.issue(
        { key, consent: holder.consent, kind: 'access', remoteId: '', expiresAt: later(now, longSeconds * 1000) },
        now,
      ),
    )
    response.json({ access_token: key, token_type: 'bearer', expires_in: longSeconds })
  }

  const token = async (request: Request, response: Response) => {
    response.set('Cache-Control', 'no-store')
    if (given(request, 'client_id') === '')
      return void refuse(response, { code: 101, message: 'Missing client_id parameter.' })
    if (given(request, 'client_secret') === '')
      return void refuse(response, { code: 1, message: 'Missing client_secret parameter.' })
    await (given(request, 'grant_type') === 'fb_exchange_token'
      ? lengthen(request, response)
      : trade(request, response))
  }
  router.get('/:version/oauth/access_token', token)
  router.post('/:version/oauth/access_token', bodies.form(maxBodyBytes.form), token)

  /** Deauthorizes the app: revokes every token of the user, including those of Pages. */
  router.delete('/:version/me/permissions', async (request, response) => {
    const holder = holderOf(ports, 'facebook', request, response)
    if (!holder) return
    if (holder.kind === 'page')
      return void refuse(response, { code: 100, message: '(#100) A Page access token has no permissions to take back' })
    await store.durably(() => store.tokens.endFamily(holder.consent))
    response.json({ success: true })
  })
  return router
}
