/** The screen that the user left for a network's consent page: the server only knows the account. */
const store = 'way-back'

interface Left {
  readonly accountId: string
  readonly path: string
}

export const wayBack = {
  /** On leaving. Another account's, from a visit that was given up, is of no use any more. */
  keep: (accountId: string) => {
    const left: Left = { accountId, path: location.pathname + location.search }
    sessionStorage.setItem(store, JSON.stringify(left))
  },
  /** Once: the path to go back to; null when nothing is known, or it is of another account. */
  take: (accountId: string | undefined): string | null => {
    const kept = sessionStorage.getItem(store)
    sessionStorage.removeItem(store)
    if (kept === null) return null
    try {
      const left = JSON.parse(kept) as Left
      return left.accountId === accountId && left.path.startsWith('/') ? left.path : null
    } catch {
      return null
    }
  },
}
