/**
 * Keeps an invitation while its person is at the provider of single sign-on, from where the browser comes back to the
 * page of invitations: in the tab's own storage, for as long as that visit may take.
 */
const place = 'invitation'
const keptMs = 5 * 60_000
const ofOutcome = 'sign-in:'

interface Found {
  readonly token: string
  /** How single sign-on ended, where it signed no person in. */
  readonly outcome: string | null
}

/** By what the address had after the hash: one entry for each visit to the provider that came back to this page. */
const taken = new Map<string, Found>()

/** @param told what the address had after the hash: a token, the outcome of single sign-on, or nothing */
export function invitationIn(told: string): Found {
  if (told !== '' && !told.startsWith(ofOutcome)) return { token: told, outcome: null }
  const known = taken.get(told)
  if (known) return known
  const found = { token: takeKept(), outcome: told === '' ? null : told.slice(ofOutcome.length) }
  // It is in the storage once, and the page asks for it with each render.
  if (found.token !== '') taken.set(told, found)
  return found
}

function takeKept(): string {
  const [at = '', token = ''] = sessionStorage.getItem(place)?.split(' ') ?? []
  sessionStorage.removeItem(place)
  return Date.now() - Number(at) < keptMs ? token : ''
}

/** When the page is left. Answers how to stop. */
export function keepOnLeaving(token: string): () => void {
  const keep = () => sessionStorage.setItem(place, `${Date.now()} ${token}`)
  window.addEventListener('pagehide', keep)
  return () => window.removeEventListener('pagehide', keep)
}
