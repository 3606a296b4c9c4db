import type { User } from '../../api/contract/index.ts'
import { chosenClient } from './chosen-client.ts'
import { dropAllDrafts } from './kept-drafts.ts'
import { keptReplies } from './kept-replies.ts'
import { queryClient } from './query-client.ts'
import { userKey } from './access-queries.ts'
import { sessionLoss } from './session-loss.ts'

/** After a sign-in, drops all data that another user's session has read. */
export function startSession(user: User): void {
  const before = queryClient.getQueryData<User | null>(userKey)
  const goesOn = sessionLoss.isLost() && before?.id === user.id
  if (!goesOn) {
    chosenClient.forget()
    keptReplies.forget()
  }
  if (sessionLoss.isLost() && !goesOn) return location.assign('/')
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
