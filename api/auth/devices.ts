/**
 * Browsers in which somebody signed in to an account before, by a signed cookie ("device cookies", OWASP).
 * Whoever has one isn't held up by what strangers do to the account, from wherever: so no attack locks an owner out.
 * A cookie and not the address, because people share addresses with others, and change them. It opens nothing by itself.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SessionSecrets } from './sessions.ts'

/** People of one browser who sign in by turns. */
const most = 4
const nonceBytes = 16
const macBytes = 16
const entry = /^[\w-]{43}$/

export class Devices {
  readonly #keys: readonly Buffer[]

  constructor(secrets: SessionSecrets) {
    this.#keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'device cookies', 32)))
  }

  /** By what this browser is known for the account; null for a stranger. @param cookie what the browser sent */
  known(cookie: string | null, email: string): string | null {
    return entriesOf(cookie).find((bytes) => this.#isOf(bytes, email))?.toString('base64url', 0, nonceBytes) ?? null
  }

  /** The cookie after somebody signed in: those of others who use this browser stay. */
  remember(cookie: string | null, email: string): string {
    const others = entriesOf(cookie).filter((bytes) => !this.#isOf(bytes, email))
    const nonce = randomBytes(nonceBytes)
    const [key] = this.#keys
    const mine = key ? [Buffer.concat([nonce, mac(key, nonce, email)])] : []
    return [...mine, ...others].slice(0, most).map((bytes) => bytes.toString('base64url')).join('.')
  }

  #isOf(bytes: Buffer, email: string): boolean {
    const nonce = bytes.subarray(0, nonceBytes)
    return this.#keys.some((key) => timingSafeEqual(mac(key, nonce, email), bytes.subarray(nonceBytes)))
  }
}

const mac = (key: Buffer, nonce: Buffer, email: string) => createHmac('sha256', key).update(nonce).update(email).digest().subarray(0, macBytes)

const entriesOf = (cookie: string | null): Buffer[] =>
  (cookie ?? '')
    .split('.', most)
    .filter((text) => entry.test(text))
    .map((text) => Buffer.from(text, 'base64url'))
