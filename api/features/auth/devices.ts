/**
 * Recognizes browsers in which an account signed in before, by a signed cookie ("device cookies", OWASP). The limits on
 * strangers do not apply to a known browser, so no attack locks an owner out. It is a cookie and not the address,
 * because people share and change addresses. The cookie grants no access by itself. It expires when the password
 * changes or the account signs out everywhere.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { decoded } from '../../core/base64.ts'
import type { SessionSecrets } from './sessions.ts'
import { changesOf, type UserRecord } from './users.ts'

type Account = Pick<UserRecord, 'id' | 'passwordChanges'>

/** Accounts that take turns in one browser. */
const maxDevices = 4
const nonceBytes = 16
const macBytes = 16
/** Length in base64url characters. */
const entryLength = Math.ceil(((nonceBytes + macBytes) * 4) / 3)

/** Compared in place of an account that doesn't exist, so that an unknown email costs the same work. */
const anonymous: Account = { id: 'nobody' }

export class Devices {
  readonly #keys: readonly [Buffer, ...Buffer[]]

  constructor([current, ...old]: SessionSecrets) {
    this.#keys = [keyOf(current), ...old.map(keyOf)]
  }

  /** Whether the account signed in here with its current password. @param cookie the device cookie of the request */
  isKnown(cookie: string | null, account: Account | null): boolean {
    const isOne = entriesOf(cookie).some((bytes) => this.#isOf(bytes, account ?? anonymous))
    return isOne && account !== null
  }

  /** The cookie after a sign-in. It keeps the entries of other accounts that use this browser. */
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
