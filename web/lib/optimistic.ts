/** Shows a command's expected result in the lists until the server answers, and takes it back if the command fails. */
import type { Post, PostCounts } from '../../api/contract/index.ts'
import { changeList, putBack, shownIn, type Item } from './post-lists.ts'
import { queryClient } from './query-client.ts'
import { allClients } from './all-clients.ts'
import { postCountsQuery } from './queries.ts'

let acts = 0
/** Null: it leaves the lists. */
export type Expected = Partial<Pick<Post, 'status' | 'rejectionReason'> & { readonly scheduledFor: string }> | null

/**
 * Shows a post in every list as it is expected to be, and counts it so. Answers how to take that back, which leaves
 * other posts' acts alone.
 */
export async function applyOptimistic(id: string, expected: Expected): Promise<() => void> {
  const having = shownIn(id)
  // An answer that was asked for before would bring back what was.
  const interrupted = having.filter(({ key }) => queryClient.isFetching({ queryKey: key, exact: true }) > 0)
  await Promise.all(having.map(({ key }) => queryClient.cancelQueries({ queryKey: key, exact: true })))
  acts += 1
  const expectedBy = acts
  const undoing = having.map((shown) => {
    const { key, item: before } = shown
    // Until the server has answered nothing else can be done to it.
    changeList(key, id, (item) => expected && { ...item, ...expected, can: [], expectedBy })
    const isGone = !shownIn(id).some((each) => each.key === key)
    return () =>
      isGone ? putBack(shown) : changeList(key, id, (item) => (item.expectedBy === expectedBy ? before : item))
  })
  const [first] = having
  const uncount = first ? count(first.item, expected) : () => undefined
  return () => {
    for (const undo of undoing) undo()
    uncount()
    for (const { key } of interrupted) void queryClient.invalidateQueries({ queryKey: key, exact: true })
  }
}

/** Moves a post from one status's number to another's. Answers how to take that back. */
function count({ clientId, status }: Item, expected: Expected): () => void {
  const to = expected === null ? null : (expected.status ?? status)
  const move = (by: 1 | -1) => [clientId, allClients].forEach((scope) => moveIn(scope, by))
  const moveIn = (scope: string, by: 1 | -1) =>
    queryClient.setQueryData<PostCounts>(postCountsQuery(scope).queryKey, (counts) => {
      if (!counts || to === status) return counts
      const byStatus = { ...counts.byStatus, [status]: counts.byStatus[status] - by }
      if (to === null) return { byStatus, total: counts.total - by }
      return { ...counts, byStatus: { ...byStatus, [to]: byStatus[to] + by } }
    })
  move(1)
  return () => void move(-1)
}
