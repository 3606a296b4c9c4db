/**
 * The reviewer's session: what proves who reviews, or that the link was unlocked. It lasts as long as the tab. The
 * link's token itself is kept nowhere but in the address.
 */
interface Kept {
  /** The beginning of the link's token, which tells another link's session apart and opens nothing. */
  readonly link: string
  readonly session: string
}

const key = 'review-session'
const beginning = 8
/** In place of a storage that takes nothing. */
let memory: Kept | null = null

export function keepSession(token: string, session: string): void {
  const kept: Kept = { link: token.slice(0, beginning), session }
  try {
    sessionStorage.setItem(key, JSON.stringify(kept))
    memory = null
  } catch {
    memory = kept
  }
}

function kept(): Kept | null {
  try {
    return memory ?? (JSON.parse(sessionStorage.getItem(key) ?? 'null') as Kept | null)
  } catch {
    return null
  }
}

/** What each request of the page begins with. */
export function askedWith(token: string): { readonly token: string; readonly session?: string } {
  const known = kept()
  return known?.link === token.slice(0, beginning) ? { token, session: known.session } : { token }
}
