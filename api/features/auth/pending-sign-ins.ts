/**
 * Sign-ins under way: after a password whose account has a second factor, or before a passkey. The browser has a random
 * token in a cookie of its own, the server its digest. The token opens the routes of the second step and nothing else.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Instant } from '../../../domain/core/event.ts'
import type { SignInWay } from '../../contract/sessions.ts'
import { later, type Clock } from '../../core/clock.ts'
import { bounds } from '../../records/bounds.ts'
import type { Records, RecordTable } from '../../records/port.ts'
import { removeSurplus } from '../../records/surplus.ts'
import { changesOf, type UserRecord } from './users.ts'

/** Also the longest life of the cookie. */
export const pendingSignInMs = 5 * 60_000

export interface PendingSignIn {
  /** SHA-256 of the token. */
  readonly id: string
  /** The account whose password was right; null before a passkey says which account it is. */
  readonly userId: string | null
  /** The user's count at the start: a password change ends the sign-in. */
  readonly passwordChanges: number
  readonly expiresAt: Instant
  /** What a passkey signs; null without a passkey, and once it was used. */
  readonly challenge?: string | null
  /** The first step, where it was no password. */
  readonly way?: SignInWay
}

export class PendingSignIns {
  private constructor(
    private readonly records: RecordTable<PendingSignIn>,
    private readonly clock: Clock,
  ) {}

  static async open(records: Records, clock: Clock): Promise<PendingSignIns> {
    const table = await records.table<PendingSignIn>({ table: 'sign_ins', indexed: ['expiresAt', 'userId'] })
    return new PendingSignIns(table, clock)
  }

  /** Returns the token. @param user null before a passkey says which account it is */
  async start(user: UserRecord | null, challenge: string | null = null, way?: SignInWay): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    const id = digestOf(token)
    const passwordChanges = user ? changesOf(user) : 0
    const expiresAt = later(this.clock.now(), pendingSignInMs)
    const record = { id, userId: user?.id ?? null, passwordChanges, expiresAt, challenge }
    await this.records.insert({ ...record, ...(way !== undefined && { way }) })
    if (!user) return token
    const begun = (each: PendingSignIn) => each.expiresAt
    await removeSurplus(this.records, {
      field: 'userId',
      owner: user.id,
      max: bounds.sign_ins.each.max,
      begun,
      except: id,
    })
    return token
  }

  /** Null when it is unknown, used or over. */
  async find(token: string | null): Promise<PendingSignIn | null> {
    const found = token === null ? null : await this.records.get(digestOf(token))
    return found && found.record.expiresAt > this.clock.now() ? found.record : null
  }

  /** Replaces an earlier challenge; false when the sign-in is over. */
  async challenge({ id }: PendingSignIn, challenge: string): Promise<boolean> {
    const found = await this.records.get(id)
    return found !== null && this.records.replace({ ...found.record, challenge }, found.version)
  }

  /** The challenge, which is returned once; null when there is none. */
  async takeChallenge({ id }: PendingSignIn): Promise<string | null> {
    const found = await this.records.get(id)
    if (!found?.record.challenge) return null
    return (await this.records.replace({ ...found.record, challenge: null }, found.version))
      ? found.record.challenge
      : null
  }

  /** False when it had ended before: only one request completes a sign-in. */
  end({ id }: PendingSignIn): Promise<boolean> {
    return this.records.remove(id)
  }

  async endAllOf(userId: string): Promise<void> {
    for (const { id } of await this.records.find('userId', userId)) await this.records.remove(id)
  }

  /** Deletes those that are over. */
  async sweep(): Promise<void> {
    await this.records.removeBefore('expiresAt', this.clock.now())
  }
}

const digestOf = (token: string) => createHash('sha256').update(token).digest('hex')
