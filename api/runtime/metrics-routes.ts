/** `/metrics`, for the operator: with a token, or on the same machine. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { Router, type Request } from 'express'
import type { Config } from './config.ts'
import { metricsType, type Metrics } from './metrics.ts'
import { isLoopback } from '../core/public-url.ts'
import { notFound, sendProblem } from '../http/problem.ts'

type Settings = Pick<Config, 'METRICS_TOKEN' | 'NODE_ENV' | 'HOST' | 'TRUST_PROXY'>

/** Answers 404 without permission, so that routes' names, figures and load stay private. */
export function metricsRoutes(metrics: Metrics, settings: Settings): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/metrics', async (request, response) => {
    if (!mayRead(request, settings)) return sendProblem(request, response, notFound())
    response
      .type(metricsType)
      .set('Cache-Control', 'no-store')
      .send(await metrics.page())
  })
  return router
}

function mayRead(request: Request, { METRICS_TOKEN, NODE_ENV, HOST, TRUST_PROXY }: Settings): boolean {
  if (METRICS_TOKEN === undefined) return NODE_ENV !== 'production' && !TRUST_PROXY && isLoopback(HOST)
  return timingSafeEqual(digest(request.get('Authorization') ?? ''), digest(`Bearer ${METRICS_TOKEN}`))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
