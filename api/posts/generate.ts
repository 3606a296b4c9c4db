import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { v7 as uuidv7 } from 'uuid'
import { standingOf } from '../../domain/agency/state.ts'
import type { Views } from '../../projections/registry.ts'
import { tooMany } from '../auth/throttle.ts'
import { mustHaveClient } from '../clients/routes.ts'
import type { Clock } from '../clock.ts'
import type { Handler } from '../handle.ts'
import { accepted, type Handlers } from '../http/handler.ts'
import { Problem } from '../http/problem.ts'
import { problemOf } from '../http/sentences.ts'
import { WriterError, type Writer } from '../writer/port.ts'

export interface GeneratePorts {
  readonly handler: Handler
  readonly views: Views
  readonly writer: Writer
  readonly clock: Clock
}

const perMinute = 30
const longestMs = 60_000
const lastTexts = 10

export function generateHandlers({ handler, views, writer, clock }: GeneratePorts): Handlers<'generateContent'> {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })

  return {
    async generateContent(ask) {
      const { agencyId, by, body } = ask
      const agency = await ask.loadAgency()
      await mustHaveClient(ask, body.clientId)
      const standing = standingOf(agency, clock.now())
      if (standing !== 'good') throw problemOf({ reason: 'subscription-needed', standing })
      await limiter.consume(agencyId).catch((rejected: unknown) => {
        throw rejected instanceof RateLimiterRes ? tooMany(rejected.msBeforeNext) : rejected
      })
      const client = agency.clients[body.clientId]
      if (!client) throw new Problem(404, 'not-found', "This client doesn't exist.")
      const tone = body.tone || client.toneOfVoice || 'professional'
      const { platform, topic } = body
      const newest = { where: { clientId: body.clientId }, sort: { field: 'createdAt', order: 'desc' }, limit: lastTexts } as const
      const recent = (await views.posts.find(newest)).map(({ content }) => content)
      const draft = await writer
        .write({ client, platform, topic, tone, recent }, AbortSignal.timeout(longestMs))
        .catch((error: unknown) => {
          throw error instanceof WriterError ? new Problem(503, 'writer', error.message) : error
        })
      const generationId = uuidv7()
      const { source: written, model, tokens, content } = draft
      const command = { type: 'RecordGeneration', generationId, writer: written, model, platform, topic, tone, content, tokens } as const
      accepted(await handler.client(body.clientId, command, by))
      return { body: { content, source: written, generationId } }
    },
  }
}
