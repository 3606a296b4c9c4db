/** Shows a command's expected result in the lists until the server answers, and takes it back if the command fails. */
import type { CalendarEntry, Post, PostCard } from '../../api/contract/index.ts'
import { queryClient } from './query-client.ts'

/** `expectedBy` is there until the server's own answer takes its place. */
type Listed = (PostCard | CalendarEntry) & { readonly expectedBy?: number }
let acts = 0
/** Null: it leaves the lists. */
export type Expected = Partial<Pick<Post, 'status' | 'rejectionReason'> & { readonly scheduledFor: string }> | null

/**
 * Shows a post in every list as it is expected to be. Answers how to take that back, which leaves other posts' acts
 * alone.
 */
export async function applyOptimistic(id: string, expected: Expected): Promise<() => void> {
  const lists = [
    ...queryClient.getQueriesData<Listed[]>({ queryKey: ['posts'] }),
    ...queryClient.getQueriesData<Listed[]>({ queryKey: ['calendar'] }),
  ]
  const having = lists.filter(([, list]) => list?.some((each) => each.id === id))
  // An answer that was asked for before would bring back what was.
  const interrupted = having.filter(([key]) => queryClient.isFetching({ queryKey: key, exact: true }) > 0)
  await Promise.all(having.map(([key]) => queryClient.cancelQueries({ queryKey: key, exact: true })))
  acts += 1
  const expectedBy = acts
  const undoing = having.map(([key]) => {
    const list = queryClient.getQueryData<Listed[]>(key) ?? []
    const index = list.findIndex((each) => each.id === id)
    const before = list[index]
    if (!before) return () => undefined
    // Until the server has answered nothing else can be done to it.
    const after = expected && { ...before, ...expected, can: [], expectedBy }
    queryClient.setQueryData(key, after ? list.with(index, after) : list.toSpliced(index, 1))
    return () =>
      void queryClient.setQueryData<Listed[]>(key, (now) => {
        if (!now) return now
        if (after) return now.map((each) => (each.expectedBy === expectedBy ? before : each))
        return now.some((each) => each.id === id) ? now : now.toSpliced(index, 0, before)
      })
  })
  return () => {
    for (const undo of undoing) undo()
    for (const [key] of interrupted) void queryClient.invalidateQueries({ queryKey: key, exact: true })
  }
}
