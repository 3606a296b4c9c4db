/** The sandbox networks: a small server that stands in for the four of them and keeps its feed durably. */
import { json, Router, urlencoded } from 'express'
import { platformSchema } from '../../../domain/core/values.ts'
import type { Clock } from '../../clock.ts'
import { Faults, faultSchema } from './faults.ts'
import { SandboxFeed } from './feed.ts'
import { oauthRoutes } from './oauth.ts'
import { accountsPage, feedPage, problemPage } from './pages.ts'
import { sendPage } from './policy.ts'
import { postingRoutes } from './posting.ts'
import { stylesheet } from './style.ts'

export interface SandboxOptions {
  /** The sandbox's own database file. */
  readonly file: string
  readonly clock: Clock
  /** Where browsers reach this router, e.g. `http://localhost:3000/sandbox`. */
  readonly publicUrl: string
  /** Origins that a consent may return to. Default: that of `publicUrl`. */
  readonly returnOrigins?: readonly string[]
  /** Opens `/admin`, where tests plan faults and read the whole feed. Never on for people. */
  readonly faults?: boolean
}

export interface Sandbox {
  readonly router: Router
  /** Lets go of the file. */
  close(): void
}

const postsOnAPage = 100

/** @throws StoreUnavailable when another process holds the file */
export function createSandbox({ file, clock, publicUrl, returnOrigins, faults: withFaults = false }: SandboxOptions): Sandbox {
  const base = publicUrl.replace(/\/+$/, '')
  const feed = new SandboxFeed(file)
  const faults = withFaults ? new Faults() : null
  const router = Router()

  router.use(json({ limit: '1mb' }), urlencoded({ extended: false, limit: '100kb' }))
  router.get('/style.css', (_, response) => {
    response.type('css').set('Cache-Control', 'public, max-age=300').send(stylesheet)
  })
  if (faults) router.use('/admin', adminRoutes(feed, faults))
  router.use(oauthRoutes({ feed, clock, base, returnOrigins: returnOrigins ?? [new URL(base).origin] }))
  router.use(postingRoutes({ feed, clock, base, faults }))

  router.get('/', (_, response) => sendPage(response, accountsPage(base, feed.accounts())))
  router.get('/:platform/:remoteId{/:postId}', (request, response) => {
    const { platform: wanted, remoteId, postId } = request.params
    const { data: platform } = platformSchema.safeParse(wanted)
    const account = platform && feed.account(platform, remoteId)
    const marked = platform && postId !== undefined ? feed.post(platform, postId) : null
    if (!account || (postId !== undefined && marked?.remoteId !== remoteId)) {
      const sentence = 'There is no such profile or post in this sandbox.'
      sendPage(response.status(404), problemPage(base, 'Nothing here', sentence))
      return
    }
    const posts = feed.newest(account.platform, remoteId, postsOnAPage)
    sendPage(response, feedPage(base, account, posts, marked ?? null, clock.now()))
  })
  router.use((_, response) => sendPage(response.status(404), problemPage(base, 'Nothing here', 'There is no such page in this sandbox.')))

  return { router, close: () => feed.close() }
}

function adminRoutes(feed: SandboxFeed, faults: Faults): Router {
  const router = Router()
  router.post('/faults', (request, response) => {
    faults.plan(faultSchema.parse(request.body))
    response.status(204).end()
  })
  router.delete('/faults', (_, response) => {
    faults.clear()
    response.status(204).end()
  })
  router.get('/posts', (_, response) => {
    response.json(feed.everything())
  })
  return router
}
