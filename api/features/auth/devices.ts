/**
 * Browsers in which somebody signed in to an account before, by a signed cookie ("device cookies", OWASP).
 * Whoever has one isn't held up by what strangers do to the account, from wherever: so no attack locks an owner out.
 * A cookie and not the address, because people share addresses with others, and change them. It opens nothing by itself,
 * and is over with the password that was good when it was given, or when the account is signed out everywhere.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { decoded } from '../../core/base64.ts'
import type { SessionSecrets } from './sessions.ts'
import { changesOf, type UserRecord } from './users.ts'

type Account = Pick<UserRecord, 'id' | 'passwordChanges'>

/** People of one browser who sign in by turns. */
const maxDevices = 4
const nonceBytes = 16
const macBytes = 16
/** Characters of base64url. */
const entryLength = Math.ceil(((nonceBytes + macBytes) * 4) / 3)

/** Compared in place of an account that isn't there, so that an unknown e-mail costs the same work. */
const nobody: Account = { id: 'nobody' }

export class Devices {
  readonly #keys: readonly [Buffer, ...Buffer[]]

  constructor([current, ...old]: SessionSecrets) {
    this.#keys = [keyOf(current), ...old.map(keyOf)]
  }

  /** Whether somebody signed in to the account here since its password is what it is. @param cookie what the browser sent */
  isKnown(cookie: string | null, account: Account | null): boolean {
    const isOne = entriesOf(cookie).some((bytes) => this.#isOf(bytes, account ?? nobody))
    return isOne && account !== null
  }

  /** The cookie after somebody signed in: those of others who use this browser stay. */
  remember(cookie: string | null, account: Account): string {
    const before = { id: account.id, passwordChanges: changesOf(account) - 1 }
    const others = entriesOf(cookie).filter((bytes) => !this.#isOf(bytes, account) && !this.#isOf(bytes, before))
    const nonce = randomBytes(nonceBytes)
    const mine = Buffer.concat([nonce, mac(this.#keys[0], nonce, account)])
    return [mine, ...others]
      .slice(0, maxDevices)
      .map((bytes) => bytes.toString('base64url'))
      .join('.')
  }

  #isOf(bytes: Buffer, account: Account): boolean {
    const nonce = bytes.subarray(0, nonceBytes)
    return this.#keys.some((key) => timingSafeEqual(mac(key, nonce, account), bytes.subarray(nonceBytes)))
  }
}

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'device cookies', 32))

const mac = (key: Buffer, nonce: Buffer, account: Account) =>
  createHmac('sha256', key)
    .update(nonce)
    .update(`${account.id} ${changesOf(account)}`)
    .digest()
    .subarray(0, macBytes)

const entriesOf = (cookie: string | null): Buffer[] =>
  (cookie ?? '').split('.', maxDevices).flatMap((text) => {
    const bytes = text.length === entryLength ? decoded(text, 'base64url') : null
    return bytes ?? []
  })
