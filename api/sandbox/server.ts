/** The sandbox networks: a small server that replaces the four networks and stores accepted posts durably. */
import { pipeline } from 'node:stream/promises'
import { Router, type ErrorRequestHandler, type Request, type RequestHandler } from 'express'
import { platformSchema, webUrlSchema } from '../../domain/core/values.ts'
import type { Clock } from '../core/clock.ts'
import { watchReader } from '../http/outgoing.ts'
import { InFlightLimit, type InFlightBounds } from '../core/in-flight-limit.ts'
import { sourceOf } from '../core/source.ts'
import { adminRoutes } from './admin.ts'
import { Bodies } from './bodies.ts'
import { facebookRoutes } from './facebook/routes.ts'
import { Faults } from './faults.ts'
import { instagramRoutes } from './instagram/routes.ts'
import { Limits, type LimitTable } from './limits.ts'
import { linkedinRoutes } from './linkedin/routes.ts'
import { accountsPage, feedPage } from './pages/feed.ts'
import { problemPage } from './pages/frame.ts'
import { forPeople, sendPage } from './policy.ts'
import { feedUrl, type FetchImage, type MayLook, type SandboxPorts } from './ports.ts'
import { SandboxStore } from './store/store.ts'
import { stylesheet } from './style.ts'
import { xRoutes } from './x/routes.ts'

export interface SandboxOptions {
  /** The sandbox's own database file. */
  readonly file: string
  readonly clock: Clock
  /** The router's URL for browsers, e.g. `http://localhost:3000/sandbox`. */
  readonly publicUrl: string
  /** Origins that a consent may redirect to. Default: that of `publicUrl`. */
  readonly returnOrigins?: readonly string[]
  /** Enables `/admin`, where tests plan faults and read the whole feed. Never enabled for users. */
  readonly faults?: boolean
  /** Called with each request that a planned timeout leaves without an answer. */
  readonly leftOpen?: (request: Request) => void
  /** Milliseconds until feeds list the next accepted post. Default: none. */
  readonly feedLagMs?: () => number
  /** How many posts a profile may publish per period. Default: unlimited. */
  readonly limits?: LimitTable
  /** How Instagram gets an image. Default: it accepts any URL as a square photo, and fetches nothing. */
  readonly fetchImage?: FetchImage
  /** Recognizes the requests of this process's own connectors. Default: none. */
  readonly isOwn?: (request: Request) => boolean
  /** The other clients besides our own connectors, which determines the limits of their bodies. Default: others. */
  readonly callers?: 'others' | 'workers'
  /** Timeout for receiving a body, in milliseconds. */
  readonly bodyMs?: number
  /** Counts a request of any client but our own connectors. @throws Problem 429. Default: counts nothing. */
  readonly count?: (request: Request) => Promise<void>
  /**
   * Who may see the accounts, the feeds and the consent pages. Default: all visitors, for a sandbox on a user's own
   * machine.
   */
  readonly mayLook?: MayLook
}

export interface Sandbox {
  readonly router: Router
  /** Closes the file. */
  close(): void
}

const postsOnAPage = 100
const accountsOnAPage = 500
/** Concurrent responses with an image. */
const openImages: InFlightBounds = {
  maxCount: 128,
  maxBytes: Number.POSITIVE_INFINITY,
  maxCountPerSource: 32,
  maxBytesPerSource: Number.POSITIVE_INFINITY,
}

/** @throws StoreUnavailable when another process holds the file */
export function createSandbox(options: SandboxOptions): Sandbox {
  const {
    file,
    clock,
    publicUrl,
    returnOrigins,
    faults: withFaults = false,
    leftOpen,
    feedLagMs,
    limits = {},
    fetchImage = believe,
    mayLook = everybody,
    isOwn = () => false,
    count,
    bodyMs,
    callers,
  } = options
  const base = publicUrl.replace(/\/+$/, '')
  const store = new SandboxStore(file, feedLagMs ? { now: clock.now, ms: feedLagMs } : null)
  const faults = withFaults ? new Faults(leftOpen) : null
  const ports: SandboxPorts = {
    store,
    clock,
    base,
    returnOrigins: returnOrigins ?? [new URL(base).origin],
    faults,
    limits: new Limits(limits, store.feed),
    fetchImage,
    mayLook,
    bodies: new Bodies(isOwn, bodyMs, callers),
  }
  const router = Router()
  if (count) router.use(counted(count, isOwn))
  // First: such a path would otherwise match a network's route.
  router.get('/{*path}', formerAddresses(ports))
  router.use('/facebook', facebookRoutes(ports))
  router.use('/instagram', instagramRoutes(ports))
  router.use('/x', xRoutes(ports))
  router.use('/linkedin', linkedinRoutes(ports))
  if (faults) router.use('/admin', adminRoutes(ports, faults))
  router.use(peoplesPages(ports))
  router.use(unreadable)
  return { router, close: () => store.close() }
}

const counted =
  (count: NonNullable<SandboxOptions['count']>, isOwn: (request: Request) => boolean): RequestHandler =>
  async (request, _response, next) => {
    if (!isOwn(request)) await count(request)
    next()
  }

const everybody: MayLook = () => Promise.resolve(true)

const believe: FetchImage = (url) => {
  const found = { type: 'image/jpeg', size: 1, width: 1080, height: 1080 }
  return Promise.resolve(webUrlSchema.safeParse(url).success ? found : null)
}

/** Redirects the former paths of posts, which events of that time contain. */
const formerAddresses =
  ({ store, base }: SandboxPorts): RequestHandler =>
  (request, response, next) => {
    const [, wanted, remoteId = '', postId = ''] =
      /^\/(\w+)\/(sbx[0-9a-f]{16})\/(p[0-9a-f]{16})$/.exec(request.path) ?? []
    const { data: platform } = platformSchema.safeParse(wanted)
    const post = platform && store.feed.post(platform, postId)
    if (!post?.remoteId.endsWith(remoteId)) return next()
    response.redirect(301, feedUrl(base, post))
  }

function peoplesPages(ports: SandboxPorts): Router {
  const { store, clock, base } = ports
  const router = Router()
  const people = forPeople(ports)
  const open = new InFlightLimit(openImages)
  router.get('/style.css', (_, response) => {
    response.type('css').set('Cache-Control', 'public, max-age=300').send(stylesheet)
  })
  router.get('/images/:hash', (request, response, next) => {
    const { hash } = request.params
    const image = store.media.image(hash)
    if (!image) return next()
    const reserved = open.reserve(sourceOf(request.ip ?? ''), 0)
    if (typeof reserved === 'string') return void response.status(503).set('Retry-After', '2').end()
    const unwatch = watchReader(response)
    response.set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' })
    response
      .set({ 'Content-Security-Policy': "default-src 'none'; sandbox", 'Content-Length': String(image.size) })
      .type(image.type)
    pipeline(store.media.imageParts(hash, image.size), response)
      .catch(() => response.destroy())
      .finally(() => {
        unwatch()
        reserved.release()
      })
  })
  router.get('/', people, (_, response) => {
    const accounts = store.profiles.accounts(accountsOnAPage + 1)
    sendPage(response, accountsPage(base, accounts.slice(0, accountsOnAPage), accounts.length > accountsOnAPage))
  })
  router.use('/feeds', people)
  router.get('/feeds/:platform/:remoteId{/:postId}', (request, response, next) => {
    const { platform: wanted, remoteId, postId } = request.params
    const { data: platform } = platformSchema.safeParse(wanted)
    const account = platform && store.profiles.account(platform, remoteId)
    const marked = platform && postId !== undefined ? store.feed.post(platform, postId) : null
    if (!account || (postId !== undefined && marked?.remoteId !== remoteId)) return next()
    const { posts } = store.feed.page(account.platform, remoteId, { limit: postsOnAPage })
    sendPage(response, feedPage(base, account, posts, marked ?? null, clock.now()))
  })
  router.use((_, response) =>
    sendPage(
      response.status(404),
      problemPage(base, 'Nothing here', 'There is no such page, profile or post in this sandbox.'),
    ),
  )
  return router
}

/** A body that is too large or invalid JSON gets its parser's status. */
const unreadable: ErrorRequestHandler = (error: unknown, _, response, next) => {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : null
  if (typeof status !== 'number' || status < 400 || status > 499 || response.headersSent) return next(error)
  response.status(status).json({ error: { message: 'The request could not be read.' } })
}
