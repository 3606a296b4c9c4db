/**
 * The passwords that attackers guess first, reduced to those that satisfy the other rules here. The server refuses
 * them, and the build passes the same list to the web, which warns while a password is typed. Source:
 * `@zxcvbn-ts/language-common` 4.1.3 (2026-07-16), ordered by how often each password occurs in leaks.
 */
import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }

const minLength = 8
/** OWASP ASVS 5.0 (May 2025), 6.2.4: at least the top 3,000 that match the application's password policy. */
const maxCount = 3000

/** In lower case, most common first. */
export const commonPasswords: readonly string[] = passwords
  .filter(({ length }) => length >= minLength)
  .slice(0, maxCount)
