/** Refuses commonly guessed passwords where one is set: at register, reset and change, never at sign-in. */
import { passwordFlaw, passwordFlawSentences } from '../../contract/password-rule.ts'
import { invalidAt } from '../../http/invalid.ts'
import { commonPasswords } from './common-passwords.ts'

const common: ReadonlySet<string> = new Set(commonPasswords)

/** @param field the body field that holds the password @throws Problem 400 that names the field */
export function refuseGuessable(field: string, password: string, email: string): void {
  const flaw = passwordFlaw(password, email, common)
  if (flaw !== null) throw invalidAt([field], passwordFlawSentences[flaw])
}
