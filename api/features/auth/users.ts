/** User records. They are never events: no email address, name or password is ever in an event. */
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Instant } from '../../../domain/core/event.ts'
import type { Clock } from '../../core/clock.ts'
import type { User } from '../../contract/index.ts'
import { Problem } from '../../http/problem.ts'
import { RecordConflict, type RecordDefinition, type Records, type RecordTable } from '../../records/port.ts'
import { Hashing, type Asker } from './hashing.ts'
import { formerMember, fullNameOf, nameOf } from './names.ts'

export interface UserRecord {
  readonly id: string
  /** In lower case. */
  readonly email: string
  readonly passwordHash: string
  /** Of an account that single sign-on opened: its hash is of random bytes. Absent once a password was set. */
  readonly withoutPassword?: true
  /**
   * How often the password was changed or the user signed out everywhere; absent for never. Each increment revokes all
   * earlier sessions, links and known browsers. A rehash does not increment it.
   */
  readonly passwordChanges?: number
  /** When its owner opened a link that was sent to the address. Absent: nothing proves that the address is theirs. */
  readonly emailConfirmedAt?: Instant | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly profileImageUrl: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface Registration {
  readonly email: string
  readonly password: string
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
}

type Named = Pick<UserRecord, 'email' | 'firstName' | 'lastName'>

export const usersTable: RecordDefinition<UserRecord> = { table: 'users', unique: ['email'] }

const itself: Asker = { source: 'this server', isKnown: true }

interface NewName {
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
}

export class Users {
  private constructor(
    private readonly records: RecordTable<UserRecord>,
    private readonly clock: Clock,
    private readonly hashing: Hashing,
    /** Verified in place of a missing hash, so that an unknown email costs the same work. */
    private readonly anonymous: string,
  ) {}

  static async open(records: Records, clock: Clock, hashing = new Hashing()): Promise<Users> {
    const table = await records.table(usersTable)
    return new Users(table, clock, hashing, await hashing.hash(itself, 'nobody has this password'))
  }

  /**
   * Returns the new user; null when the email already has an account. @throws Problem 503 when the hash queue is full,
   * as does everything here that checks or sets a password
   */
  async register({ email, password, firstName, lastName }: Registration, asker: Asker): Promise<UserRecord | null> {
    const passwordHash = await this.hashing.hash(asker, password)
    return this.#insert({ email, passwordHash, firstName: firstName ?? null, lastName: lastName ?? null })
  }

  /** Opens an account without a password, for an address that is known to be the person's. Null as in `register`. */
  async openConfirmed({ email, firstName, lastName }: Named, asker: Asker): Promise<UserRecord | null> {
    const passwordHash = await this.hashing.hash(asker, randomBytes(32).toString('base64'))
    const confirmed = { emailConfirmedAt: this.clock.now(), withoutPassword: true } as const
    return this.#insert({ email, passwordHash, firstName, lastName, ...confirmed })
  }

  async #insert(given: Omit<UserRecord, 'id' | 'profileImageUrl' | 'createdAt' | 'updatedAt'>) {
    const now = this.clock.now()
    const user: UserRecord = { id: uuidv7(), ...given, profileImageUrl: null, createdAt: now, updatedAt: now }
    return (await this.records.insert(user)) ? user : null
  }

  /** The user with this email and password; null if either is wrong, after the same work. */
  async verify(email: string, password: string, asker: Asker): Promise<UserRecord | null> {
    const [user] = await this.records.find('email', email, 1)
    return this.#verified(user, password, asker)
  }

  /** The user, if the password is correct. */
  async verifyOwn(id: string, password: string, asker: Asker): Promise<UserRecord | null> {
    return this.#verified((await this.get(id)) ?? undefined, password, asker)
  }

  hash(password: string, asker: Asker): Promise<string> {
    return this.hashing.hash(asker, password)
  }

  /**
   * Null when the password or another condition (`isGood`) has changed since `known` was read, or the user is gone.
   * Other changes made meanwhile are kept. A password set by a mailed link confirms the address.
   */
  async setPassword(
    known: UserRecord,
    passwordHash: string,
    isGood = samePassword(known),
    byMailedLink = false,
  ): Promise<UserRecord | null> {
    return this.#change(known.id, (user) => {
      if (!isGood(user)) return null
      const { withoutPassword: _, ...revoked } = this.#revoked(user)
      return { ...(byMailedLink ? this.#confirmed(revoked) : revoked), passwordHash }
    })
  }

  /** Confirms the address, which ends all sessions that began before. Null as in `setPassword`. */
  async confirmAddress(known: UserRecord, isGood = samePassword(known)): Promise<UserRecord | null> {
    return this.#change(known.id, (user) => (isGood(user) ? this.#confirmed(this.#revoked(user)) : null))
  }

  /** Revokes the user's sessions, links and known browsers. Null when the user is gone. */
  async endTrust(id: string): Promise<UserRecord | null> {
    return this.#change(id, (user) => this.#revoked(user))
  }

  #revoked(user: UserRecord): UserRecord {
    return { ...user, passwordChanges: changesOf(user) + 1, updatedAt: this.clock.now() }
  }

  #confirmed(user: UserRecord): UserRecord {
    return { ...user, emailConfirmedAt: user.emailConfirmedAt ?? this.clock.now() }
  }

  /**
   * Null as in `setPassword`; `taken` when another account has the address.
   * @param isConfirmedToo keeps a confirmed account confirmed; else the new address is still to be confirmed
   */
  async setEmail(
    known: UserRecord,
    email: string,
    isGood = samePassword(known),
    isConfirmedToo = false,
  ): Promise<UserRecord | 'taken' | null> {
    try {
      return await this.#change(known.id, (user) =>
        isGood(user)
          ? { ...user, email, ...(isConfirmedToo ? {} : { emailConfirmedAt: null }), updatedAt: this.clock.now() }
          : null,
      )
    } catch (error) {
      if (error instanceof RecordConflict) return 'taken'
      throw error
    }
  }

  /** An absent name is unchanged, an empty one removed. Null when the user is gone. */
  rename(id: string, { firstName, lastName }: NewName): Promise<UserRecord | null> {
    return this.#change(id, (user) => ({
      ...user,
      firstName: firstName === undefined ? user.firstName : firstName || null,
      lastName: lastName === undefined ? user.lastName : lastName || null,
      updatedAt: this.clock.now(),
    }))
  }

  /** Whether the password is unchanged since `known` was read. */
  async isStill(known: UserRecord): Promise<boolean> {
    const user = await this.get(known.id)
    return user !== null && samePassword(known)(user)
  }

  /** False when there was no such user. */
  remove(id: string): Promise<boolean> {
    return this.records.remove(id)
  }

  async get(id: string): Promise<UserRecord | null> {
    return (await this.records.get(id))?.record ?? null
  }

  async withEmail(email: string): Promise<UserRecord | null> {
    return (await this.records.find('email', email, 1))[0] ?? null
  }

  /** A user's name for the members of an agency. */
  async nameOf(id: string): Promise<string> {
    return nameOf(await this.get(id))
  }

  /** The same for people outside the agency, without any part of the email address. */
  async nameForOthers(id: string): Promise<string> {
    const user = await this.get(id)
    return user === null ? formerMember : fullNameOf(user) || 'A member of the agency'
  }

  async #verified(user: UserRecord | undefined, password: string, asker: Asker): Promise<UserRecord | null> {
    const matches = await this.hashing.verify(asker, user?.passwordHash ?? this.anonymous, password)
    if (!user || !matches) return null
    if (this.hashing.isOutdated(user.passwordHash)) await this.#hashAnew(user, password, asker)
    return user
  }

  /** Called at sign-in, the only time the plain password is available. */
  async #hashAnew(known: UserRecord, password: string, asker: Asker): Promise<void> {
    const passwordHash = await this.hashing.hash(asker, password).catch((error: unknown) => {
      // The queue is full: a later sign-in will rehash.
      if (error instanceof Problem) return null
      throw error
    })
    if (passwordHash === null) return
    await this.#change(known.id, (user) => (samePassword(known)(user) ? { ...user, passwordHash } : null))
  }

  /** @throws RecordConflict */
  async #change(id: string, change: (user: UserRecord) => UserRecord | null): Promise<UserRecord | null> {
    for (;;) {
      const found = await this.records.get(id)
      const changed = found && change(found.record)
      if (!found || !changed) return null
      if (await this.records.replace(changed, found.version)) return changed
    }
  }
}

export const changesOf = ({ passwordChanges = 0 }: { readonly passwordChanges?: number }): number => passwordChanges

const samePassword =
  (known: UserRecord) =>
  (user: UserRecord): boolean =>
    changesOf(user) === changesOf(known)

export const hasPassword = ({ withoutPassword }: Pick<UserRecord, 'withoutPassword'>): boolean =>
  withoutPassword !== true

export const isConfirmed = ({ emailConfirmedAt = null }: UserRecord): boolean => emailConfirmedAt !== null

export const userReplyOf = (user: UserRecord): User => {
  const { id, email, firstName, lastName, profileImageUrl, createdAt } = user
  return {
    id,
    email,
    emailConfirmed: isConfirmed(user),
    firstName,
    lastName,
    profileImageUrl,
    createdAt,
  }
}
