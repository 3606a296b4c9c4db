import type { User } from '../../api/contract/index.ts'
import { queryClient } from './query-client.ts'
import { userKey } from './queries.ts'

/** Somebody signed in: nothing that an earlier session read may be shown. */
export function startSession(user: User): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userKey[0] })
  queryClient.setQueryData(userKey, user)
}
