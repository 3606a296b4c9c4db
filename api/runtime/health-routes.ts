/** What an operator's tools ask: is the process there, and can it do its work. */
import { Router } from 'express'

/** @param notReady a sentence for each thing that stands in the way; none when ready */
export function healthRoutes(notReady: () => readonly string[]): Router {
  const router = Router({ caseSensitive: true })
  router.get('/healthz', (_, response) => void response.type('text/plain').send('ok'))
  router.get('/readyz', (_, response) => {
    const missing = notReady()
    response
      .status(missing.length === 0 ? 200 : 503)
      .type('text/plain')
      .send(missing.join('\n') || 'ready')
  })
  return router
}
