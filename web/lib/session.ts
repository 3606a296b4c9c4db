import type { User } from '../../api/contract/index.ts'
import { chosenClient } from './chosen-client.ts'
import { queryClient } from './query-client.ts'
import { userKey } from './access-queries.ts'
import { sessionLoss } from './session-loss.ts'

/** After a sign-in, drops all data that another user's session has read. */
export function startSession(user: User): void {
  const before = queryClient.getQueryData<User | null>(userKey)
  const goesOn = sessionLoss.isLost() && before?.id === user.id
  if (!goesOn) chosenClient.forget()
  if (sessionLoss.isLost() && !goesOn) return location.assign('/')
  sessionLoss.set(false)
  // Queries that failed without a session run again.
  if (goesOn) return void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userKey[0] })
  queryClient.setQueryData(userKey, user)
}
