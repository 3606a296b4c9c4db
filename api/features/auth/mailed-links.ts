/**
 * Links sent by mail: one of each kind per user, valid once and for a limited time. Only a digest of the token is
 * stored.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Instant } from '../../../domain/core/event.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { Records, RecordTable } from '../../records/port.ts'
import { changesOf, type UserRecord } from './users.ts'

const hour = 3_600_000
/** The purposes of a link, and how long each is valid. */
export const lifeMs = { reset: hour, email: 24 * hour, address: 24 * hour } as const
export type Purpose = keyof typeof lifeMs

interface LinkRecord {
  readonly id: string
  readonly userId: string
  /** The user's count at the time of the request: a password change invalidates the link. */
  readonly passwordChanges: number
  /** SHA-256 of the user's email address at the time of the request: a change of address invalidates the link. */
  readonly askedBy: string
  /** SHA-256 of the token. */
  readonly digest: string
  /** The user's new address; null for a link that changes none. */
  readonly email: string | null
  readonly expiresAt: Instant
}

export interface FoundLink {
  readonly userId: string
  readonly email: string | null
  /**
   * Whether the user still has the password and address of the time of the request. Every use of a link changes one of
   * them and checks this in the same write: so a link works once, and again if that write failed.
   */
  readonly isStillOf: (user: UserRecord) => boolean
}

export class MailedLinks {
  private constructor(
    private readonly records: RecordTable<LinkRecord>,
    private readonly clock: Clock,
  ) {}

  static async open(records: Records, clock: Clock): Promise<MailedLinks> {
    return new MailedLinks(
      await records.table<LinkRecord>({ table: 'mailed_links', unique: ['digest'], indexed: ['expiresAt'] }),
      clock,
    )
  }

  /** Returns the token. Revokes an earlier link of the same kind. */
  async issue(purpose: Purpose, user: UserRecord, email: string | null = null): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    const asked = {
      id: idOf(purpose, user.id),
      userId: user.id,
      passwordChanges: changesOf(user),
      askedBy: digestOf(user.email),
    }
    await this.records.put({
      ...asked,
      digest: digestOf(token),
      email,
      expiresAt: later(this.clock.now(), lifeMs[purpose]),
    })
    return token
  }

  /** Null when the link is unknown, used, expired or of another purpose. */
  async find(purpose: Purpose, token: string): Promise<FoundLink | null> {
    const digest = digestOf(token)
    const [known] = await this.records.find('digest', digest, 1)
    if (known?.id !== idOf(purpose, known?.userId ?? '')) return null
    const found = await this.records.get(known.id)
    if (found?.record.digest !== digest || found.record.expiresAt <= this.clock.now()) return null
    const { record } = found
    return {
      userId: record.userId,
      email: record.email,
      isStillOf: (user) => changesOf(user) === record.passwordChanges && digestOf(user.email) === record.askedBy,
    }
  }

  async endAllOf(userId: string): Promise<void> {
    for (const purpose of Object.keys(lifeMs) as Purpose[]) await this.records.remove(idOf(purpose, userId))
  }

  /** Deletes expired links. */
  async sweep(): Promise<void> {
    await this.records.removeBefore('expiresAt', this.clock.now())
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
const idOf = (purpose: Purpose, userId: string) => `${purpose}/${userId}`
