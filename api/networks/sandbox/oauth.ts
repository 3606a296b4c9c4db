/** Consent and keys: the pages that a network shows when an account is connected, and the exchange behind them. */
import { Router, type Request, type Response } from 'express'
import { z } from 'zod'
import { platformSchema, type Platform } from '../../../domain/core/values.ts'
import type { Clock } from '../../clock.ts'
import type { SandboxFeed } from './feed.ts'
import { consentPage, problemPage } from './pages.ts'
import { sendPage } from './policy.ts'

const asked = z.object({
  account: z.string().trim().min(1).max(200),
  state: z.string().min(1).max(500),
  redirect_uri: z.url({ protocol: /^https?$/ }).max(2048),
})
const trade = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string().min(1).max(200),
  redirect_uri: z.string().max(2048),
})

export interface OauthPorts {
  readonly feed: SandboxFeed
  readonly clock: Clock
  readonly base: string
  /** Origins that a consent may return to: anything else would make this server an open redirector. */
  readonly returnOrigins: readonly string[]
}

export function oauthRoutes({ feed, clock, base, returnOrigins }: OauthPorts): Router {
  const router = Router()

  const judge = (request: Request, response: Response, input: unknown) => {
    const platform = platformSchema.safeParse(request.params['platform'])
    const wanted = asked.safeParse(input)
    if (platform.success && wanted.success && returnOrigins.includes(new URL(wanted.data.redirect_uri).origin)) {
      return { platform: platform.data, account: wanted.data.account, state: wanted.data.state, redirectUri: wanted.data.redirect_uri }
    }
    const sentence = 'This link is not complete. Go back to SocialAI and connect the account again.'
    sendPage(response.status(400), problemPage(base, 'This link does not work', sentence))
    return null
  }

  router.get('/:platform/oauth/authorize', (request, response) => {
    const consent = judge(request, response, request.query)
    if (!consent) return
    const { state, redirectUri } = consent
    const cancelUrl = withQuery(redirectUri, { error: 'access_denied', state })
    sendPage(response, consentPage(base, { ...consent, cancelUrl }), new URL(redirectUri).origin)
  })

  router.post('/:platform/oauth/authorize', async (request, response) => {
    const consent = judge(request, response, request.body)
    if (!consent) return
    const { platform, account, state, redirectUri } = consent
    const code = await feed.consent(platform, account, redirectUri, clock.now())
    response.redirect(303, withQuery(redirectUri, { code, state }))
  })

  router.post('/:platform/oauth/token', async (request, response) => {
    const platform = platformSchema.safeParse(request.params['platform'])
    const wanted = trade.safeParse(request.body)
    const given = platform.success && wanted.success ? await exchange(platform.data, wanted.data) : null
    if (given === null) {
      response.status(400).json({ error: 'invalid_grant', error_description: 'The code is not known, was used before, or is too old.' })
      return
    }
    response.set('Cache-Control', 'no-store').json({ access_token: given.accessToken, token_type: 'Bearer', account_id: given.remoteId })
  })

  const exchange = (platform: Platform, { code, redirect_uri }: z.output<typeof trade>) =>
    feed.exchange(platform, code, redirect_uri, clock.now())

  return router
}

function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
