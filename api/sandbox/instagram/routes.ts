/** Instagram professional accounts with Instagram Login. https://developers.facebook.com/docs/instagram-platform */
import { Router } from 'express'
import { consentRoutes } from '../consent.ts'
import { refuse } from '../meta.ts'
import type { SandboxPorts } from '../ports.ts'
import { postingRoutes } from './posting.ts'
import { readingRoutes } from './reading.ts'
import { tokenRoutes } from './tokens.ts'

export function instagramRoutes(ports: SandboxPorts): Router {
  const router = Router()
  router.param('version', (_, response, next, version) => {
    if (/^v\d+\.\d+$/.test(String(version))) next()
    else refuse(response, { code: 2500, message: 'Unknown path components' })
  })
  const terms = {
    platform: 'instagram',
    path: '/oauth/authorize',
    cancel: { error: 'access_denied', error_reason: 'user_denied', error_description: 'The user denied your request' },
    codeLifeMs: 3_600_000,
    fragment: '#_',
    others: null,
    pkce: false,
  } as const
  router.use(consentRoutes(ports, terms))
  router.use(tokenRoutes(ports))
  router.use(postingRoutes(ports))
  router.use(readingRoutes(ports))
  return router
}
