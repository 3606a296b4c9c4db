/**
 * What an open invitation keeps outside of the log: its address, and digests of its two tokens. The mailed one proves
 * that the person reads the address's mail; the one that the inviter copied proves nothing.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Team } from '../../../domain/agency/team-state.ts'
import type { Instant } from '../../../domain/core/event.ts'
import type { Clock } from '../../core/clock.ts'
import type { Records, RecordTable } from '../../records/port.ts'

export interface InvitationRecord {
  /** The invitation's id in the agency's stream. */
  readonly id: string
  readonly agencyId: string
  readonly email: string
  /** The inviting user. */
  readonly invitedBy: string
  /** SHA-256 of the mailed token, and of the one to copy. */
  readonly mailed: string
  readonly copied: string
  readonly expiresAt: Instant
}

export interface FoundInvitation extends InvitationRecord {
  /** By the mailed token. */
  readonly isMailed: boolean
}

export interface InvitationTokens {
  readonly mailed: string
  readonly copied: string
}

export class Invitations {
  private constructor(
    private readonly records: RecordTable<InvitationRecord>,
    private readonly clock: Clock,
  ) {}

  static async open(records: Records, clock: Clock): Promise<Invitations> {
    const table = await records.table<InvitationRecord>({
      table: 'invitations',
      unique: ['mailed', 'copied'],
      indexed: ['expiresAt', 'email'],
    })
    return new Invitations(table, clock)
  }

  /** Returns the tokens: 256 random bits each, kept as digests alone. */
  async put(invitation: Omit<InvitationRecord, 'mailed' | 'copied'>): Promise<InvitationTokens> {
    const tokens = { mailed: newToken(), copied: newToken() }
    await this.records.put({ ...invitation, mailed: digestOf(tokens.mailed), copied: digestOf(tokens.copied) })
    return tokens
  }

  /** Null for an unknown token and for an invitation that has expired. Whether it is open, the agency says. */
  async find(token: string): Promise<FoundInvitation | null> {
    const digest = digestOf(token)
    for (const field of ['mailed', 'copied'] as const) {
      const [found] = await this.records.find(field, digest, 1)
      if (found && found.expiresAt > this.clock.now()) return { ...found, isMailed: field === 'mailed' }
    }
    return null
  }

  async get(id: string): Promise<InvitationRecord | null> {
    return (await this.records.get(id))?.record ?? null
  }

  /** Those of an agency's open invitations that are to the address. */
  async openOf(email: string, { invitations: open }: Pick<Team, 'invitations'>): Promise<readonly string[]> {
    const records = await Promise.all(Object.keys(open).map((id) => this.get(id)))
    return records.flatMap((record) => (record?.email === email ? [record.id] : []))
  }

  async remove(id: string): Promise<void> {
    await this.records.remove(id)
  }

  /** Deletes the invitations to an address, and returns how many. */
  async removeOf(email: string): Promise<number> {
    let removed = 0
    for (let found = await this.records.find('email', email); found.length > 0;) {
      for (const { id } of found) await this.records.remove(id)
      removed += found.length
      found = await this.records.find('email', email)
    }
    return removed
  }

  /** Deletes expired invitations. */
  async sweep(): Promise<void> {
    await this.records.removeBefore('expiresAt', this.clock.now())
  }
}

const newToken = () => randomBytes(32).toString('base64url')
const digestOf = (token: string) => createHash('sha256').update(token).digest('hex')
