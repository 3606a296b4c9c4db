/** Which person at the provider an account belongs to: one link each. */
import { createHash } from 'node:crypto'
import type { Instant } from '../../../../domain/core/event.ts'
import type { Clock } from '../../../core/clock.ts'
import { RecordConflict, type RecordDefinition, type Records, type RecordTable } from '../../../records/port.ts'
import type { Identity } from './provider.ts'

export interface OidcLink {
  /** The user's id. */
  readonly id: string
  /** SHA-256 of issuer and subject. */
  readonly identity: string
  readonly issuer: string
  /** The address that the provider told when the link was made, for its owner to recognize. */
  readonly email: string
  readonly addedAt: Instant
}

export const oidcLinksTable: RecordDefinition<OidcLink> = { table: 'oidc_links', unique: ['identity'] }

export class OidcLinks {
  private constructor(
    private readonly records: RecordTable<OidcLink>,
    private readonly clock: Clock,
  ) {}

  static async open(records: Records, clock: Clock): Promise<OidcLinks> {
    return new OidcLinks(await records.table(oidcLinksTable), clock)
  }

  async of(userId: string): Promise<OidcLink | null> {
    return (await this.records.get(userId))?.record ?? null
  }

  async with(identity: Identity): Promise<OidcLink | null> {
    return (await this.records.find('identity', digestOf(identity), 1))[0] ?? null
  }

  /** Replaces the user's link to another provider, which has no use. False when the identity has another account. */
  async add(userId: string, identity: Identity): Promise<boolean> {
    const { issuer, email } = identity
    try {
      await this.records.put({ id: userId, identity: digestOf(identity), issuer, email, addedAt: this.clock.now() })
      return true
    } catch (error) {
      if (error instanceof RecordConflict) return false
      throw error
    }
  }

  /** False when there was none. */
  remove(userId: string): Promise<boolean> {
    return this.records.remove(userId)
  }
}

const digestOf = ({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>) =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
