/** Facebook Pages with the Graph API's routes. https://developers.facebook.com/docs/pages-api */
import { Router } from 'express'
import { consentRoutes } from '../consent.ts'
import { refuse } from '../meta.ts'
import type { SandboxPorts } from '../ports.ts'
import { pageListRoutes } from './pages.ts'
import { postingRoutes } from './posting.ts'
import { readingRoutes } from './reading.ts'
import { tokenRoutes } from './tokens.ts'

export function facebookRoutes(ports: SandboxPorts): Router {
  const router = Router()
  router.param('version', (_, response, next, version) => {
    if (/^v\d+\.\d+$/.test(String(version))) next()
    else refuse(response, { code: 2500, message: 'Unknown path components' })
  })
  const terms = {
    platform: 'facebook',
    path: '/:version/dialog/oauth',
    cancel: {
      error: 'access_denied',
      error_code: '200',
      error_description: 'Permissions error',
      error_reason: 'user_denied',
    },
    codeLifeMs: 10 * 60_000,
    fragment: '#_=_',
    others: 'profile',
    pkce: false,
  } as const
  router.use(consentRoutes(ports, terms))
  router.use(tokenRoutes(ports))
  router.use(pageListRoutes(ports))
  router.use(postingRoutes(ports))
  router.use(readingRoutes(ports))
  return router
}
