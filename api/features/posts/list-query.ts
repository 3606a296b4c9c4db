/** A list of posts as a query of the read store. */
import { platforms } from '../../../domain/core/values.ts'
import { postStatuses } from '../../../domain/post/commands.ts'
import { unplanned } from '../../../projections/posts/view.ts'
import type { Query, Where } from '../../../projections/read-store/port.ts'
import type { Routes } from '../../contract/index.ts'
import type { SearchParams } from '../../contract/route.ts'

/** `assigned` is a member's id by now. */
type Asked = Omit<SearchParams<Routes['listPosts']>, 'asOf'>

/** The posts of one client, of a member's clients, or of all clients of the agency. */
export interface ListScope {
  readonly agencyId: string
  readonly clientId?: string | { readonly in: readonly string[] }
}

/** Whether the list is limited or sorted: then the cards' indexes find its posts. */
export const isFiltered = ({ status, platform, q, from, to, sort, origin, assigned, waits }: Asked): boolean =>
  [status, platform, q, from, to, sort, origin, assigned, waits].some((each) => each !== undefined)

/** Each combination has an index: the cards' with status and platform also serves a list of one of the two. */
export function listQuery(scope: ListScope, asked: Asked) {
  const { platform, q, from, to, sort, origin, assigned, waits, cursor } = asked
  // Only pending posts wait for anyone.
  const status =
    waits === undefined ? asked.status : ['pending' as const].filter((each) => asked.status?.includes(each) ?? true)
  const isPlanned = sort === 'planned'
  const field = isPlanned ? 'plannedAt' : 'createdAt'
  const isNarrow = status !== undefined || platform !== undefined || isPlanned
  const where: Where = {
    ...scope,
    ...(assigned !== undefined && { assignedTo: assigned }),
    ...(isNarrow && { status: { in: status ?? postStatuses }, platform: { in: platform ?? platforms } }),
    ...((from !== undefined || to !== undefined) && {
      // A post without a planned time is in no period.
      [field]: { gte: from ?? '', lt: to ?? (isPlanned ? unplanned : beyondEveryTime) },
    }),
  }
  return {
    where,
    sort: { field, order: sort === undefined ? 'desc' : 'asc' },
    ...(q !== undefined && { words: q }),
    ...(origin !== undefined && { filter: { origin } }),
    ...(cursor !== undefined && { cursor }),
  } as const satisfies Query
}

const beyondEveryTime = 'A'
