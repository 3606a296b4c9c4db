/**
 * Reads the figures of published posts from the networks at fixed ages of each post, and appends them as events. Among
 * several workers, each reads those of the accounts that it leads.
 */
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { FiguresDueView } from '../../../projections/figures-due/view.ts'
import type { Views } from '../../../projections/registry.ts'
import { backoffMs } from '../../core/backoff.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import type { Connections } from '../../networks/connections.ts'
import { ConnectionLost, NetworkError, type Networks } from '../../networks/port.ts'
import { Lanes } from '../lanes.ts'
import { reportOutages } from '../../core/report-outages.ts'
import { settledWithin, startLoop, type Loop } from '../../core/loop.ts'
import { partOfAccount, wholeWork, type WorkShares } from '../work-shares.ts'

export interface CollectorConfig {
  /** The ages of a post at which its figures are read, in ms, ascending. */
  readonly ages: readonly number[]
  /** Poll interval for posts whose figures are due. */
  readonly pollMs: number
  /** Posts read concurrently; posts of one social account are read one at a time. */
  readonly concurrency: number
  /** Backoff after a failed reading; it doubles with each further failure. */
  readonly firstRetryMs: number
  readonly longestRetryMs: number
  /** Posts read per poll, for each age. */
  readonly postsAtATime: number
  /** How long `stop` waits for readings in flight. */
  readonly stopWithinMs: number
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export const collectorDefaults: CollectorConfig = {
  ages: [hour, 6 * hour, ...Array.from({ length: 30 }, (_, days) => (days + 1) * day)],
  pollMs: 2_000,
  concurrency: 4,
  postsAtATime: 500,
  firstRetryMs: minute,
  longestRetryMs: 6 * hour,
  stopWithinMs: 15_000,
}

export interface CollectorPorts {
  readonly commands: Commands
  readonly views: Pick<Views, 'figuresDue'>
  readonly networks: Networks
  readonly connections: Connections
  readonly clock: Clock
  readonly log: Logger
  readonly shares?: WorkShares
  readonly config?: Partial<CollectorConfig>
}

export interface Collector {
  start(): void
  wake(): void
  /** Starts no new reading and waits for those in flight, up to `stopWithinMs`. */
  stop(): Promise<void>
}

const longestReadingMs = minute
/** Rows that one poll reads per age at most. */
const deepest = 32_000

/** Posts in backoff must not hide those behind them: the read limit grows until enough posts are free. */
async function readable(
  read: (limit: number) => Promise<readonly FiguresDueView[]>,
  isFree: (post: FiguresDueView) => boolean,
  postsAtATime: number,
): Promise<readonly FiguresDueView[]> {
  for (let limit = postsAtATime; ; limit *= 4) {
    const posts = await read(limit)
    const free = posts.filter(isFree).slice(0, postsAtATime)
    if (posts.length < limit || free.length >= postsAtATime || limit >= deepest) return free
  }
}
/** A post is given up this long after its last age; otherwise an unreadable post would stay due for ever. */
const graceMs = 7 * day

export function createCollector({ config: given, shares = wholeWork, ...ports }: CollectorPorts): Collector {
  const config = { ...collectorDefaults, ...given }
  const { commands, views, networks, connections, clock, log } = ports
  const lanes = new Lanes(config.concurrency)
  /** Posts in backoff: until when, and the number of consecutive failures. */
  const waiting = new Map<string, { readonly until: string; readonly failures: number }>()
  let loop: Loop | null = null
  let isStopping = false

  const waits = (post: FiguresDueView, now: string) => (waiting.get(post.id)?.until ?? '') > now
  const leads = ({ accountId }: FiguresDueView) => shares.leads(partOfAccount(accountId))

  const readFigures = async (post: FiguresDueView): Promise<boolean> => {
    if (isStopping || !leads(post)) return false
    return shares.during(partOfAccount(post.accountId), () => readOnce(post))
  }

  /** True: the account's other posts are next. */
  const readOnce = async (post: FiguresDueView): Promise<true> => {
    const began = clock.now()
    try {
      const outcome = await record(post)
      // After an outage several ages are due at once; reading again immediately would record the same figures.
      const gap = (config.ages[post.readings + 1] ?? 0) - (config.ages[post.readings] ?? 0)
      if (outcome === 'recorded') waiting.set(post.id, { until: later(began, Math.max(1, gap / 2)), failures: 0 })
      if (outcome !== 'not-connected') return true
    } catch (error) {
      if (error instanceof NetworkError)
        log.info({ postId: post.id, cause: error.message }, 'The network did not return the metrics of a post')
      else log.error({ postId: post.id, err: error }, 'Could not read the metrics of a post')
    }
    const failures = (waiting.get(post.id)?.failures ?? 0) + 1
    const wait = backoffMs(failures, config.firstRetryMs, config.longestRetryMs)
    waiting.set(post.id, { until: later(clock.now(), wait), failures })
    return true
  }

  /** `not-connected`: the account has no usable connection. */
  const record = async ({
    id,
    agencyId,
    clientId,
    accountId,
    platform,
    remoteId,
    readings,
  }: FiguresDueView): Promise<'recorded' | 'recorded-before' | 'not-connected'> => {
    // The view may be behind, or the account's last leader just read it: the network isn't asked twice.
    if ((await commands.loadPost(id)).state.readings > readings) return 'recorded-before'
    const account = { accountId, clientId, agencyId, platform }
    const keys = async () => {
      const connection = remoteId === null ? null : await connections.usable(account, longestReadingMs)
      return remoteId === null || connection === null ? null : { connection, postId: remoteId }
    }
    const asked = await keys()
    if (!asked) return 'not-connected'
    const totals = await networks[platform]
      .metrics({ ...asked.connection, postId: asked.postId })
      .catch(async (error: unknown) => {
        if (!(error instanceof ConnectionLost)) throw error
        // The network rejected the tokens: if they can be refreshed, try once more.
        const again = (await connections.revive(account, asked.connection, error.message)) ? await keys() : null
        if (!again) throw error
        return networks[platform].metrics({ ...again.connection, postId: again.postId })
      })
    const by = { actor: { type: 'process', id: 'collector' }, agencyId, correlationId: uuidv7() } as const
    await commands.post(id, { type: 'RecordMetrics', reading: readings, totals }, by)
    return 'recorded'
  }

  const round = async (): Promise<void> => {
    const now = clock.now()
    const oldest = later(now, -(config.ages.at(-1) ?? 0) - graceMs)
    const due = new Map<string, FiguresDueView[]>()
    for (const [readings, age] of config.ages.entries()) {
      const where = { readings, publishedAt: { gte: oldest, lt: later(now, 1 - age) } }
      const query = { where, sort: { field: 'publishedAt', order: 'asc' } } as const
      for (const post of await readable(
        (limit) => views.figuresDue.all(query, limit),
        (one) => !waits(one, now) && leads(one),
        config.postsAtATime,
      )) {
        due.set(post.accountId, [...(due.get(post.accountId) ?? []), post])
      }
    }
    for (const [accountId, posts] of due)
      void lanes.run(
        accountId,
        posts.map((post) => () => readFigures(post)),
      )
    if (waiting.size > 20_000) for (const [id, { until }] of waiting) if (until <= now) waiting.delete(id)
  }

  return {
    start() {
      const report = reportOutages(log, 'The collector could not read the due posts')
      const onError = (error: unknown) => report('figures-due', error)
      loop = startLoop({ everyMs: config.pollMs, round, onError })
    },
    wake: () => loop?.wake(),
    async stop() {
      isStopping = true
      const ended = Promise.resolve(loop?.stop()).then(() => lanes.idle())
      if (!(await settledWithin(ended, config.stopWithinMs)))
        log.warn('The collector stopped while it was reading metrics')
    },
  }
}
