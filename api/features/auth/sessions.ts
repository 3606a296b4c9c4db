/** Sessions: the cookie seals a random id, the record behind it is read on each request. */
import { randomBytes } from 'node:crypto'
import { sealData, unsealData } from 'iron-session'
import type { Instant } from '../../../domain/core/event.ts'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { later, type Clock } from '../../core/clock.ts'
import { bounds } from '../../records/bounds.ts'
import type { Session } from '../../http/session.ts'
import type { Records, RecordTable, Versioned } from '../../records/port.ts'
import { surplusOf } from '../../records/surplus.ts'
import { changesOf, usersTable, type UserRecord } from './users.ts'

export interface SessionRecord {
  /** The session id, 128 bits. */
  readonly id: string
  /** As in `sess`: what sessions are found by. */
  readonly userId: string
  readonly sess: { readonly userId: string; readonly createdAt: string }
  /** As the user had it when it began: a session is over with the password. */
  readonly passwordChanges?: number
  /** When it ends unless it is used before: the idle time after its last use, and at most `lifetimeMs` after its beginning. */
  readonly expire: string
}

/** The one that seals; then those that did before, whose cookies are still good. */
export type SessionSecrets = readonly [string, ...string[]]

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** However much it is used. */
const lifetimeMs = 14 * dayMs
export const defaultIdleDays = 7
/** An end that would move by less is not written, so that few requests write. */
const refreshStepMs = hourMs
/** After a store refused it, no session's end is written for so long: requests that only read go on. */
const refreshRestMs = 60_000
const unsealedInMemory = 10_000
/** As iron-session 8 seals an id. It takes anything behind the version's number, so that one cookie could be written in many ways. */
const sealed = /^Fe26\.2\*[\w*-]+~2$/
const maxSealed = 500

export class Sessions {
  /** Secrets change with the process, so what was unsealed once stays good as long as this is there. */
  readonly #unsealed = new Map<string, string>()
  /** Hears the id of each session that somebody ends. */
  onEnded: (id: string) => void = () => undefined
  /** By a monotonic clock. */
  #refreshRestsUntil = 0
  private constructor(
    private readonly records: RecordTable<SessionRecord>,
    private readonly users: RecordTable<UserRecord>,
    private readonly clock: Clock,
    private readonly secrets: SessionSecrets,
    private readonly idleMs: number,
  ) {}

  /** @param idleDays a session that was not used for so long is over */
  static async open(
    records: Records,
    clock: Clock,
    secrets: SessionSecrets,
    idleDays = defaultIdleDays,
  ): Promise<Sessions> {
    const table = await records.table<SessionRecord>({ table: 'sessions', indexed: ['expire', 'userId'] })
    return new Sessions(table, await records.table<UserRecord>(usersTable), clock, secrets, idleDays * dayMs)
  }

  /** Starts a session with a new id, and ends the user's oldest beyond the maximum; answers it, and the cookie's value. */
  async start({
    id: userId,
    passwordChanges = 0,
  }: Pick<UserRecord, 'id' | 'passwordChanges'>): Promise<{ readonly id: string; readonly cookie: string }> {
    const now = this.clock.now()
    const id = randomBytes(16).toString('hex')
    await this.records.insert({
      id,
      userId,
      sess: { userId, createdAt: now },
      passwordChanges,
      expire: this.#endOf(now, now),
    })
    await this.#endOldest(userId, id)
    return { id, cookie: await sealData(id, { password: this.secrets[0], ttl: lifetimeMs / 1000 }) }
  }

  /** The session behind a cookie; null when it is forged, ended or expired. */
  async find(cookie: string): Promise<Session | null> {
    const id = await this.#unseal(cookie)
    return id === null ? null : this.#open(id, true)
  }

  /** Whether it goes on: for what stays open longer than a request, which is no use of it. */
  async goesOn(id: string): Promise<boolean> {
    return (await this.#open(id, false)) !== null
  }

  async end(id: string): Promise<void> {
    await this.records.remove(id)
    this.onEnded(id)
  }

  /** Ends all of somebody's, wherever they are signed in. Answers how many. */
  async endAllOf(userId: string): Promise<number> {
    let ended = 0
    for (
      let found = await this.records.find('userId', userId);
      found.length > 0;
      found = await this.records.find('userId', userId)
    ) {
      for (const { id } of found) await this.end(id)
      ended += found.length
    }
    return ended
  }

  /** Forgets sessions that ran out. Answers how many. */
  sweep(): Promise<number> {
    return this.records.removeBefore('expire', this.clock.now())
  }

  async #open(id: string, isUse: boolean): Promise<Session | null> {
    const found = await this.records.get(id)
    if (!found || found.record.expire <= this.clock.now()) return null
    const { userId } = found.record.sess
    const user = await this.users.get(userId)
    // Ending those of before is a write of its own, and may not come about after the one that changed the password.
    if (!user || changesOf(user.record) !== changesOf(found.record)) return null
    if (isUse) await this.#refresh(found)
    return { id, userId }
  }

  #endOf(createdAt: Instant, usedAt: Instant): Instant {
    const [longest, idle] = [later(createdAt, lifetimeMs), later(usedAt, this.idleMs)]
    return idle < longest ? idle : longest
  }

  /** Writes that it was used, in coarse steps. An end that lies too far ahead, by a clock that was set back, is mended by it too. */
  async #refresh({ record, version }: Versioned<SessionRecord>): Promise<void> {
    const expire = this.#endOf(record.sess.createdAt, this.clock.now())
    if (
      Math.abs(Date.parse(expire) - Date.parse(record.expire)) < refreshStepMs ||
      performance.now() < this.#refreshRestsUntil
    )
      return
    // Where another request has just written it, or ended the session, that holds.
    await this.records.replace({ ...record, expire }, version).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error
      this.#refreshRestsUntil = performance.now() + refreshRestMs
    })
  }

  async #endOldest(userId: string, begun: string): Promise<void> {
    const owned = {
      field: 'userId',
      owner: userId,
      max: bounds.sessions.each.max,
      begun: ({ sess }: SessionRecord) => sess.createdAt,
      except: begun,
    } as const
    for (
      let oldest = await surplusOf(this.records, owned);
      oldest.length > 0;
      oldest = await surplusOf(this.records, owned)
    ) {
      for (const { id } of oldest) await this.end(id)
    }
  }

  async #unseal(cookie: string): Promise<string | null> {
    if (cookie.length > maxSealed || !sealed.test(cookie)) return null
    const known = this.#unsealed.get(cookie)
    if (known !== undefined) return known
    // One by one: a cookie names its secret by a number, which would have to stay the same whenever secrets come and go.
    for (const secret of this.secrets) {
      const id: unknown = await unsealData(cookie, { password: secret, ttl: lifetimeMs / 1000 }).catch(() => null)
      if (typeof id !== 'string' || !/^[0-9a-f]{32}$/.test(id)) continue
      if (this.#unsealed.size >= unsealedInMemory) this.#unsealed.clear()
      this.#unsealed.set(cookie, id)
      return id
    }
    return null
  }
}
