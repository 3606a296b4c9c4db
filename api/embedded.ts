/** Everything in one process on SQLite files: the composition root of the embedded shape. */
import { mkdir } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { openEmbeddedEventStore } from '../domain/event-store/embedded.ts'
import { Projector } from '../projections/core/projector.ts'
import { openEmbeddedReadStore } from '../projections/read-store/embedded.ts'
import { projections, viewsOf, type Views } from '../projections/registry.ts'
import { openContacts } from './agency/contacts.ts'
import { createApp } from './app.ts'
import { Sessions } from './auth/sessions.ts'
import { SignInThrottle, type Limits } from './auth/throttle.ts'
import { Users } from './auth/users.ts'
import { stripeSettings } from './billing/config.ts'
import { Customers } from './billing/customers.ts'
import { stripePayments } from './billing/stripe.ts'
import { billingWebhook } from './billing/webhook.ts'
import { systemClock, type Clock } from './clock.ts'
import { ConfigError, type Config } from './config.ts'
import { fromLog, newest } from './from-log.ts'
import { Handler } from './handle.ts'
import { openMediaFolder } from './media/folder.ts'
import { guardedFetch } from './media/guarded-fetch.ts'
import { createImages } from './media/images.ts'
import { openImageQuota } from './media/quota.ts'
import { createConnect } from './networks/connect.ts'
import { Connections } from './networks/connections.ts'
import { networkNames } from './contract/network-names.ts'
import { createQuota } from './networks/quota.ts'
import { Sealer } from './networks/sealing.ts'
import { Vault } from './networks/vault.ts'
import { News } from './news/news.ts'
import { ownAddress } from './own-address.ts'
import { keepFor } from './posts/images.ts'
import { freeSlots } from './posts/free-slot.ts'
import { startProcesses } from './processes.ts'
import { openEmbeddedRecords } from './records/embedded.ts'
import { readSecrets } from './secrets.ts'
import { openNetworks } from './stand-in.ts'
import { createTemplateWriter } from './writer/template.ts'

export interface Options {
  readonly log: Logger
  readonly webRoot: string
  readonly clock?: Clock
  readonly limits?: Limits
}

export interface Running {
  /** Where a browser reaches it, without a slash at the end. */
  readonly url: string
  /** Where this machine reaches it, without a slash at the end. */
  readonly localUrl: string
  readonly dataDir: string
  /** The networks that the sandbox stands in for, as people call them. */
  readonly sandboxed: readonly string[]
  readonly handler: Handler
  readonly views: Views
  readonly projector: Projector
  /** Finishes what was accepted, then closes every store. */
  close(): Promise<void>
}

const sweepEveryMs = 3_600_000
const closeWithinMs = 5_000

/** @throws StoreUnavailable when another process has the data folder, ConfigError for a missing secret */
export async function startEmbedded(config: Config, options: Options): Promise<Running> {
  const { log, webRoot, clock = systemClock } = options
  const dataDir = config.DATA_DIR
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new ConfigError(`DATA_DIR: ${dataDir} can't be used as a folder (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'})`)
  })
  const events = await openEmbeddedEventStore(join(dataDir, 'events.db'))
  const store = await openEmbeddedReadStore(join(dataDir, 'views.db'))
  const records = await openEmbeddedRecords(join(dataDir, 'records.db'))
  const secrets = await readSecrets(config)

  const projector = new Projector(projections, {
    events,
    store,
    onError: (view, error) => log.error({ err: error, view }, 'a projection stopped and will try again'),
  })
  await projector.start()
  const views = viewsOf(store, projector.live)
  const sessions = await Sessions.open(records, clock, secrets.session)
  const news = await News.open({ events, sessions, log, visible: (landed, timeoutMs) => projector.waitFor(landed, timeoutMs) })

  const server = createServer({ requestTimeout: 120_000, headersTimeout: 15_000 })
  let serve: RequestListener = (_, response) => void response.writeHead(503, { 'Retry-After': '1' }).end('Starting')
  server.on('request', (request, response) => serve(request, response))
  const listening = new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject))
  server.listen(config.PORT, config.HOST)
  await listening
  const { port } = server.address() as AddressInfo
  const { own, shown } = ownAddress(config.HOST, port)
  const publicUrl = (config.PUBLIC_URL ?? shown).replace(/\/$/, '')

  const media = await openMediaFolder(join(dataDir, 'media'))
  const images = createImages({ store: media, publicUrl, fetch: guardedFetch({ allowPrivate: config.IMAGES_FROM_PRIVATE_NETWORKS }) })
  const imageQuota = await openImageQuota(records, config.IMAGES_MOST_MB)
  const { networks, sandboxed, sandbox } = openNetworks({ config, clock, sessions, images, own, publicUrl })
  const sealer = new Sealer(secrets.encryption)
  const vault = await Vault.open(records, sealer, clock)
  const handler = new Handler({
    events,
    clock,
    freeSlot: freeSlots(() => views),
    keepImage: keepFor(images, imageQuota),
    quota: createQuota({ networks, vault, views }),
  })
  const connect = await createConnect({ handler, networks, vault, sealer, records, clock })
  const customers = await Customers.open(records)
  const stripe = stripeSettings(config)
  const payments = stripe && stripePayments(stripe)
  const connections = await Connections.open({ handler, networks, vault, records, clock })

  serve = createApp({
    handler,
    views,
    waitFor: async (landed, timeoutMs) => (await projector.waitFor(landed, timeoutMs)) && news.waitFor(landed, timeoutMs),
    users: await Users.open(records, clock),
    sessions,
    throttle: new SignInThrottle(options.limits),
    contacts: await openContacts(records),
    newest: newest(fromLog(events)),
    news,
    connect,
    vault,
    customers,
    payments,
    billingWebhook: await billingWebhook({ handler, customers, payments, records, clock, log }),
    networks,
    images,
    imageQuota,
    writer: createTemplateWriter({ random: Math.random }),
    clock,
    log,
    publicUrl,
    trustProxy: config.TRUST_PROXY,
    webRoot,
    ...(sandbox ? { sandbox: sandbox.router } : {}),
    notReady: () =>
      projector.health
        .filter(({ state }) => state !== 'live')
        .map(({ name, state, error }) => `${name} is ${state}${error === null ? '' : `: ${error}`}`),
  })
  // Only now: the sandbox that they publish to is served from here.
  const processes = await startProcesses({ config, events, handler, views, records, networks, vault, connections, images, clock, log, alone: true })
  const sweep = () => void Promise.all([sessions.sweep(), connect.sweep()]).catch((error: unknown) => log.warn({ err: error }, 'sweeping failed'))
  sweep()
  const sweeping = setInterval(sweep, sweepEveryMs)

  return {
    url: publicUrl,
    localUrl: own,
    dataDir,
    sandboxed: sandboxed.map((platform) => networkNames[platform]),
    handler,
    views,
    projector,
    async close() {
      clearInterval(sweeping)
      // First: nothing else waits for streams that never end by themselves.
      await news.close()
      // Before the server: what is being published still needs its sandbox.
      await processes.stop()
      await closeServer(server)
      await projector.stop()
      sandbox?.close()
      await media.close()
      await records.close()
      await store.close()
      await events.close()
    },
  }
}

async function closeServer(server: ReturnType<typeof createServer>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), closeWithinMs)
  await closed
  clearTimeout(timer)
}
