/**
 * The token in a link that was mailed. It stands after the hash, and is taken out of the address before anything else
 * of the page can read, keep or send it. Only this page's memory has it then: loading it anew takes the link again. A
 * visit to the provider of single sign-on, which ends at an invitation, takes it along in the tab's own storage.
 */
const pages = new Set(['/reset-password', '/confirm-email', '/confirm-address', '/invitation'])
const kept = 'mailed-token'
/** As long as the visit may take. */
const keptMs = 5 * 60_000
const listeners = new Set<() => void>()
let token = ''
/** How single sign-on ended, where it led back to an invitation without a session. */
let outcome: string | null = null

export const isOpenedByMail = (path: string) => pages.has(path.replace(/\/$/, ''))
/** The page from which single sign-on leads back to itself. */
export const isInvitation = () => location.pathname.replace(/\/$/, '') === '/invitation'

function take(): void {
  if (!isOpenedByMail(location.pathname)) return
  const found = location.hash.slice(1)
  // What single sign-on says stands in the same place.
  outcome = isInvitation() ? (/^sign-in:([a-z-]{1,40})$/.exec(found)?.[1] ?? null) : null
  const told = isInvitation() && (found === '' || outcome !== null) ? takeKept() : found
  if (found !== '') history.replaceState(history.state, '', location.pathname + location.search)
  if (told === '') return
  token = told
  for (const listener of listeners) listener()
}

/** Once: a later visitor of this tab finds nothing. */
function takeKept(): string {
  const [at = '', each = ''] = sessionStorage.getItem(kept)?.split(' ') ?? []
  sessionStorage.removeItem(kept)
  return Date.now() - Number(at) < keptMs ? each : ''
}

take()
// Another link, opened where this one was.
window.addEventListener('hashchange', take)

export const mailedToken = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  get: () => token,
  outcome: () => outcome,
  /** For the way back from single sign-on in this tab. */
  keep: () => sessionStorage.setItem(kept, `${Date.now()} ${token}`),
}

/** The shape of the server's tokens: any other was cut off. */
export const isWhole = (each: string) => /^[\w-]{43}$/.test(each)
