/**
 * Recovery codes: ten, each of which replaces a factor once. Only hashes are stored. All codes of a set share a salt,
 * so that checking one costs one hash, as a password does.
 */
import { randomBytes, randomInt } from 'node:crypto'
import type { Asker, Hashing } from './hashing.ts'

const count = 10
/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
/** 49 bits. */
const characters = 10
const saltBytes = 16

export interface RecoveryCodes {
  /** As base64. */
  readonly salt: string
  /** Of the unused codes, as base64. */
  readonly digests: readonly string[]
}

const newCode = () => Array.from({ length: characters }, () => alphabet[randomInt(alphabet.length)]).join('')

/** `abcdefghjk` -> `abcde-fghjk` */
const shown = (code: string) => `${code.slice(0, characters / 2)}-${code.slice(characters / 2)}`

/** @returns what is stored, and the codes for their owner */
export async function newRecoveryCodes(
  hashing: Hashing,
  asker: Asker,
): Promise<{ readonly stored: RecoveryCodes; readonly codes: readonly string[] }> {
  const salt = randomBytes(saltBytes)
  const codes = Array.from({ length: count }, newCode)
  const digests: string[] = []
  // One after the other: few of one user's hashes may wait at once.
  for (const code of codes) digests.push(await hashing.digest(asker, code, salt))
  return { stored: { salt: salt.toString('base64'), digests }, codes: codes.map(shown) }
}

/** @param code without spaces and hyphens */
export const isRecoveryCode = (code: string): boolean =>
  code.length === characters && [...code].every((character) => alphabet.includes(character))

export const digestOf = (hashing: Hashing, asker: Asker, code: string, { salt }: RecoveryCodes): Promise<string> =>
  hashing.digest(asker, code, Buffer.from(salt, 'base64'))
