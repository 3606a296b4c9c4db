/**
 * The addresses of review links. A token is derived from the server's key, so that a repeated request answers with the
 * same one; stored is its digest alone.
 */
import { createHash } from 'node:crypto'
import type { Instant } from '../../../domain/core/event.ts'
import { maxLinkContacts, maxOpenReviewLinks } from '../../../domain/review-link/commands.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { TokenCipher } from '../../networks/token-cipher.ts'
import type { RecordDefinition, Records, RecordTable } from '../../records/port.ts'
import { removeAll } from '../../records/remove-all.ts'

export interface ReviewToken {
  /** SHA-256 of the token. */
  readonly id: string
  readonly linkId: string
  readonly agencyId: string
  readonly clientId: string
  /** Null: for everyone who has the address. */
  readonly contactId: string | null
  readonly expiresAt: Instant
}

/** Of an agency: of each open link one for each contact, and one for everyone. */
export const maxTokens = maxOpenReviewLinks * (maxLinkContacts + 1)
/** Of a client, where earlier versions have left more. */
const maxRead = 20 * maxTokens

/** After its end, a link still says which agency to ask for a new one. */
const keptAfterMs = 90 * 86_400_000

export const reviewTokensTable = {
  table: 'review_tokens',
  indexed: ['linkId', 'clientId', 'contactId', 'expiresAt'],
} as const satisfies RecordDefinition<ReviewToken>

/** The tokens of a contact, also of one who was removed. */
export const tokensOfContact = (table: RecordTable<ReviewToken>, contactId: string): Promise<readonly ReviewToken[]> =>
  table.find('contactId', contactId, 1_000)

export class ReviewTokens {
  private constructor(
    private readonly records: RecordTable<ReviewToken>,
    private readonly cipher: TokenCipher,
    private readonly clock: Clock,
  ) {}

  static async open(records: Records, cipher: TokenCipher, clock: Clock): Promise<ReviewTokens> {
    return new ReviewTokens(await records.table<ReviewToken>(reviewTokensTable), cipher, clock)
  }

  /**
   * Before the tokens of a link are put: removes as many of links that have ended as there are too many of the agency,
   * by their planned end.
   * @param ended which of these links, in this order, have ended; it may leave out some
   */
  async makeRoom(
    {
      linkId,
      clientIds,
      count,
    }: { readonly linkId: string; readonly clientIds: readonly string[]; readonly count: number },
    ended: (linkIds: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<void> {
    const found = await Promise.all(clientIds.map((id) => this.records.find('clientId', id, maxRead)))
    const others = found.flat().filter((token) => token.linkId !== linkId)
    const surplus = others.length + count - maxTokens
    if (surplus <= 0) return
    const byEnd = others.toSorted((a, b) => (`${a.expiresAt} ${a.id}` < `${b.expiresAt} ${b.id}` ? -1 : 1))
    const over = await ended([...new Set(byEnd.map((token) => token.linkId))])
    const first = byEnd.filter((token) => over.has(token.linkId)).slice(0, surplus)
    for (const { id } of first) await this.records.remove(id)
  }

  /** Returns the token: 256 bits that no one can guess without the server's key. */
  async put(of: Omit<ReviewToken, 'id'>): Promise<string> {
    const parts = ['first', 'second'].map((half) =>
      this.cipher.digest('review token', [half, of.linkId, of.contactId ?? ''].join('\0')),
    )
    const token = Buffer.from(parts.join(''), 'hex').toString('base64url')
    await this.records.put({ ...of, id: digestOf(token) })
    return token
  }

  /** One look-up for any text, so that each unknown token takes as long as another. */
  async find(token: string): Promise<ReviewToken | null> {
    return (await this.records.get(digestOf(token)))?.record ?? null
  }

  ofContact(contactId: string): Promise<readonly ReviewToken[]> {
    return tokensOfContact(this.records, contactId)
  }

  removeOf(clientId: string): Promise<void> {
    return removeAll(this.records, 'clientId', clientId)
  }

  async sweep(): Promise<void> {
    await this.records.removeBefore('expiresAt', later(this.clock.now(), -keptAfterMs))
  }
}

export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')
