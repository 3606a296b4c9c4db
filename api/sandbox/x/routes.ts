/** X with its API v2's routes. https://docs.x.com/x-api */
import { Router } from 'express'
import { consentRoutes } from '../consent.ts'
import { feedUrl, type SandboxPorts } from '../ports.ts'
import { withRateHeaders } from './answers.ts'
import { mediaRoutes } from './media.ts'
import { postingRoutes } from './posting.ts'
import { readingRoutes } from './reading.ts'
import { tokenRoutes } from './tokens.ts'

export function xRoutes(ports: SandboxPorts): Router {
  const router = Router()
  const terms = {
    platform: 'twitter',
    path: '/i/oauth2/authorize',
    cancel: { error: 'access_denied' },
    codeLifeMs: 30_000,
    fragment: '',
    others: null,
    pkce: true,
  } as const
  router.use(consentRoutes(ports, terms))
  // The path of a post's public URL on X.
  router.get('/i/web/status/:id', (request, response, next) => {
    const post = ports.store.feed.post('twitter', request.params.id)
    if (post) response.redirect(302, feedUrl(ports.base, post))
    else next()
  })
  router.use('/2', withRateHeaders(ports.clock))
  router.use(tokenRoutes(ports))
  router.use(mediaRoutes(ports))
  router.use(postingRoutes(ports))
  router.use(readingRoutes(ports))
  return router
}
