/**
 * The rules for new passwords, with their messages. Imports nothing, so that the web's first screen can use it without
 * the contract's schemas.
 */

/** `common`: among the most used. `obvious`: the account's own address, or one repeated character. */
export type PasswordFlaw = 'common' | 'obvious'

const better = 'A few words that only you put together are better.'

export const passwordFlawSentences: Readonly<Record<PasswordFlaw, string>> = {
  common: `This is one of the most used passwords and would be guessed quickly. ${better}`,
  obvious: `This is one of the first things that somebody would try. ${better}`,
}

/**
 * OWASP ASVS 5.0 (May 2025), 6.2.4 and 6.2.11: refuses a case-insensitive match with a common password, the whole
 * email address or its local part, and one repeated character. Null: accepted. @param common in lower case
 */
export function passwordFlaw(password: string, email: string, common: ReadonlySet<string>): PasswordFlaw | null {
  const folded = password.toLowerCase()
  if (common.has(folded)) return 'common'
  const address = email.toLowerCase()
  const localPart = address.slice(0, Math.max(0, address.lastIndexOf('@')))
  return folded === address || folded === localPart || new Set(folded).size === 1 ? 'obvious' : null
}
