/**
 * The token refresher: refreshes tokens before they expire, and notices tokens that were revoked between posts. Among
 * several workers, each sees to the accounts that it leads.
 */
import type { Logger } from 'pino'
import type { Platform } from '../../../domain/core/values.ts'
import type { SocialAccountView } from '../../../projections/social-accounts/view.ts'
import type { Views } from '../../../projections/registry.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { AccountOf, Connections } from '../../networks/connections.ts'
import { ConnectionLost, NetworkError, type Networks } from '../../networks/port.ts'
import { Lanes } from '../lanes.ts'
import { settledWithin, startLoop, type Loop } from '../../core/loop.ts'
import { partOfAccount, wholeWork, workParts, type WorkShares } from '../work-shares.ts'

export interface TokenRefresherConfig {
  /** Poll interval for connections that are due for a check. */
  readonly pollMs: number
  /** How often each connection is checked. */
  readonly checkEveryMs: number
  /** After a start or a handover, connections are checked within this time: shorter than a laptop is on in a day. */
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
const maxAccounts = 100_000

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
  readonly views: Pick<Views, 'socialAccounts'>
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
  const { views, networks, connections, clock, log } = ports
  const lanes = new Lanes(config.concurrency)
  /** By account: the time of its next check. */
  const nextAt = new Map<string, string>()
  let loop: Loop | null = null
  let isStopping = false
  /** The parts of the accounts that this process led in the last round. */
  let ledBefore: ReadonlySet<string> = new Set()

  const seeTo = async (account: AccountOf): Promise<boolean> => {
    const part = partOfAccount(account.accountId)
    if (isStopping || !shares.leads(part)) return false
    await shares.during(part, () => check(account))
    return true
  }

  const check = async (account: AccountOf): Promise<void> => {
    try {
      const connection = await connections.usable(account, config.renewAheadMs[account.platform])
      if (!connection) return
      try {
        await networks[account.platform].check(connection)
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error
        await connections.revive(account, connection, error.message)
      }
    } catch (error) {
      if (!(error instanceof ConnectionLost)) nextAt.set(account.accountId, later(clock.now(), config.againAfterMs))
      if (error instanceof NetworkError)
        log.info({ accountId: account.accountId, cause: error.message }, 'The network did not confirm a connection')
      else log.error({ accountId: account.accountId, err: error }, 'Could not check a connection')
    }
  }

  const round = async (): Promise<void> => {
    const now = clock.now()
    const connected = await views.socialAccounts.all({ where: { isConnected: true } }, maxAccounts)
    const led = new Set(workParts.filter((part) => shares.leads(part)))
    const own = connected.filter(({ id }) => led.has(partOfAccount(id)))
    for (const account of own) {
      const at = nextAt.get(account.id)
      // A connection made meanwhile has just proven to work; the others are checked soon after a start or a handover.
      const isNew = ledBefore.has(partOfAccount(account.id))
      const within = isNew ? config.checkEveryMs : config.firstChecksWithinMs
      if (at === undefined) nextAt.set(account.id, later(now, firstLook(account, within)))
      if (at === undefined || at > now) continue
      nextAt.set(account.id, later(now, config.checkEveryMs))
      const { id: accountId, clientId, agencyId, platform } = account
      void lanes.run(accountId, [() => seeTo({ accountId, clientId, agencyId, platform })])
    }
    ledBefore = led
    const ids = new Set(own.map(({ id }) => id))
    for (const id of nextAt.keys()) if (!ids.has(id)) nextAt.delete(id)
  }

  return {
    start() {
      const onError = (error: unknown) =>
        log.error({ err: error }, 'The token refresher could not read the connections')
      loop = startLoop({ everyMs: config.pollMs, round, onError })
    },
    wake: () => loop?.wake(),
    async stop() {
      isStopping = true
      const ended = Promise.resolve(loop?.stop()).then(() => lanes.idle())
      if (!(await settledWithin(ended, config.stopWithinMs)))
        log.warn('The token refresher stopped while it was checking connections')
    },
  }
}

/** Spreads the first checks over time, so that a restart doesn't check all connections at once. */
function firstLook({ id }: SocialAccountView, withinMs: number): number {
  const chance = Number.parseInt(id.slice(-6), 16) / 0xff_ffff
  return Number.isNaN(chance) ? 0 : Math.floor(chance * withinMs)
}
