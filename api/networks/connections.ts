/**
 * Usable connections: tokens are refreshed by one process at a time, and lost connections are recorded.
 * Some networks revoke a refresh token on its first use and its whole family on the second, so a refresh needs the
 * lock.
 */
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { SocialAccount } from '../../domain/client/state.ts'
import type { Platform } from '../../domain/core/values.ts'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { later, type Clock } from '../core/clock.ts'
import type { CommandContext } from '../core/command-handler.ts'
import type { Commands } from '../core/commands.ts'
import type { RecordTable, Records } from '../records/port.ts'
import { networkNames } from '../contract/network-names.ts'
import { ConnectionLost, NetworkError, type Connection, type Networks, type Tokens } from './port.ts'
import type { Kept, Vault } from './vault.ts'

/** The account of a connection. */
export interface AccountOf {
  readonly accountId: string
  readonly clientId: string
  readonly agencyId: string
  readonly platform: Platform
}

export interface ConnectionPorts {
  readonly commands: Commands
  readonly networks: Networks
  readonly vault: Vault
  readonly records: Records
  readonly clock: Clock
}

interface Lock {
  readonly id: string
  readonly holder: string
}

export interface ConnectionConfig {
  /** A lock unchanged for this long belongs to a process that died; longer than any refresh takes. */
  readonly lockMs: number
  /** Longer than `lockMs`, so that a waiting caller outlasts a dead process's lock. */
  readonly longestWaitMs: number
}

export const connectionDefaults: ConnectionConfig = { lockMs: 20_000, longestWaitMs: 25_000 }
const betweenLooksMs = 50
const betweenTriesMs = 200

export class Connections {
  /** By account: another process's lock, and when this process first saw it. */
  readonly #seen = new Map<string, { readonly version: number; readonly since: number }>()

  private constructor(
    private readonly ports: ConnectionPorts,
    private readonly locks: RecordTable<Lock>,
    private readonly config: ConnectionConfig,
  ) {}

  static async open(ports: ConnectionPorts, config: Partial<ConnectionConfig> = {}): Promise<Connections> {
    return new Connections(ports, await ports.records.table<Lock>({ table: 'renewal_locks' }), {
      ...connectionDefaults,
      ...config,
    })
  }

  /**
   * The account's connection with tokens valid for at least `forMs`, if the network issues such.
   * Null when the account has none.
   * @throws ConnectionLost (and records it), NetworkError, VaultError
   */
  async usable(account: AccountOf, forMs: number): Promise<Connection | null> {
    const known = await this.#mustBeOfThisServer(account)
    const connection = await this.#renewedUntil(
      account,
      ({ expiresAt }) => expiresAt === null || expiresAt > later(this.ports.clock.now(), forMs),
    )
    // The tokens were stored by a process that could not record their end any more.
    if (connection && known?.isConnected && known.remoteId === connection.remoteId)
      if (known.endsAt !== connection.tokens.endsAt) await this.#recordRenewed(account, connection)
    return connection
  }

  /**
   * Handles tokens that the network refused before their expiry. True when another attempt may succeed: the account has
   * new tokens, or the network is unavailable. False when the connection is lost, which is then recorded.
   */
  async revive(account: AccountOf, refused: Connection, cause: string): Promise<boolean> {
    const isOther = ({ accessToken }: Tokens) => accessToken !== refused.tokens.accessToken
    try {
      if (!isRenewable(refused.tokens, this.ports.clock.now())) return !(await this.lost(account, refused, cause))
      return (await this.#renewedUntil(account, isOther)) !== null
    } catch (error) {
      if (error instanceof ConnectionLost) return false
      if (error instanceof NetworkError) return true
      throw error
    }
  }

  /**
   * Records that these tokens don't work any more. False when the account has other tokens by now: then nothing is
   * lost.
   */
  async lost(account: AccountOf, { remoteId, tokens }: Connection, cause: string): Promise<boolean> {
    const { commands, vault } = this.ports
    const { accountId, clientId } = account
    for (;;) {
      const { head } = await commands.loadClient(clientId)
      const kept = await vault.get(accountId)
      if (kept?.tokens.accessToken !== tokens.accessToken) return false
      const command = { type: 'RecordConnectionLost', accountId, remoteId, cause } as const
      const done = await commands.client(clientId, command, { ...asTokenRefresher(account), ifRevision: head.revision })
      // A user may have connected it between the two reads.
      if (!('refused' in done) || done.refused.reason !== 'stale-revision') return true
    }
  }

  /**
   * Tokens are sent only to the network that issued them: one start with a missing setting must not lose the
   * connection.
   */
  async #mustBeOfThisServer({ accountId, clientId, platform }: AccountOf): Promise<SocialAccount | undefined> {
    const { commands, networks } = this.ports
    const account = (await commands.loadClient(clientId)).state.accounts[accountId]
    const network = account?.network ?? null
    if (network === null || network === networks[platform].mode) return account
    const name = networkNames[platform]
    throw new NetworkError(
      network === 'live'
        ? `This account is connected to ${name} itself, and this server is set up for the sandbox just now. Ask its operator.`
        : `This account is connected to the sandbox, and this server publishes to ${name} itself now. Connect the account again.`,
    )
  }

  /**
   * The connection once its tokens are good, after as many refreshes as needed; unchanged if they can't be refreshed.
   */
  async #renewedUntil(account: AccountOf, isGood: (tokens: Tokens) => boolean): Promise<Connection | null> {
    const { vault, clock } = this.ports
    const giveUpAt = performance.now() + this.config.longestWaitMs
    for (;;) {
      const kept = await vault.kept(account.accountId)
      if (!kept) return null
      if (isGood(kept.connection.tokens)) return kept.connection
      if (!isRenewable(kept.connection.tokens, clock.now())) return this.#untilTheEnd(account, kept)
      const renewed = await this.#renewAlone(account, isGood)
      if (renewed) return renewed
      if (performance.now() > giveUpAt)
        throw new NetworkError(`${networkNames[account.platform]} takes too long to renew the connection.`)
      await new Promise((resolve) => setTimeout(resolve, betweenLooksMs))
    }
  }

  async #untilTheEnd(account: AccountOf, { connection }: Kept): Promise<Connection> {
    const { expiresAt } = connection.tokens
    if (expiresAt !== null && expiresAt > this.ports.clock.now()) return connection
    const cause = `${networkNames[account.platform]} gave this connection for a limited time, and that is over. Connect the account again.`
    await this.lost(account, connection, cause)
    throw new ConnectionLost(cause)
  }

  /** Null when another process holds the lock, or the tokens changed meanwhile: the caller then reads them again. */
  async #renewAlone(account: AccountOf, isGood: (tokens: Tokens) => boolean): Promise<Connection | null> {
    const { vault } = this.ports
    const { accountId } = account
    const holder = randomBytes(8).toString('hex')
    const began = performance.now()
    if (!(await this.#lock(accountId, holder))) return null
    try {
      const kept = await vault.kept(accountId)
      if (!kept) return null
      if (isGood(kept.connection.tokens)) return kept.connection
      // Paused for so long that another process may take the lock before the network has answered.
      if (performance.now() - began > this.config.lockMs / 2) return null
      const renewed = await this.#renew(account, kept.connection)
      if (!renewed) return null
      // Stored before first use: the old tokens may be revoked by now.
      if (!(await this.#store(accountId, renewed, kept))) return null
      await this.#recordRenewed(account, renewed)
      return renewed
    } finally {
      await this.#unlock(accountId, holder)
    }
  }

  /**
   * Repeated while the records fail: the connection would be lost with its new tokens. False when others were stored
   * meanwhile, or these by a write without an answer.
   */
  async #store(accountId: string, renewed: Connection, kept: Kept): Promise<boolean> {
    for (let left = 3; ; left--) {
      try {
        return await this.ports.vault.replace(accountId, renewed, kept)
      } catch (error) {
        if (left === 0 || !(error instanceof StoreUnavailable)) throw error
        await new Promise((resolve) => setTimeout(resolve, betweenTriesMs))
      }
    }
  }

  async #recordRenewed(account: AccountOf, { tokens: { endsAt } }: Connection): Promise<void> {
    const { accountId, clientId } = account
    const command = { type: 'RecordConnectionRenewed', accountId, endsAt } as const
    await this.ports.commands.client(clientId, command, asTokenRefresher(account))
  }

  /**
   * Null when it was refused, but a user has reconnected the account meanwhile. @throws ConnectionLost, NetworkError
   */
  async #renew(account: AccountOf, connection: Connection): Promise<Connection | null> {
    const { remoteId, tokens } = connection
    try {
      return { remoteId, tokens: await this.ports.networks[account.platform].renew(tokens) }
    } catch (error) {
      if (error instanceof ConnectionLost && !(await this.lost(account, connection, error.message))) return null
      throw error
    }
  }

  async #lock(id: string, holder: string): Promise<boolean> {
    const lock = { id, holder }
    if (await this.locks.insert(lock)) return true
    const found = await this.locks.get(id)
    if (!found) return false
    const seen = this.#seen.get(id)
    const now = performance.now()
    if (seen?.version !== found.version) {
      this.#seen.set(id, { version: found.version, since: now })
      return false
    }
    // Uses elapsed time, not the clock: a clock that is set or differs would let two processes refresh at once.
    if (now - seen.since <= this.config.lockMs) return false
    this.#seen.delete(id)
    return this.locks.replace(lock, found.version)
  }

  async #unlock(id: string, holder: string): Promise<void> {
    const found = await this.locks.get(id)
    if (found?.record.holder === holder) await this.locks.remove(id, found.version)
  }
}

const isRenewable = ({ refreshToken, endsAt }: Tokens, now: string): boolean =>
  refreshToken !== null && (endsAt === null || endsAt > now)

const asTokenRefresher = ({ agencyId }: AccountOf): CommandContext => ({
  actor: { type: 'process', id: 'keeper' },
  agencyId,
  correlationId: uuidv7(),
})
