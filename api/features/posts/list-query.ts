/** A list of posts as a query of the read store. */
import { platforms } from '../../../domain/core/values.ts'
import { postStatuses } from '../../../domain/post/commands.ts'
import { unplanned } from '../../../projections/posts/view.ts'
import type { Query, Where } from '../../../projections/read-store/port.ts'
import type { Routes } from '../../contract/index.ts'
import type { SearchParams } from '../../contract/route.ts'

type Asked = SearchParams<Routes['listPosts']>

/** Whether the list is limited or sorted: then the cards' indexes find its posts. */
export const isFiltered = ({ status, platform, q, from, to, sort }: Asked): boolean =>
  [status, platform, q, from, to, sort].some((each) => each !== undefined)

/** Each combination has an index: the cards' with status and platform also serves a list of one of the two. */
export function listQuery(clientId: string, { status, platform, q, from, to, sort, cursor }: Asked) {
  const isPlanned = sort === 'planned'
  const field = isPlanned ? 'plannedAt' : 'createdAt'
  const isNarrow = status !== undefined || platform !== undefined || isPlanned
  const where: Where = {
    clientId,
    ...(isNarrow && { status: { in: status ?? postStatuses }, platform: { in: platform ?? platforms } }),
    ...((from !== undefined || to !== undefined) && {
      // A post without a planned time is in no period.
      [field]: { gte: from ?? '', lt: to ?? (isPlanned ? unplanned : beyondEveryTime) },
    }),
  }
  return {
    where,
    sort: { field, order: isPlanned ? 'asc' : 'desc' },
    ...(q !== undefined && { words: q }),
    ...(cursor !== undefined && { cursor }),
  } as const satisfies Query
}

const beyondEveryTime = 'A'
