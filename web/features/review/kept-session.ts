/**
 * The reviewer's sessions: what proves who reviews, or that a link was unlocked. They outlast the tab, so that the page
 * knows a person who comes back. The link's token itself is kept nowhere but in the address.
 */

/** The beginning of the link's token, which tells links apart and opens nothing, and the session. */
type Kept = readonly [link: string, session: string]

const key = 'review-sessions'
const beginning = 8
/** Of this many links; a further one replaces the oldest. */
const maxKept = 10
/** In place of a storage that takes nothing. */
let memory: readonly Kept[] = []

function kept(): readonly Kept[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? memory
  } catch {
    return memory
  }
}

export function keepSession(token: string, session: string): void {
  const link = token.slice(0, beginning)
  const sessions = [[link, session] as const, ...kept().filter(([other]) => other !== link)].slice(0, maxKept)
  try {
    localStorage.setItem(key, JSON.stringify(sessions))
    memory = []
  } catch {
    memory = sessions
  }
}

/** What each request of the page begins with. */
export function askedWith(token: string): { readonly token: string; readonly session?: string } {
  const session = kept().find(([link]) => token.startsWith(link))?.[1]
  return session === undefined ? { token } : { token, session }
}
