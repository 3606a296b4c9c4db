import type { User } from '../../api/contract/index.ts'
import { chosenClient } from './chosen-client.ts'
import { dropAllDrafts } from './kept-drafts.ts'
import { keptReplies } from './kept-replies.ts'
import { queryClient } from './query-client.ts'
import { agencyQuery, userKey } from './access-queries.ts'
import { call } from './call.ts'
import { openAnotherAgency } from './other-agency.ts'
import { sessionLoss } from './session-loss.ts'

const shownAgency = () => queryClient.getQueryData(agencyQuery.queryKey)?.id

/** For a sign-in over an open screen: the new session then works in the agency of that screen. */
export function pageAgency(): { readonly agencyId?: string } {
  const agencyId = sessionLoss.isLost() ? shownAgency() : undefined
  return agencyId === undefined ? {} : { agencyId }
}

/** After a sign-in, drops all data that another session has read. @throws Error as any call does */
export async function startSession(user: User): Promise<void> {
  const before = queryClient.getQueryData<User | null>(userKey)
  const goesOn = sessionLoss.isLost() && before?.id === user.id
  if (!goesOn) {
    chosenClient.forget()
    keptReplies.forget()
  }
  if (sessionLoss.isLost() && !goesOn) return location.assign('/')
  // The membership may have ended meanwhile. A screen of one agency must not write into another one.
  if (goesOn && (await call('GET /api/agency'))?.id !== shownAgency()) return openAnotherAgency()
  sessionLoss.set(false)
  // Queries that failed without a session run again.
  if (goesOn) return void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userKey[0] })
  queryClient.setQueryData(userKey, user)
}

/** On sign-out, before the page is left: the next user of the device finds nothing, also in a tab that stays open. */
export function endSession(): void {
  dropAllDrafts()
  keptReplies.forget()
  // Set by `access-queries.ts`.
  document.cookie = 'agency=; Path=/; Max-Age=0; SameSite=Lax'
}
