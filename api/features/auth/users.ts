/** Who may sign in. Records, never facts: no e-mail address, name or password is ever in an event. */
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../core/clock.ts'
import type { User } from '../../contract/index.ts'
import { Problem } from '../../http/problem.ts'
import { RecordConflict, type RecordDefinition, type Records, type RecordTable } from '../../records/port.ts'
import { Hashing, type Asker } from './hashing.ts'

export interface UserRecord {
  readonly id: string
  /** Lower case. */
  readonly email: string
  readonly passwordHash: string
  /** How often the password was changed, or everybody signed out; absent: never. What was given out before is over. A hash also changes without it, when it is made anew. */
  readonly passwordChanges?: number
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

export const usersTable: RecordDefinition<UserRecord> = { table: 'users', unique: ['email'] }

const itself: Asker = { source: 'this server', isKnown: true }

export class Users {
  private constructor(
    private readonly records: RecordTable<UserRecord>,
    private readonly clock: Clock,
    private readonly hashing: Hashing,
    /** Verified in place of a hash that isn't there, so that an unknown e-mail costs the same work. */
    private readonly nobody: string,
  ) {}

  static async open(records: Records, clock: Clock, hashing = new Hashing()): Promise<Users> {
    const table = await records.table(usersTable)
    return new Users(table, clock, hashing, await hashing.hash(itself, 'nobody has this password'))
  }

  /** The new user; null when the e-mail has an account already. @throws Problem 503 when too many wait for a hash, as whatever checks or sets a password does */
  async register({ email, password, firstName, lastName }: Registration, asker: Asker): Promise<UserRecord | null> {
    const now = this.clock.now()
    const user: UserRecord = {
      id: uuidv7(),
      email,
      passwordHash: await this.hashing.hash(asker, password),
      firstName: firstName ?? null,
      lastName: lastName ?? null,
      profileImageUrl: null,
      createdAt: now,
      updatedAt: now,
    }
    return (await this.records.insert(user)) ? user : null
  }

  /** The user with this e-mail and password; null for a wrong one of either, after the same work. */
  async verify(email: string, password: string, asker: Asker): Promise<UserRecord | null> {
    const [user] = await this.records.find('email', email, 1)
    return this.#verified(user, password, asker)
  }

  /** The user, if this is the password. */
  async verifyOwn(id: string, password: string, asker: Asker): Promise<UserRecord | null> {
    return this.#verified((await this.get(id)) ?? undefined, password, asker)
  }

  hash(password: string, asker: Asker): Promise<string> {
    return this.hashing.hash(asker, password)
  }

  /**
   * Null when the password has changed since `known` was read, or whatever else it depends on (`isGood`), or the user is gone.
   * Whatever else changed meanwhile stays.
   */
  async setPassword(known: UserRecord, passwordHash: string, isGood = samePassword(known)): Promise<UserRecord | null> {
    return this.#change(known.id, (user) =>
      isGood(user)
        ? { ...user, passwordHash, passwordChanges: changesOf(user) + 1, updatedAt: this.clock.now() }
        : null,
    )
  }

  /** Ends what the password had given out: links, and that browsers are known. Null when the user is gone. */
  async endTrust(id: string): Promise<UserRecord | null> {
    return this.#change(id, (user) => ({ ...user, passwordChanges: changesOf(user) + 1, updatedAt: this.clock.now() }))
  }

  /** Null as with `setPassword`; `taken` when another account has the address. */
  async setEmail(known: UserRecord, email: string, isGood = samePassword(known)): Promise<UserRecord | 'taken' | null> {
    try {
      return await this.#change(known.id, (user) =>
        isGood(user) ? { ...user, email, updatedAt: this.clock.now() } : null,
      )
    } catch (error) {
      if (error instanceof RecordConflict) return 'taken'
      throw error
    }
  }

  /** Whether the password is still the one that it was. */
  async isStill(known: UserRecord): Promise<boolean> {
    const user = await this.get(known.id)
    return user !== null && samePassword(known)(user)
  }

  /** False when there was none. */
  remove(id: string): Promise<boolean> {
    return this.records.remove(id)
  }

  async get(id: string): Promise<UserRecord | null> {
    return (await this.records.get(id))?.record ?? null
  }

  async withEmail(email: string): Promise<UserRecord | null> {
    return (await this.records.find('email', email, 1))[0] ?? null
  }

  /** A name to show: first and last name, else the e-mail; for a user that is gone, `Former user`. */
  async nameOf(id: string): Promise<string> {
    return this.#shown(id, ({ email }) => email)
  }

  /** The same for people from outside, who are told no e-mail address. */
  async nameForOthers(id: string): Promise<string> {
    return this.#shown(id, () => 'A member of the agency')
  }

  async #shown(id: string, unnamed: (user: UserRecord) => string): Promise<string> {
    const user = await this.get(id)
    if (!user) return 'Former user'
    return [user.firstName, user.lastName].filter(Boolean).join(' ') || unnamed(user)
  }

  async #verified(user: UserRecord | undefined, password: string, asker: Asker): Promise<UserRecord | null> {
    const matches = await this.hashing.verify(asker, user?.passwordHash ?? this.nobody, password)
    if (!user || !matches) return null
    if (this.hashing.isOutdated(user.passwordHash)) await this.#hashAnew(user, password, asker)
    return user
  }

  /** The only time that the password is at hand. */
  async #hashAnew(known: UserRecord, password: string, asker: Asker): Promise<void> {
    const passwordHash = await this.hashing.hash(asker, password).catch((error: unknown) => {
      // No room at this moment: there will be other sign-ins.
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

export const userReplyOf = ({ id, email, firstName, lastName, profileImageUrl, createdAt }: UserRecord): User => ({
  id,
  email,
  firstName,
  lastName,
  profileImageUrl,
  createdAt,
})
