/** Codes of authenticator apps (TOTP, RFC 6238): six digits every 30 seconds. */
import { Secret, TOTP } from 'otpauth'
import type { Instant } from '../../../domain/core/event.ts'

const issuer = 'SocialAI'
const periodSeconds = 30
/** A code of the step before or after is accepted too, because clocks differ. */
const window = 1

/** 160 bits, in base32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32

const totpOf = (secret: string, label: string) =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: periodSeconds })

/** The address in the QR code. */
export const uriOf = (secret: string, email: string): string => totpOf(secret, email).toString()

/** The step that a code is of; null for a wrong code. */
export function stepOf(secret: string, code: string, now: Instant): number | null {
  // The library throws for digits of other scripts.
  if (!/^[0-9]{6}$/.test(code)) return null
  const timestamp = Date.parse(now)
  const delta = totpOf(secret, issuer).validate({ token: code, timestamp, window })
  return delta === null ? null : Math.floor(timestamp / 1000 / periodSeconds) + delta
}
