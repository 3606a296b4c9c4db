/** Links that are sent by mail: one of each kind a user, for a time, to be used once. Of the token only a digest is kept. */
import { createHash, randomBytes } from 'node:crypto'
import type { Instant } from '../../../domain/core/event.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { Records, RecordTable } from '../../records/port.ts'
import { changesOf, type UserRecord } from './users.ts'

const hour = 3_600_000
/** What a link is for, and how long it works. */
export const lifeMs = { reset: hour, email: 24 * hour } as const
export type Purpose = keyof typeof lifeMs

interface LinkRecord {
  readonly id: string
  readonly userId: string
  /** As the user had it: a link is over with the password that was good when it was asked for. */
  readonly passwordChanges: number
  /** SHA-256 of the e-mail address that the user had then: a link that went to another one is over. */
  readonly askedBy: string
  /** SHA-256 of the token. */
  readonly digest: string
  /** The address that is to become the user's; null for a link that changes none. */
  readonly email: string | null
  readonly expiresAt: Instant
}

export interface FoundLink {
  readonly userId: string
  readonly email: string | null
  /**
   * Whether the user has the password and the address of when it was asked for. Whatever it is used for changes one of them,
   * and asks this in the same write: so it works once, and again where that write failed.
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

  /** Answers the token. It ends an earlier link of the same kind. */
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

  /** Null when there is none, it is over or for something else. */
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

  /** Forgets those that ran out. */
  async sweep(): Promise<void> {
    await this.records.removeBefore('expiresAt', this.clock.now())
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
const idOf = (purpose: Purpose, userId: string) => `${purpose}/${userId}`
