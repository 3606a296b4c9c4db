/**
 * Connections that can be used: with keys that last, renewed by one process at a time, and known to be lost when they are.
 * Some networks burn a refresh token with its first use and the whole family with its second, so nobody renews without the lock.
 */
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Platform } from '../../domain/core/values.ts'
import { later, type Clock } from '../clock.ts'
import type { By, Handler } from '../handle.ts'
import type { RecordTable, Records } from '../records/port.ts'
import { networkNames } from '../contract/network-names.ts'
import { ConnectionLost, NetworkError, type Connection, type Networks, type Tokens } from './port.ts'
import type { Kept, Vault } from './vault.ts'

/** Whose connection it is. */
export interface AccountOf {
  readonly accountId: string
  readonly clientId: string
  readonly agencyId: string
  readonly platform: Platform
}

export interface ConnectionPorts {
  readonly handler: Handler
  readonly networks: Networks
  readonly vault: Vault
  readonly records: Records
  readonly clock: Clock
}

interface Lock {
  readonly id: string
  readonly holder: string
  readonly until: string
}

const lockMs = 30_000
/** Longer than a renewal may take, so that whoever waits sees its end. */
const longestWaitMs = 15_000
const betweenLooksMs = 50

export class Connections {
  private constructor(
    private readonly ports: ConnectionPorts,
    private readonly locks: RecordTable<Lock>,
  ) {}

  static async open(ports: ConnectionPorts): Promise<Connections> {
    return new Connections(ports, await ports.records.table<Lock>({ table: 'renewal_locks' }))
  }

  /**
   * The account's connection with keys that last for `forMs` at least, where the network gives such.
   * Null when the account has none.
   * @throws ConnectionLost (and records it), NetworkError, VaultError
   */
  async usable(account: AccountOf, forMs: number): Promise<Connection | null> {
    const { vault, clock } = this.ports
    const giveUpAt = performance.now() + longestWaitMs
    for (;;) {
      const kept = await vault.kept(account.accountId)
      if (!kept) return null
      const { tokens } = kept.connection
      if (lasts(tokens, clock.now(), forMs)) return kept.connection
      if (tokens.refreshToken === null) return this.#untilTheEnd(account, kept)
      const renewed = await this.#renewAlone(account, forMs)
      if (renewed) return renewed
      if (performance.now() > giveUpAt) throw new NetworkError(`${networkNames[account.platform]} takes too long to renew the connection.`)
      await new Promise((resolve) => setTimeout(resolve, betweenLooksMs))
    }
  }

  /** Renews keys that the network refused although they should last; false when that is not possible. */
  async revive(account: AccountOf, refused: Connection): Promise<boolean> {
    if (refused.tokens.refreshToken === null) return false
    try {
      const kept = await this.ports.vault.get(account.accountId)
      // Somebody renewed or connected it meanwhile.
      if (kept && kept.tokens.accessToken !== refused.tokens.accessToken) return true
      return (await this.#renewAlone(account, Number.POSITIVE_INFINITY)) !== null
    } catch (error) {
      if (error instanceof NetworkError) return false
      throw error
    }
  }

  /** Remembers that the keys don't work any more; a newer connection of the account is left alone. */
  async lost(account: AccountOf, remoteId: string, cause: string): Promise<void> {
    const command = { type: 'RecordConnectionLost', accountId: account.accountId, remoteId, cause } as const
    await this.ports.handler.client(account.clientId, command, asKeeper(account))
  }

  async #untilTheEnd(account: AccountOf, { connection }: Kept): Promise<Connection> {
    const { expiresAt } = connection.tokens
    if (expiresAt !== null && expiresAt > this.ports.clock.now()) return connection
    const cause = `${networkNames[account.platform]} gave this connection for a limited time, and that is over. Connect the account again.`
    await this.lost(account, connection.remoteId, cause)
    throw new ConnectionLost(cause)
  }

  /** Null when another process holds the lock, or the keys changed meanwhile: then look again. */
  async #renewAlone(account: AccountOf, forMs: number): Promise<Connection | null> {
    const { vault, handler, clock } = this.ports
    const holder = randomBytes(8).toString('hex')
    if (!(await this.#lock(account.accountId, holder))) return null
    try {
      const kept = await vault.kept(account.accountId)
      if (!kept) return null
      const { remoteId, tokens } = kept.connection
      if (lasts(tokens, clock.now(), forMs)) return kept.connection
      const renewed = { remoteId, tokens: await this.#renew(account, kept.connection) }
      // Saved before anybody uses it: the old keys may be worthless by now.
      if (!(await vault.replace(account.accountId, renewed, kept))) return null
      const { endsAt } = renewed.tokens
      await handler.client(account.clientId, { type: 'RecordConnectionRenewed', accountId: account.accountId, endsAt }, asKeeper(account))
      return renewed
    } finally {
      await this.#unlock(account.accountId, holder)
    }
  }

  async #renew(account: AccountOf, { remoteId, tokens }: Connection): Promise<Tokens> {
    try {
      return await this.ports.networks[account.platform].renew(tokens)
    } catch (error) {
      if (error instanceof ConnectionLost) await this.lost(account, remoteId, error.message)
      throw error
    }
  }

  async #lock(id: string, holder: string): Promise<boolean> {
    const now = this.ports.clock.now()
    const lock = { id, holder, until: later(now, lockMs) }
    if (await this.locks.insert(lock)) return true
    const found = await this.locks.get(id)
    // Whoever held it has died.
    return found !== null && found.record.until < now && this.locks.replace(lock, found.version)
  }

  async #unlock(id: string, holder: string): Promise<void> {
    const found = await this.locks.get(id)
    if (found?.record.holder === holder) await this.locks.remove(id)
  }
}

/** An infinite wish is never met: the keys are renewed in any case. */
const lasts = ({ expiresAt }: Tokens, now: string, forMs: number): boolean =>
  Number.isFinite(forMs) && (expiresAt === null || expiresAt > later(now, forMs))

const asKeeper = ({ agencyId }: AccountOf): By => ({ actor: { type: 'process', id: 'keeper' }, agencyId, correlationId: uuidv7() })
