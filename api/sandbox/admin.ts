/** Routes with which tests control the sandbox. Never enabled for users. */
import { Router } from 'express'
import { z } from 'zod'
import { platformSchema } from '../../domain/core/values.ts'
import { maxBodyBytes } from './bodies.ts'
import { faultSchema, type Faults } from './faults.ts'
import { limitSchema } from './limits.ts'
import type { SandboxPorts } from './ports.ts'

const profile = z.object({ platform: platformSchema, remoteId: z.string() })

export function adminRoutes({ store, limits, bodies }: SandboxPorts, faults: Faults): Router {
  const router = Router()
  router.use(bodies.json(maxBodyBytes.json))
  router.post('/faults', (request, response) => {
    faults.plan(faultSchema.parse(request.body))
    response.status(204).end()
  })
  router.delete('/faults', (_, response) => {
    faults.clear()
    response.status(204).end()
  })
  router.post('/revoke', async (request, response) => {
    const { platform, remoteId } = profile.parse(request.body)
    await store.tokens.revoke(platform, remoteId)
    response.status(204).end()
  })
  router.post('/limits', (request, response) => {
    const { platform, ...limit } = limitSchema.parse(request.body)
    limits.set(platform, limit)
    response.status(204).end()
  })
  router.get('/posts', (_, response) => {
    response.json(store.feed.everything())
  })
  return router
}
