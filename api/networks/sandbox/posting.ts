/** Posting, reading the feed back, and figures: what a network's API does, faults included. */
import { Router, type Request, type Response } from 'express'
import { z } from 'zod'
import { textLength, textLimits } from '../../../domain/core/text-limits.ts'
import { platformSchema, webUrlSchema, type Platform } from '../../../domain/core/values.ts'
import type { Clock } from '../../clock.ts'
import type { Fault, Faults } from './faults.ts'
import type { SandboxFeed, SandboxPost } from './feed.ts'
import { figuresOf } from './figures.ts'

const submitted = z.object({ message: z.string().max(100_000), image_url: webUrlSchema.nullable() })
const page = z.object({ since: z.iso.datetime(), skip: z.coerce.number().int().min(0).default(0) })
const pageSize = 100

export interface PostingPorts {
  readonly feed: SandboxFeed
  readonly clock: Clock
  readonly base: string
  /** Null: nothing goes wrong on demand. */
  readonly faults: Faults | null
}

export function postingRoutes({ feed, clock, base, faults }: PostingPorts): Router {
  const router = Router()
  const urlOf = ({ platform, remoteId, id }: SandboxPost) => `${base}/${platform}/${remoteId}/${id}`

  /** Who calls, or null when they were answered that they may not. */
  const profile = (request: Request, response: Response): { platform: Platform; remoteId: string } | null => {
    const platform = platformSchema.safeParse(request.params['platform'])
    const key = /^Bearer (\S+)$/.exec(request.get('authorization') ?? '')?.[1]
    const remoteId = platform.success && key !== undefined ? feed.profileOf(platform.data, key) : null
    if (!platform.success || remoteId === null) return no(response, 401, 'The key is not valid.')
    if ((request.params['remoteId'] ?? remoteId) !== remoteId) return no(response, 403, 'The key is for another profile.')
    return { platform: platform.data, remoteId }
  }

  router.post('/:platform/v1/:remoteId/posts', async (request, response) => {
    const caller = profile(request, response)
    if (!caller) return
    const { platform, remoteId } = caller
    const wanted = submitted.safeParse(request.body)
    if (!wanted.success) return void no(response, 400, 'The post is not complete.')
    const { message: content, image_url: imageUrl } = wanted.data
    const problem = problemWith(platform, content, imageUrl)
    if (problem !== null) return void no(response, 400, problem)

    const fault = faults?.next(platform, remoteId) ?? null
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.delayMs))
    if (fault && failsBefore(fault, request, response)) return
    const taken = await feed.take({ platform, remoteId, content, imageUrl, createdAt: clock.now() })
    if (fault && failsAfter(fault, request, response)) return
    response.status(201).json({ id: taken.id, permalink: urlOf(taken) })
  })

  router.get('/:platform/v1/:remoteId/posts', (request, response) => {
    const caller = profile(request, response)
    if (!caller) return
    const wanted = page.safeParse(request.query)
    if (!wanted.success) return void no(response, 400, 'Give an instant in "since".')
    const { since, skip } = wanted.data
    const found = feed.since(caller.platform, caller.remoteId, new Date(since).toISOString(), pageSize, skip)
    response.json({
      posts: found.map((post) => ({ id: post.id, message: post.content, created_at: post.createdAt, permalink: urlOf(post) })),
      next_skip: found.length < pageSize ? null : skip + pageSize,
    })
  })

  router.get('/:platform/v1/:remoteId/posts/:postId/figures', (request, response) => {
    const caller = profile(request, response)
    if (!caller) return
    const post = feed.post(caller.platform, request.params.postId)
    if (post?.remoteId !== caller.remoteId) return void no(response, 404, 'There is no such post.')
    response.json(figuresOf(post, clock.now()))
  })

  return router
}

function no(response: Response, status: number, message: string): null {
  response.status(status).json({ error: { message } })
  return null
}

function problemWith(platform: Platform, content: string, imageUrl: string | null): string | null {
  if (content.trim() === '') return 'A post needs some text.'
  if (textLength(platform, content) > textLimits[platform]) return `The text is longer than ${textLimits[platform]} characters.`
  return platform === 'instagram' && imageUrl === null ? 'A post needs an image.' : null
}

/** True when the fault has dealt with the request. A time-out leaves it open until the caller gives up. */
function failsBefore({ kind, retryAfterSeconds }: Fault, request: Request, response: Response): boolean {
  if (kind === 'timeout-before') return true
  if (kind === 'reset-before') return reset(request)
  if (kind === 'error-before') no(response, 500, 'Something went wrong.')
  else if (kind === 'unauthorized') no(response, 401, 'The key is not valid any more.')
  else if (kind === 'rate-limited') no(response.set('Retry-After', String(retryAfterSeconds)), 429, 'Too many posts.')
  else return false
  return true
}

function failsAfter({ kind }: Fault, request: Request, response: Response): boolean {
  if (kind === 'timeout-after') return true
  if (kind === 'reset-after') return reset(request)
  if (kind !== 'error-after') return false
  no(response, 500, 'Something went wrong.')
  return true
}

function reset(request: Request): true {
  request.socket.resetAndDestroy()
  return true
}
