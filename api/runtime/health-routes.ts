/** Health and readiness checks for the operator's tools. */
import { Router } from 'express'
import { productVersion } from './version.ts'

/** @param notReady one sentence per obstacle; empty when ready */
export function healthRoutes(notReady: () => readonly string[]): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const version = productVersion()
  router.get('/healthz', async (_, response) => void response.type('text/plain').send(`ok ${await version}`))
  router.get('/readyz', (_, response) => {
    const missing = notReady()
    response
      .status(missing.length === 0 ? 200 : 503)
      .type('text/plain')
      .send(missing.join('\n') || 'ready')
  })
  return router
}
