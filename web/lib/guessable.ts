/** Whether a password is among the first that anybody would try. A warning and never a refusal, so it may be wrong both ways. */

export type Guessable = 'common' | 'own'

/** What people add when a form asks for more: a year, a digit, an exclamation mark. */
const longestEnding = 4
const shortestName = 4
const product = 'socialai'

export function guessable(password: string, email: string, common: ReadonlySet<string>): Guessable | null {
  const bare = withoutEndings(password.toLowerCase())
  if (bare.some((each) => common.has(each))) return 'common'
  const names = new Set([product, ...namesIn(email.toLowerCase())])
  return bare.some((each) => names.has(lettersOf(each))) ? 'own' : null
}

/** As it is, and with ever more of its ending taken away. */
function withoutEndings(password: string): readonly string[] {
  const ending = /[\d!]*$/.exec(password)?.[0].length ?? 0
  return Array.from({ length: Math.min(ending, longestEnding) + 1 }, (_, taken) => password.slice(0, password.length - taken))
}

/** `ada.lovelace@example.com`: the whole of it, what stands before the sign, and each part of that. */
function namesIn(email: string): readonly string[] {
  const [local = ''] = email.split('@')
  return [email, local, ...local.split(/[^\p{L}\p{N}]+/u)].map(lettersOf).filter(({ length }) => length >= shortestName)
}

const lettersOf = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '')
