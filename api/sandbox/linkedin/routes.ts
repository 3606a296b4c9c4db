/**
 * LinkedIn with its versioned REST API's routes.
 * https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api
 */
import { Router } from 'express'
import { consentRoutes } from '../consent.ts'
import { feedUrl, type SandboxPorts } from '../ports.ts'
import { versioned } from './answers.ts'
import { imageRoutes } from './images.ts'
import { organizationRoutes } from './organizations.ts'
import { postingRoutes } from './posting.ts'
import { statisticsRoutes } from './statistics.ts'
import { tokenRoutes } from './tokens.ts'

export function linkedinRoutes(ports: SandboxPorts): Router {
  const router = Router()
  const terms = {
    platform: 'linkedin',
    path: '/oauth/v2/authorization',
    cancel: { error: 'user_cancelled_authorize', error_description: 'The user cancelled the authorization' },
    codeLifeMs: 30 * 60_000,
    fragment: '',
    others: 'organization',
    pkce: false,
  } as const
  router.use(consentRoutes(ports, terms))
  // The path of a post's public URL on LinkedIn.
  router.get('/feed/update/:urn', (request, response, next) => {
    const post = ports.store.feed.post('linkedin', request.params.urn)
    if (post) response.redirect(302, feedUrl(ports.base, post))
    else next()
  })
  router.use('/rest', versioned)
  router.use(tokenRoutes(ports))
  router.use(organizationRoutes(ports))
  router.use(imageRoutes(ports))
  router.use(postingRoutes(ports))
  router.use(statisticsRoutes(ports))
  return router
}
