/**
 * Warns of a password that is easy to guess while it is typed. What the server refuses is always among it; the rest
 * is advice,
 * which may be wrong both ways.
 */
import { passwordFlaw, type PasswordFlaw } from '../../api/contract/password-rule.ts'

/** Common endings of passwords: a year, a digit, an exclamation mark. */
const longestEnding = 4
const shortestName = 4
const product = 'socialai'

export function guessable(password: string, email: string, common: ReadonlySet<string>): PasswordFlaw | null {
  const flaw = passwordFlaw(password, email, common)
  if (flaw !== null) return flaw
  const bare = withoutEndings(password.toLowerCase())
  if (bare.some((each) => common.has(each))) return 'common'
  const names = new Set([product, ...namesIn(email.toLowerCase())])
  return bare.some((each) => names.has(lettersOf(each))) ? 'obvious' : null
}

/** The password itself, and without more and more of its ending. */
function withoutEndings(password: string): readonly string[] {
  const ending = /(?<![\d!])[\d!]+$/.exec(password)?.[0].length ?? 0
  return Array.from({ length: Math.min(ending, longestEnding) + 1 }, (_, taken) =>
    password.slice(0, password.length - taken),
  )
}

/** `ada.lovelace@example.com`: the whole of it, what stands before the sign, and each part of that. */
function namesIn(email: string): readonly string[] {
  const [local = ''] = email.split('@')
  return [email, local, ...local.split(/[^\p{L}\p{N}]+/u)].map(lettersOf).filter(({ length }) => length >= shortestName)
}

const lettersOf = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '')
