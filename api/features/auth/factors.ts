/** The second factors of users: one record each, so that every change of them is one compare-and-set. */
import type { Instant } from '../../../domain/core/event.ts'
import type { SignInMethods } from '../../contract/factors.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { EncryptedToken, TokenCipher } from '../../networks/token-cipher.ts'
import type { RecordDefinition, Records, RecordTable } from '../../records/port.ts'
import type { StoredPasskey } from './passkey-party.ts'
import type { Asker, Hashing } from './hashing.ts'
import { OidcLinks } from './oidc/links.ts'
import { digestOf, isRecoveryCode, newRecoveryCodes, type RecoveryCodes } from './recovery-codes.ts'
import { newSecret, stepOf } from './totp.ts'

interface Totp {
  readonly secret: EncryptedToken
  readonly addedAt: Instant
  /** The step of the last code that was accepted: neither it nor an earlier one is accepted again. */
  readonly lastStep: number
}

export interface FactorsRecord {
  /** The user's id. */
  readonly id: string
  /** The key that sealed the secret of `totp`, for the index. */
  readonly keyId?: string | null
  readonly totp?: Totp | null
  /** A secret whose first code has not been entered yet. */
  readonly totpSetUp?: { readonly secret: EncryptedToken; readonly expiresAt: Instant } | null
  readonly recovery?: RecoveryCodes | null
  readonly passkeys?: readonly StoredPasskey[]
  /** The challenge for a passkey that is being added. */
  readonly passkeySetUp?: { readonly challenge: string; readonly expiresAt: Instant } | null
}

/** The ways to complete a sign-in that needs a second factor. */
export type FactorMethod = SignInMethods['methods'][number]

export const factorsTable: RecordDefinition<FactorsRecord> = { table: 'factors', indexed: ['keyId'] }
const placeOf = (userId: string) => `factors/${userId}`
const setUpMs = 15 * 60_000

export class Factors {
  private constructor(
    private readonly records: RecordTable<FactorsRecord>,
    private readonly clock: Clock,
    private readonly cipher: TokenCipher,
    private readonly hashing: Hashing,
    private readonly links: OidcLinks,
  ) {}

  static async open(records: Records, clock: Clock, cipher: TokenCipher, hashing: Hashing): Promise<Factors> {
    const links = await OidcLinks.open(records, clock)
    return new Factors(await records.table(factorsTable), clock, cipher, hashing, links)
  }

  async get(userId: string): Promise<FactorsRecord> {
    return (await this.records.get(userId))?.record ?? { id: userId }
  }

  /** Empty: the password alone signs in. */
  async methodsOf(userId: string): Promise<FactorMethod[]> {
    return methodsIn(await this.get(userId))
  }

  async hasAny(userId: string): Promise<boolean> {
    return (await this.methodsOf(userId)).length > 0
  }

  /** Begins the set-up of an authenticator app, in place of one under way. Returns the secret; null with an app. */
  async beginTotp(userId: string): Promise<string | null> {
    const secret = newSecret()
    const sealed = this.cipher.encrypt(placeOf(userId), secret)
    const totpSetUp = { secret: sealed, expiresAt: later(this.clock.now(), setUpMs) }
    return (await this.change(userId, (record) => (record.totp ? null : { ...record, totpSetUp }))) && secret
  }

  /**
   * Completes the set-up by the app's first code. Returns the recovery codes, where the user had none.
   * @returns `wrong` for a wrong code; `over` when no set-up is under way
   */
  async confirmTotp(userId: string, code: string, asker: Asker): Promise<readonly string[] | 'wrong' | 'over'> {
    const known = await this.get(userId)
    const { totpSetUp } = known
    const now = this.clock.now()
    if (!totpSetUp || totpSetUp.expiresAt <= now || known.totp) return 'over'
    const secret = this.cipher.openOrNull(placeOf(userId), totpSetUp.secret)
    if (secret === null) return 'over'
    const step = stepOf(secret, plain(code), now)
    if (step === null) return 'wrong'
    const fresh = await this.firstCodes(known, asker)
    const changed = await this.change(userId, (record) =>
      record.totpSetUp?.secret.tag === totpSetUp.secret.tag
        ? {
            ...withFirstCodes(record, fresh),
            totpSetUp: null,
            totp: { secret: totpSetUp.secret, addedAt: now, lastStep: step },
            keyId: totpSetUp.secret.keyId,
          }
        : null,
    )
    return changed ? this.codesToShow(changed, fresh, asker) : 'over'
  }

  /** False when the user has none. */
  async removeTotp(userId: string): Promise<boolean> {
    const changed = await this.change(userId, (record) =>
      record.totp ? withoutUseless({ ...record, totp: null, totpSetUp: null, keyId: null }) : null,
    )
    return changed !== null
  }

  /** Replaces all recovery codes; null for a user without a factor that they could replace. */
  async renewRecoveryCodes(userId: string, asker: Asker): Promise<readonly string[] | null> {
    if ((await this.methodsOf(userId)).length === 0) return null
    const { stored, codes } = await newRecoveryCodes(this.hashing, asker)
    const changed = await this.change(userId, (record) =>
      methodsIn(record).length > 0 ? { ...record, recovery: stored } : null,
    )
    return changed && codes
  }

  /** Uses a code of the app or a recovery code, each of which works once. Null for any other text. */
  async use(userId: string, text: string, asker: Asker): Promise<'totp' | 'recovery' | null> {
    const known = await this.get(userId)
    const code = plain(text)
    if (isRecoveryCode(code)) return known.recovery ? this.#useRecoveryCode(userId, known.recovery, code, asker) : null
    if (!known.totp) return null
    const { secret } = known.totp
    const step = stepOf(this.cipher.decrypt(placeOf(userId), secret), code, this.clock.now())
    if (step === null) return null
    const isUsed = await this.change(userId, (record) =>
      record.totp?.secret.tag === secret.tag && record.totp.lastStep < step
        ? { ...record, totp: { ...record.totp, lastStep: step } }
        : null,
    )
    return isUsed && 'totp'
  }

  async #useRecoveryCode(
    userId: string,
    recovery: RecoveryCodes,
    code: string,
    asker: Asker,
  ): Promise<'recovery' | null> {
    const digest = await digestOf(this.hashing, asker, code, recovery)
    const isUsed = await this.change(userId, ({ recovery: now, ...record }) =>
      now?.digests.includes(digest)
        ? { ...record, recovery: { ...now, digests: now.digests.filter((each) => each !== digest) } }
        : null,
    )
    return isUsed && 'recovery'
  }

  /** Removes all factors, recovery codes and the link to single sign-on; false when the user had none. */
  async removeAll(userId: string): Promise<boolean> {
    const hadLink = await this.links.remove(userId)
    return (await this.records.remove(userId)) || hadLink
  }

  /** Seals the secrets of earlier keys with the current key; repeatable. Returns how many. @throws VaultError */
  async rotate(): Promise<number> {
    let rotated = 0
    for (const keyId of this.cipher.earlierIds) {
      for (
        let found = await this.records.find('keyId', keyId);
        found.length > 0;
        found = await this.records.find('keyId', keyId)
      ) {
        for (const { id } of found) {
          const isDone = await this.change(id, (record) => {
            if (!record.totp) return { ...record, keyId: null }
            const secret = this.cipher.encrypt(placeOf(id), this.cipher.decrypt(placeOf(id), record.totp.secret))
            return { ...record, totp: { ...record.totp, secret }, keyId: secret.keyId }
          })
          if (isDone) rotated += 1
        }
      }
    }
    return rotated
  }

  /** The codes of a user who adds the first factor; null where there are some. */
  async firstCodes(record: FactorsRecord, asker: Asker): Promise<FirstCodes | null> {
    return record.recovery ? null : newRecoveryCodes(this.hashing, asker)
  }

  /**
   * After a factor was added: none where another one, added at the same moment, came first with its own. Where the last
   * factor, and the codes with it, was removed meanwhile, there are new ones.
   */
  async codesToShow(added: FactorsRecord, fresh: FirstCodes | null, asker: Asker): Promise<readonly string[]> {
    if (!added.recovery) return (await this.renewRecoveryCodes(added.id, asker)) ?? []
    return added.recovery.salt === fresh?.stored.salt ? fresh.codes : []
  }

  /** Null when `change` returns null. */
  async change(userId: string, change: (record: FactorsRecord) => FactorsRecord | null): Promise<FactorsRecord | null> {
    for (;;) {
      const found = await this.records.get(userId)
      const changed = change(found?.record ?? { id: userId })
      if (!changed) return null
      const isWritten = found ? await this.records.replace(changed, found.version) : await this.records.insert(changed)
      if (isWritten) return changed
    }
  }
}

type FirstCodes = Awaited<ReturnType<typeof newRecoveryCodes>>

/** The set that was shown first stays valid. */
export const withFirstCodes = (record: FactorsRecord, fresh: FirstCodes | null): FactorsRecord =>
  fresh && !record.recovery ? { ...record, recovery: fresh.stored } : record

/** The same for the same factors and set of recovery codes, used or not; a text without secrets. */
export const factorsKey = ({ totp, passkeys = [], recovery }: FactorsRecord): string =>
  JSON.stringify([totp?.addedAt ?? null, passkeys.map(({ id }) => id), recovery?.salt ?? null])

/** Recovery codes alone are no factor: they only replace one. */
export function methodsIn({ totp, passkeys = [], recovery }: FactorsRecord): FactorMethod[] {
  const factors: FactorMethod[] = [
    ...(totp ? ['app' as const] : []),
    ...(passkeys.length > 0 ? ['passkey' as const] : []),
  ]
  return factors.length > 0 && recovery && recovery.digests.length > 0 ? [...factors, 'recovery'] : factors
}

/** Without a factor, recovery codes replace nothing. */
export const withoutUseless = (record: FactorsRecord): FactorsRecord =>
  methodsIn(record).length > 0 ? record : { ...record, recovery: null }

/** `123 456` -> `123456` */
const plain = (code: string) => code.replaceAll(/[\s-]/g, '').toLowerCase()
