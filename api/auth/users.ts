/** Who may sign in. Records, never facts: no e-mail address, name or password is ever in an event. */
import argon2 from 'argon2'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../clock.ts'
import type { User } from '../contract/index.ts'
import type { Records, RecordTable } from '../records/port.ts'

export interface UserRecord {
  readonly id: string
  /** Lower case. */
  readonly email: string
  readonly passwordHash: string
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

/** OWASP's parameters for Argon2id. */
const hashing = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export class Users {
  private constructor(
    private readonly records: RecordTable<UserRecord>,
    private readonly clock: Clock,
    /** Verified in place of a hash that isn't there, so that an unknown e-mail costs the same work. */
    private readonly nobody: string,
  ) {}

  static async open(records: Records, clock: Clock): Promise<Users> {
    const table = await records.table<UserRecord>({ table: 'users', unique: ['email'] })
    return new Users(table, clock, await argon2.hash('nobody has this password', hashing))
  }

  /** The new user; null when the e-mail has an account already. */
  async register({ email, password, firstName, lastName }: Registration): Promise<UserRecord | null> {
    const now = this.clock.now()
    const user: UserRecord = {
      id: uuidv7(),
      email,
      passwordHash: await argon2.hash(password, hashing),
      firstName: firstName ?? null,
      lastName: lastName ?? null,
      profileImageUrl: null,
      createdAt: now,
      updatedAt: now,
    }
    return (await this.records.insert(user)) ? user : null
  }

  /** The user with this e-mail and password; null for a wrong one of either, after the same work. */
  async verify(email: string, password: string): Promise<UserRecord | null> {
    const [user] = await this.records.find('email', email, 1)
    const matches = await argon2.verify(user?.passwordHash ?? this.nobody, password)
    return user && matches ? user : null
  }

  /** False when there was none. */
  remove(id: string): Promise<boolean> {
    return this.records.remove(id)
  }

  async get(id: string): Promise<UserRecord | null> {
    return (await this.records.get(id))?.record ?? null
  }

  /** A name to show: first and last name, else the e-mail; for a user that is gone, `Former user`. */
  async nameOf(id: string): Promise<string> {
    const user = await this.get(id)
    if (!user) return 'Former user'
    return [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email
  }
}

export const userReplyOf = ({ id, email, firstName, lastName, profileImageUrl, createdAt }: UserRecord): User => ({
  id,
  email,
  firstName,
  lastName,
  profileImageUrl,
  createdAt,
})
