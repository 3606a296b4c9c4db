/** Sessions: the cookie is an encrypted random id, and each request reads the record of that id. */
import { createHash, randomBytes } from 'node:crypto'
import { sealData, unsealData } from 'iron-session'
import type { Instant } from '../../../domain/core/event.ts'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { SessionShown, SignInWay } from '../../contract/sessions.ts'
import { bounds } from '../../records/bounds.ts'
import type { Session } from '../../http/session.ts'
import type { Records, RecordTable, Versioned } from '../../records/port.ts'
import { surplusOf } from '../../records/surplus.ts'
import type { SessionRecord } from './session-record.ts'
import { changesOf, usersTable, type UserRecord } from './users.ts'

/** The first secret encrypts; the others are earlier ones and only decrypt cookies that are still valid. */
export type SessionSecrets = readonly [string, ...string[]]

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The maximum, however often the session is used. */
const lifetimeMs = 14 * dayMs
export const defaultIdleDays = 7
/** A smaller change of the end is not written, to keep writes rare. */
const refreshStepMs = hourMs
/**
 * After a failed write, no session's end is written for this long, so that requests that only read are not slowed down.
 */
const refreshBackoffMs = 60_000
const maxDecrypted = 10_000
/**
 * The cookie format of iron-session 8. Its own parser accepts any suffix after the version, so one cookie would have
 * many valid spellings.
 */
const cookiePattern = /^Fe26\.2\*[\w*-]+~2$/
const maxSealed = 500

export class Sessions {
  /** Secrets only change with a restart, so a decrypted id stays valid for the life of the process. */
  readonly #decrypted = new Map<string, string>()
  /** Called with the id of each session that is ended. */
  onEnded: (id: string) => void = () => undefined
  /** By a monotonic clock. */
  #refreshBackoffUntil = 0
  private constructor(
    private readonly records: RecordTable<SessionRecord>,
    private readonly users: RecordTable<UserRecord>,
    private readonly clock: Clock,
    private readonly secrets: SessionSecrets,
    private readonly idleMs: number,
  ) {}

  /** @param idleDays a session ends after this many days without use */
  static async open(
    records: Records,
    clock: Clock,
    secrets: SessionSecrets,
    idleDays = defaultIdleDays,
  ): Promise<Sessions> {
    const table = await records.table<SessionRecord>({ table: 'sessions', indexed: ['expire', 'userId'] })
    return new Sessions(table, await records.table<UserRecord>(usersTable), clock, secrets, idleDays * dayMs)
  }

  /**
   * Starts a session with a new id and ends the user's oldest sessions beyond the maximum. Returns it with the cookie's
   * value.
   */
  async start(
    { id: userId, passwordChanges = 0 }: Pick<UserRecord, 'id' | 'passwordChanges'>,
    browser?: string,
    way?: SignInWay,
    agencyId: string | null = null,
  ): Promise<{ readonly id: string; readonly cookie: string }> {
    const now = this.clock.now()
    const id = randomBytes(16).toString('hex')
    await this.records.insert({
      id,
      userId,
      sess: { userId, createdAt: now, ...(agencyId !== null && { agencyId }) },
      passwordChanges,
      expire: this.#endOf(now, now),
      ...(browser !== undefined && { browser }),
      ...(way !== undefined && { way }),
      usedAt: now,
    })
    await this.#endOldest(userId, id)
    return { id, cookie: await sealData(id, { password: this.secrets[0], ttl: lifetimeMs / 1000 }) }
  }

  /** The session of a cookie; null when it is forged, ended or expired. */
  async find(cookie: string): Promise<Session | null> {
    const id = await this.#decrypt(cookie)
    return id === null ? null : this.#open(id, true)
  }

  /** Whether the session is still valid, without counting as use. For connections that outlive a request. */
  async goesOn(id: string): Promise<boolean> {
    return (await this.#open(id, false)) !== null
  }

  /** Moves a session to another agency; null: to the one that it works in without a choice. */
  async choose(id: string, agencyId: string | null): Promise<void> {
    await this.#change(id, (record) => {
      const { agencyId: before, ...sess } = record.sess
      if ((before ?? null) === agencyId) return null
      return { ...record, sess: { ...sess, ...(agencyId !== null && { agencyId }) } }
    })
  }

  /** The user has just signed in at the provider of single sign-on once more. */
  async confirm(id: string): Promise<void> {
    await this.#change(id, (record) => ({ ...record, confirmedAt: this.clock.now() }))
  }

  async #change(id: string, change: (record: SessionRecord) => SessionRecord | null): Promise<void> {
    for (let found = await this.records.get(id); found; found = await this.records.get(id)) {
      const changed = change(found.record)
      if (!changed || (await this.records.replace(changed, found.version))) return
    }
  }

  /** The sessions of a user that name no agency name this one from now on. */
  async nameAgency(userId: string, agencyId: string): Promise<void> {
    for (const { id, sess } of await this.records.find('userId', userId, bounds.sessions.each.max))
      if (sess.agencyId === undefined) await this.choose(id, agencyId)
  }

  /** When the user last worked in an agency, to the hour; null when no session of then is left. */
  async lastUseOf(userId: string, agencyId: string): Promise<Instant | null> {
    const found = await this.records.find('userId', userId, bounds.sessions.each.max)
    const uses = found
      // Without a name, a session works in the user's own agency: see `Memberships`.
      .filter(({ sess }) => (sess.agencyId ?? agencyIdOf(userId)) === agencyId)
      .map((record) => this.#usedAt(record))
    return uses.toSorted().at(-1) ?? null
  }

  async end(id: string): Promise<void> {
    await this.records.remove(id)
    this.onEnded(id)
  }

  /** Ends all sessions of a user, but for one if given, and returns how many. */
  async endAllOf(userId: string, except?: string): Promise<number> {
    const others = async () => (await this.records.find('userId', userId)).filter(({ id }) => id !== except)
    let ended = 0
    for (let found = await others(); found.length > 0; found = await others()) {
      for (const { id } of found) await this.end(id)
      ended += found.length
    }
    return ended
  }

  /** The user's valid sessions, the last used first. */
  async listOf({ id: current, userId }: Session): Promise<SessionShown[]> {
    const now = this.clock.now()
    const user = await this.users.get(userId)
    return (await this.records.find('userId', userId))
      .filter((record) => record.expire > now && user && changesOf(user.record) === changesOf(record))
      .map((record) => ({
        id: shownIdOf(record.id),
        browser: record.browser ?? null,
        way: record.way ?? null,
        startedAt: record.sess.createdAt,
        usedAt: this.#usedAt(record),
        isThis: record.id === current,
      }))
      .toSorted((a, b) => Number(b.isThis) - Number(a.isThis) || (a.usedAt < b.usedAt ? 1 : -1))
  }

  /** Ends a listed session. Returns its id; null when the user has no such session. */
  async endShown(userId: string, shownId: string): Promise<string | null> {
    const found = (await this.records.find('userId', userId)).find(({ id }) => shownIdOf(id) === shownId)
    if (!found) return null
    await this.end(found.id)
    return found.id
  }

  /** Deletes expired sessions and returns how many. */
  sweep(): Promise<number> {
    return this.records.removeBefore('expire', this.clock.now())
  }

  async #open(id: string, isUse: boolean): Promise<Session | null> {
    const found = await this.records.get(id)
    if (!found || found.record.expire <= this.clock.now()) return null
    const { userId, agencyId = null } = found.record.sess
    const user = await this.users.get(userId)
    // Deleting the earlier sessions is a separate write, which may fail after the password change. So the count
    // decides.
    if (!user || changesOf(user.record) !== changesOf(found.record)) return null
    if (isUse) await this.#refresh(found)
    const { confirmedAt } = found.record
    return { id, userId, agencyId, ...(confirmedAt !== undefined && { confirmedAt }) }
  }

  #endOf(createdAt: Instant, usedAt: Instant): Instant {
    const [longest, idle] = [later(createdAt, lifetimeMs), later(usedAt, this.idleMs)]
    return idle < longest ? idle : longest
  }

  /** Older records have only the end, which lies `idleMs` after the last use, unless `lifetimeMs` came first. */
  #usedAt({ usedAt, expire, sess }: SessionRecord): Instant {
    if (usedAt !== undefined) return usedAt
    const before = later(expire, -this.idleMs)
    return before < sess.createdAt ? sess.createdAt : before
  }

  /** Writes the use, in coarse steps. Also corrects an end that lies too far ahead because the clock was set back. */
  async #refresh({ record, version }: Versioned<SessionRecord>): Promise<void> {
    const now = this.clock.now()
    const expire = this.#endOf(record.sess.createdAt, now)
    const isRecent = (a: Instant, b: Instant) => Math.abs(Date.parse(a) - Date.parse(b)) < refreshStepMs
    const isWritten = isRecent(expire, record.expire) && isRecent(now, this.#usedAt(record))
    if (isWritten || performance.now() < this.#refreshBackoffUntil) return
    // On a conflict, another request has just written it or ended the session: that write stands.
    await this.records.replace({ ...record, expire, usedAt: now }, version).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error
      this.#refreshBackoffUntil = performance.now() + refreshBackoffMs
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

  async #decrypt(cookie: string): Promise<string | null> {
    if (cookie.length > maxSealed || !cookiePattern.test(cookie)) return null
    const known = this.#decrypted.get(cookie)
    if (known !== undefined) return known
    // Tries the secrets one by one: iron-session numbers secrets in the cookie, and numbers would change on a rotation.
    for (const secret of this.secrets) {
      const id: unknown = await unsealData(cookie, { password: secret, ttl: lifetimeMs / 1000 }).catch(() => null)
      if (typeof id !== 'string' || !/^[0-9a-f]{32}$/.test(id)) continue
      if (this.#decrypted.size >= maxDecrypted) this.#decrypted.clear()
      this.#decrypted.set(cookie, id)
      return id
    }
    return null
  }
}

/** Names a session to its user: the id itself stays on the server. */
const shownIdOf = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 22)
