/**
 * Publishes posts at their time. Any number of publishers may run at once: the expected revision of a claim lets
 * exactly one of them send. In-memory state (backoff, look-ups done) is only an optimization; the log has the rest.
 */
import { plausibleEnd } from '../../../domain/core/waits.ts'
import type { DuePostView } from '../../../projections/due-posts/view.ts'
import { later } from '../../core/clock.ts'
import { compareTimes, postsInARow, startable } from './startable.ts'
import { Lanes, type Job } from '../lanes.ts'
import { reportOutages } from '../../core/report-outages.ts'
import { settledWithin, startLoop, type Loop } from '../../core/loop.ts'
import { MediaPreparer } from './media-preparer.ts'
import { Attempts, type Attempted } from './attempt.ts'
import { publisherDefaults, type PublisherConfig } from './config.ts'
import type { PublisherPorts } from './ports.ts'
import { Backoff } from './backoff.ts'
import { ClaimsOfOthers } from './claims-of-others.ts'
import { Settlement } from './settle.ts'
import { loggerForPost } from './logger-for-post.ts'

export interface Publisher {
  start(): void
  /** Polls for due posts now instead of at the next tick. */
  wake(): void
  /** Starts nothing new and waits for posts in flight, up to `stopWithinMs`. */
  stop(): Promise<void>
}

export function createPublisher({
  config: given,
  elapsed,
  ...ports
}: PublisherPorts & {
  readonly config?: Partial<PublisherConfig>
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number
}): Publisher {
  const config = { ...publisherDefaults, ...given }
  const { views, clock, log } = ports
  const ahead = new MediaPreparer(ports, config)
  const attempts = new Attempts(ports, config, ahead)
  const settlement = new Settlement(ports, config)
  // Posts and look-ups of one account share a lane: a look-up must not find a post that is being sent right now.
  const lanes = new Lanes(config.concurrency)
  const backoff = new Backoff()
  const others = new ClaimsOfOthers(config.attemptMs, elapsed)
  const waitingAccounts = new Map<string, string>()
  const inFlight = new Set<string>()
  let settling: Loop | null = null
  let publishing: Loop | null = null
  let isStopping = false
  let hasInherited = false

  const attempt = async (due: DuePostView): Promise<boolean> => {
    if (isStopping) return false
    inFlight.add(due.id)
    try {
      const attempted: Attempted = await attempts.make(due)
      if (attempted.kind === 'account-waits') {
        waitingAccounts.set(due.accountId, attempted.until)
        return false
      }
      // The view may still show the post that was just handled.
      backoff.pause(due.id)
      // Another publisher has it: the account's later posts wait for its outcome.
      if (attempted.kind === 'left') return false
    } catch (error) {
      const postLog = await loggerForPost(ports, due.id)
      postLog.error({ err: error }, 'Could not complete an attempt to publish')
      backoff.failed(due.id)
    } finally {
      inFlight.delete(due.id)
    }
    return true
  }

  const accountWaits = (accountId: string, now: string): boolean => {
    const until = waitingAccounts.get(accountId)
    if (until === undefined) return false
    if ((plausibleEnd(until, now) ?? '') > now) return true
    waitingAccounts.delete(accountId)
    return false
  }

  /** Accounts with a post that another publisher is sending: their later posts wait. */
  const accountsOfOthers = async (): Promise<ReadonlySet<string>> => {
    const claimed = await views.duePosts.all({ where: { delivery: 'claimed' } })
    const ofOthers = claimed.filter(({ id }) => !inFlight.has(id) && !backoff.isActive(id))
    return new Set(others.underWay(ofOthers).map(({ accountId }) => accountId))
  }

  const publishDue = async (): Promise<void> => {
    if (!hasInherited) return
    const now = clock.now()
    const query = {
      where: { waiting: true, dueAt: { lt: later(now, 1) } },
      sort: { field: 'dueAt', order: 'asc' },
    } as const
    const busyElsewhere = await accountsOfOthers()
    const isFree = ({ id, accountId }: DuePostView) =>
      !busyElsewhere.has(accountId) && !backoff.isActive(id) && !accountWaits(accountId, now)
    const byAccount = await startable((limit) => views.duePosts.all(query, limit), isFree, config.lookAhead)
    for (const [accountId, waiting] of byAccount) {
      // By planned time: a rejected post is not overtaken by later ones.
      const inOrder = waiting.toSorted(
        (a, b) => compareTimes(a.scheduledFor, b.scheduledFor) || compareTimes(a.id, b.id),
      )
      const jobs = inOrder.slice(0, postsInARow).map(
        (due): Job =>
          () =>
            attempt(due),
      )
      void lanes.run(accountId, jobs).then(() => waiting.length > postsInARow && publishing?.wake())
    }
  }

  const settleOpen = async (): Promise<void> => {
    if (!hasInherited) {
      await settlement.inherit()
      hasInherited = true
    }
    await ahead.look()
    await settlement.sweep((postId) => inFlight.has(postId))
    for (const [accountId, jobs] of await settlement.due()) {
      void lanes.run(
        accountId,
        jobs.map((job) => async () => !isStopping && job()),
      )
    }
  }

  return {
    start() {
      const report = reportOutages(log, 'The publisher could not read the due posts')
      const onError = (error: unknown) => report('due-posts', error)
      settling = startLoop({ everyMs: config.settleMs, round: settleOpen, onError })
      publishing = startLoop({ everyMs: config.pollMs, round: publishDue, onError })
    },
    wake() {
      settling?.wake()
      publishing?.wake()
    },
    async stop() {
      isStopping = true
      const ended = Promise.all([settling?.stop(), publishing?.stop()]).then(() =>
        Promise.all([lanes.idle(), ahead.idle()]),
      )
      if (!(await settledWithin(ended, config.stopWithinMs)))
        log.warn('The publisher stopped while it was sending posts')
    },
  }
}
