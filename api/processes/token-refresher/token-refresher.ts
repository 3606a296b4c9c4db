/**
 * The token refresher: refreshes tokens before they expire, and notices tokens that were revoked between posts. Among
 * several workers, each sees to the accounts that it leads. A round reads the connections that are due.
 */
import type { Logger } from 'pino'
import type { Platform } from '../../../domain/core/values.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import type { AccountOf, Connections } from '../../networks/connections.ts'
import { ConnectionLost, NetworkError, type Networks } from '../../networks/port.ts'
import type { Records } from '../../records/port.ts'
import { Lanes } from '../lanes.ts'
import { settledWithin, startLoop, type Loop } from '../../core/loop.ts'
import { accountParts, partOfAccount, wholeWork, type WorkShares } from '../work-shares.ts'
import { CheckSchedule, type BegunCheck } from './check-schedule.ts'

export interface TokenRefresherConfig {
  /** Poll interval for connections that are due for a check. */
  readonly pollMs: number
  /** How often each connection is checked. */
  readonly checkEveryMs: number
  /** Connections made before the first start are checked within this time. */
  readonly firstChecksWithinMs: number
  /** Retry interval after a network could not be reached. */
  readonly againAfterMs: number
  /** How long before expiry tokens are refreshed. Tokens that last only hours are refreshed on use. */
  readonly renewAheadMs: Readonly<Record<Platform, number>>
  readonly concurrency: number
  /** How long `stop` waits for checks in flight. */
  readonly stopWithinMs: number
}

const minute = 60_000
const day = 24 * 60 * minute
/** Due connections that are read ahead of their checks. */
const maxQueued = 100
const followAgainMs = 1_000

export const tokenRefresherDefaults: TokenRefresherConfig = {
  pollMs: minute,
  checkEveryMs: day / 2,
  firstChecksWithinMs: 15 * minute,
  againAfterMs: 60 * minute,
  // Instagram: well before the expiry warning, so that a user is warned only if refreshing fails.
  renewAheadMs: { facebook: 0, instagram: 20 * day, twitter: 0, linkedin: 10 * day },
  concurrency: 2,
  stopWithinMs: 10_000,
}

export interface TokenRefresherPorts {
  readonly commands: Pick<Commands, 'loadClient'>
  readonly events: Pick<EventStore, 'subscribe' | 'end'>
  readonly records: Records
  readonly networks: Networks
  readonly connections: Connections
  readonly clock: Clock
  readonly log: Logger
  readonly shares?: WorkShares
  readonly config?: Partial<TokenRefresherConfig>
}

export interface TokenRefresher {
  start(): void
  wake(): void
  /** Starts nothing new and waits for checks in flight, up to `stopWithinMs`. */
  stop(): Promise<void>
}

export function createTokenRefresher({
  config: given,
  shares = wholeWork,
  ...ports
}: TokenRefresherPorts): TokenRefresher {
  const config = { ...tokenRefresherDefaults, ...given }
  const { commands, events, records, networks, connections, clock, log } = ports
  const lanes = new Lanes(config.concurrency)
  /** Due accounts that wait for their check, or are being checked. */
  const queued = new Set<string>()
  /** The last round left due connections unread. */
  let isMoreDue = false
  /** Where the next round begins, so that no part's connections wait behind those of another for ever. */
  let firstPart = 0
  let loop: Loop | null = null
  let following: Loop | null = null
  let isStopping = false

  /** When the connection is checked next; null: it has none any more. */
  const check = async (account: AccountOf): Promise<number | null> => {
    const { accountId, clientId, platform } = account
    try {
      if (!(await commands.loadClient(clientId)).state.accounts[accountId]?.isConnected) return null
      const connection = await connections.usable(account, config.renewAheadMs[platform])
      if (!connection) return config.checkEveryMs
      try {
        await networks[platform].check(connection)
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error
        await connections.revive(account, connection, error.message)
      }
      return config.checkEveryMs
    } catch (error) {
      if (error instanceof NetworkError)
        log.info({ accountId, cause: error.message }, 'The network did not confirm a connection')
      else log.error({ accountId, err: error }, 'Could not check a connection')
      return error instanceof ConnectionLost ? config.checkEveryMs : config.againAfterMs
    }
  }

  const checkAndPlan = async ({ account, end }: BegunCheck): Promise<void> => {
    const inMs = await check(account)
    await end(inMs === null ? null : later(clock.now(), inMs))
  }

  /** Returns false when the account is still due. */
  const seeTo = async (schedule: CheckSchedule, accountId: string): Promise<boolean> => {
    const part = partOfAccount(accountId)
    if (isStopping || !shares.leads(part)) return false
    try {
      const begun = await schedule.begin(accountId)
      if (begun) await shares.during(part, () => checkAndPlan(begun))
    } catch (error) {
      // It stays due: the next round repeats the check.
      log.error({ accountId, err: error }, 'Could not plan the next check of a connection')
      return false
    }
    return true
  }

  const enqueue = (schedule: CheckSchedule, accountId: string): void => {
    queued.add(accountId)
    let isSeenTo = false
    const job = async () => (isSeenTo = await seeTo(schedule, accountId))
    void lanes.run(accountId, [job]).finally(() => {
      queued.delete(accountId)
      // While the records fail, the same checks would be repeated without a pause.
      if (!isSeenTo || !isMoreDue || isStopping || queued.size > maxQueued / 2) return
      isMoreDue = false
      loop?.wake()
    })
  }

  const round = async (schedule: CheckSchedule): Promise<void> => {
    isMoreDue = false
    for (let count = 0; count < accountParts.length; count++) {
      const at = (firstPart + count) % accountParts.length
      const part = accountParts[at]
      if (part === undefined || !shares.leads(part)) continue
      const due = await schedule.due(part, maxQueued)
      for (const accountId of due) {
        if (queued.has(accountId)) continue
        if (queued.size < maxQueued) enqueue(schedule, accountId)
        else isMoreDue = true
      }
      isMoreDue ||= due.length === maxQueued
      if (queued.size < maxQueued) continue
      isMoreDue = true
      firstPart = at
      return
    }
  }

  const firstCheck = (accountId: string, isNew: boolean): string =>
    // A connection made meanwhile has just proven to work.
    later(clock.now(), spread(accountId, isNew ? config.checkEveryMs : config.firstChecksWithinMs))

  return {
    start() {
      let opened: CheckSchedule | null = null
      const longestMs = Math.max(config.checkEveryMs, config.firstChecksWithinMs, config.againAfterMs)
      const schedule = async () => (opened ??= await CheckSchedule.open(records, clock, longestMs))
      const onError = (error: unknown) =>
        log.error({ err: error }, 'The token refresher could not read the connections')
      following = startLoop({
        everyMs: followAgainMs,
        round: async (signal) => (await schedule()).follow(events, signal, firstCheck),
        onError,
      })
      loop = startLoop({ everyMs: config.pollMs, round: async () => round(await schedule()), onError })
    },
    wake: () => loop?.wake(),
    async stop() {
      isStopping = true
      const ended = Promise.all([loop?.stop(), following?.stop()]).then(() => lanes.idle())
      if (!(await settledWithin(ended, config.stopWithinMs)))
        log.warn('The token refresher stopped while it was checking connections')
    },
  }
}

/** Spreads the first checks over time, so that connections made together are not checked together. */
function spread(accountId: string, withinMs: number): number {
  const chance = Number.parseInt(accountId.slice(-6), 16) / 0xff_ffff
  return Number.isNaN(chance) ? 0 : Math.floor(chance * withinMs)
}
